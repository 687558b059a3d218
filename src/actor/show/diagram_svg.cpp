// Each state is a box, in rows by distance from the start. Arrows are curves between the boxes, bent so that opposite
// arrows do not coincide.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "actor/show/lines.hpp"
#include "heddle/actor/diagram.hpp"

namespace heddle::actor {
namespace {

constexpr int kBoxWidth = 200;
constexpr int kLine = 16;
constexpr int kGapX = 110;
constexpr int kGapY = 90;
constexpr int kMargin = 70;

std::string in_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

struct Box {
  double x, y;  // of the centre
  double height;
  std::vector<std::string> lines;  // without the name
};

std::vector<std::string> lines_of(const ShownState& state) {
  std::vector<std::string> lines;
  for (const std::string& event : state.handles) lines.push_back("on " + event);
  for (const std::string& event : state.defers) lines.push_back("defers " + event);
  for (const std::string& event : state.ignores) lines.push_back("ignores " + event);
  return lines;
}

std::vector<std::size_t> rows_of(const Shown& all) {
  constexpr std::size_t kUnknown = ~std::size_t{0};
  std::vector<std::size_t> row(all.states.size(), kUnknown);
  for (std::size_t i = 0; i < row.size(); ++i)
    if (all.states[i].is_start) row[i] = 0;
  std::size_t last = 0;
  for (bool grows = true; grows;) {  // as far as arrows lead
    grows = false;
    for (const Arrow& arrow : all.arrows)
      if (row[arrow.from] != kUnknown && row[arrow.to] > row[arrow.from] + 1) {
        row[arrow.to] = row[arrow.from] + 1;
        last = std::max(last, row[arrow.to]);
        grows = true;
      }
  }
  for (std::size_t& each : row)
    if (each == kUnknown) each = last + 1;  // only an action leads there
  return row;
}

class Picture {
 public:
  explicit Picture(const Table& table) : title_(table.name()), all_(shown(table)) { place(); }

  std::string text() {
    print(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n",
        width_, height_, width_, height_);
    out_ +=
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        "<defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" "
        "orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"#57606a\"/></marker></defs>\n";
    print("<text x=\"%d\" y=\"28\" font-size=\"16\" font-weight=\"bold\">%s</text>\n", kMargin / 2,
          in_xml(title_).c_str());
    for (const Arrow& arrow : all_.arrows) draw(arrow);
    for (std::size_t i = 0; i < boxes_.size(); ++i) draw(boxes_[i], all_.states[i]);
    return out_ + "</svg>\n";
  }

 private:
  template <typename... As>
  void print(const char* format, As... arguments) {
    char text[700];
    std::snprintf(text, sizeof text, format, arguments...);
    out_ += text;
  }

  void place() {
    const std::vector<std::size_t> row = rows_of(all_);
    const std::size_t rows = *std::max_element(row.begin(), row.end()) + 1;
    boxes_.resize(all_.states.size());
    double y = kMargin;
    for (std::size_t r = 0; r < rows; ++r) {
      double highest = 0;
      std::size_t column = 0;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] != r) continue;
        Box& box = boxes_[i];
        box.lines = lines_of(all_.states[i]);
        box.height = 30 + kLine * static_cast<double>(box.lines.size());
        box.x = kMargin + kBoxWidth / 2.0 + static_cast<double>(column++) * (kBoxWidth + kGapX);
        box.y = y + box.height / 2;
        highest = std::max(highest, box.height);
        width_ = std::max(width_, box.x + kBoxWidth / 2.0 + kMargin + kGapX);
      }
      y += highest + kGapY;
    }
    height_ = y;
  }

  void draw(const Box& box, const ShownState& state) {
    const char* fill = state.heat == Heat::hot ? "#ffebe9" : state.heat == Heat::cold ? "#ddf4ff" : "#f6f8fa";
    const double top = box.y - box.height / 2;
    print(
        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%.0f\" rx=\"10\" fill=\"%s\" stroke=\"#1f2328\" "
        "stroke-width=\"%d\"/>\n",
        box.x - kBoxWidth / 2.0, top, kBoxWidth, box.height, fill, state.is_start ? 3 : 1);
    print("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\" font-weight=\"bold\">%s</text>\n", box.x, top + 20,
          in_xml(state.name).c_str());
    for (std::size_t i = 0; i < box.lines.size(); ++i)
      print("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\" fill=\"#57606a\">%s</text>\n", box.x,
            top + 20 + kLine * static_cast<double>(i + 1), in_xml(box.lines[i]).c_str());
  }

  /// Where a line from the centre of a box towards a point leaves the box.
  static std::pair<double, double> edge(const Box& box, double x, double y) {
    const double dx = x - box.x;
    const double dy = y - box.y;
    const double scale = std::max({std::abs(dx) / (kBoxWidth / 2.0), std::abs(dy) / (box.height / 2), 1e-9});
    return {box.x + dx / scale, box.y + dy / scale};
  }

  void draw(const Arrow& arrow) {
    const Box& from = boxes_[arrow.from];
    const Box& to = boxes_[arrow.to];
    const char* style = arrow.pushes ? " stroke-dasharray=\"6 4\"" : "";
    const std::string label = in_xml(arrow.events);
    if (arrow.from == arrow.to) {
      const double x = from.x + kBoxWidth / 2.0;
      print(
          "<path d=\"M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f\" fill=\"none\" stroke=\"#57606a\"%s "
          "marker-end=\"url(#tip)\"/>\n",
          x, from.y - 10, x + 50, from.y - 25, x + 50, from.y + 25, x, from.y + 10, style);
      print("<text x=\"%.0f\" y=\"%.0f\">%s</text>\n", x + 42, from.y + 4, label.c_str());
      return;
    }
    // The curve bends to the right of its direction, so that the opposite arrow bends to the other side.
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const double length = std::hypot(dx, dy);
    const double bend_x = (from.x + to.x) / 2 - dy / length * 40;
    const double bend_y = (from.y + to.y) / 2 + dx / length * 40;
    const auto [x1, y1] = edge(from, bend_x, bend_y);
    const auto [x2, y2] = edge(to, bend_x, bend_y);
    print("<path d=\"M%.0f %.0fQ%.0f %.0f %.0f %.0f\" fill=\"none\" stroke=\"#57606a\"%s marker-end=\"url(#tip)\"/>\n",
          x1, y1, bend_x, bend_y, x2, y2, style);
    print("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">%s</text>\n", (x1 + 2 * bend_x + x2) / 4,
          (y1 + 2 * bend_y + y2) / 4, label.c_str());
  }

  std::string title_;
  Shown all_;
  std::vector<Box> boxes_;
  double width_ = 0;
  double height_ = 0;
  std::string out_;
};

}  // namespace

std::string svg_of(const Table& table) { return Picture(table).text(); }

}  // namespace heddle::actor
