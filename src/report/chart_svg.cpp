#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "report/chart.hpp"
#include "report/chart_events.hpp"
#include "report/printable_trace.hpp"
#include "report/text.hpp"

namespace heddle::report {
namespace {

using Kind = ChartEvent::Kind;

constexpr int kLane = 190;
constexpr int kRow = 26;
constexpr int kTop = 70;
constexpr int kMargin = 110;
constexpr std::string_view kColours[] = {"#1f6feb", "#b35900", "#1a7f37", "#8250df", "#bf3989", "#57606a"};

std::string in_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

class Picture {
 public:
  explicit Picture(const ChartEvents& all) : all_(all), created_(all.lanes.size(), 0) {
    for (std::size_t row = 0; row < all_.rows.size(); ++row)
      if (all_.rows[row].kind == Kind::created) created_[all_.rows[row].other] = row;
  }

  std::string text() {
    const int width = 2 * kMargin + kLane * (static_cast<int>(all_.lanes.size()) - 1);
    const int bottom = y(all_.rows.size());
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" "
        "orient=\"auto-start-reverse\"><path d=\"M0 0L10 5L0 10z\" fill=\"context-stroke\"/></marker></defs>\n",
        width, bottom + 30);
    for (std::size_t i = 0; i < all_.lanes.size(); ++i) lane(i, bottom);
    for (std::size_t i = 0; i < all_.rows.size(); ++i) row(i);
    return out_ + "</svg>\n";
  }

 private:
  static int x(std::size_t lane) { return kMargin + kLane * static_cast<int>(lane); }
  static int y(std::size_t row) { return kTop + kRow * static_cast<int>(row); }
  static std::string_view colour(std::size_t lane) { return kColours[lane % std::size(kColours)]; }

  void lane(std::size_t i, int bottom) {
    const std::size_t first = created_[i];
    out_ += fmt::format("<line x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\" stroke=\"#d0d7de\"/>\n", x(i),
                        first == 0 ? kTop - 20 : y(first), bottom);
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\" fill=\"{}\">{}</text>\n",
                        x(i), kTop - 35, colour(i), in_xml(cut(all_.lanes[i], 26)));
  }

  void row(std::size_t i) {
    const ChartEvent& row = all_.rows[i];
    switch (row.kind) {
      case Kind::created:
        arrow(row, i, i, "stroke-dasharray=\"2 3\"", "new");
        break;
      case Kind::sent:
        if (row.match == ChartEvent::kNone)
          arrow(row, i, i, "stroke-dasharray=\"6 4\"", row.text + " (not taken)");
        else
          arrow(row, i, row.match, all_.rows[row.match].kind == Kind::lost ? "stroke-dasharray=\"6 4\"" : "", row.text);
        break;
      case Kind::taken:
        out_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"{}\"><title>{}</title></circle>\n", x(row.lane),
                            y(i), colour(row.lane), in_xml(row.text));
        break;
      case Kind::lost:
        out_ += fmt::format(
            "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"white\" stroke=\"{}\"><title>{} dropped</title></circle>\n",
            x(row.lane), y(i), colour(row.lane), in_xml(row.text));
        break;
      case Kind::state:
        box(row, i, "#f6f8fa", colour(row.lane));
        break;
      case Kind::aside:
        out_ += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"#57606a\" font-style=\"italic\">{}</text>\n",
                            x(row.lane) + 8, y(i) + 4, in_xml(cut(row.text, 40)));
        break;
      case Kind::failed:
        box(row, i, "#ffebe9", "#cf222e");
        break;
    }
  }

  void box(const ChartEvent& row, std::size_t i, std::string_view fill, std::string_view stroke) {
    const std::string label = cut(row.text, 22);
    const int width = 16 + 7 * static_cast<int>(columns(label));
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"20\" rx=\"8\" fill=\"{}\" stroke=\"{}\"/>\n",
                        x(row.lane) - width / 2, y(i) - 10, width, fill, stroke);
    out_ +=
        fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x(row.lane), y(i) + 4, in_xml(label));
  }

  void arrow(const ChartEvent& row, std::size_t from, std::size_t to, std::string_view style, std::string_view label) {
    const int x1 = x(row.lane);
    const int x2 = row.other == ChartEvent::kNone ? x1 : x(row.other);
    if (x1 == x2)
      out_ += fmt::format(
          "<path d=\"M{0} {1}C{2} {1} {2} {3} {0} {3}\" fill=\"none\" stroke=\"{4}\" {5} marker-end=\"url(#tip)\"/>\n",
          x1, y(from), x1 + 40, std::max(y(to), y(from) + 14), colour(row.lane), style);
    else
      out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" {} marker-end=\"url(#tip)\"/>\n",
                          x1, y(from), x2, y(to), colour(row.lane), style);
    const int at_x = x1 == x2 ? x1 + 36 : x1 + (x2 > x1 ? 10 : -10);
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", at_x, y(from) - 4,
                        x2 >= x1 ? "start" : "end", colour(row.lane), in_xml(cut(label, 28)));
  }

  const ChartEvents& all_;
  std::vector<std::size_t> created_;  // the row in which a lane starts; 0: it is there from the start
  std::string out_;
};

}  // namespace

std::string chart_svg(const Trace& trace) { return Picture(happenings_of(printable_trace(trace))).text(); }

}  // namespace heddle::report
