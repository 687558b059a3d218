// Factory functions for the strategies that come with heddle, one source file each. The table in table.cpp names them.
#pragma once

#include <cstdint>
#include <memory>

#include "strategy/feedback/coverage_signal.hpp"
#include "strategy/feedback/maple.hpp"
#include "strategy/predicting/predict.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/portfolio.hpp"
#include "strategy/systematic/bounded_search.hpp"

namespace heddle::strategy {

enum class QlVariant : std::uint8_t { normal, basic, custom, inboxes, without_values };
enum class Sees : std::uint8_t { all, inboxes };

std::unique_ptr<Strategy> make_random();
std::unique_ptr<Strategy> make_sticky(double stay);
std::unique_ptr<Strategy> make_round_robin();
std::unique_ptr<Strategy> make_pct(std::uint32_t depth);
/// prefix 0: twice the learned length.
std::unique_ptr<Strategy> make_fair_pct(std::uint32_t depth, std::uint32_t prefix);
std::unique_ptr<Strategy> make_delay(std::uint32_t delays);
std::unique_ptr<Strategy> make_partial_order_sampling();
std::unique_ptr<Strategy> make_sinking_priorities(std::uint32_t every);
std::unique_ptr<Strategy> make_trace_aware_pct(std::uint32_t depth);
std::unique_ptr<Strategy> make_uniform_walk();
std::unique_ptr<Strategy> make_selective_walk();
std::unique_ptr<Strategy> make_site_priorities(std::uint32_t changes);
std::unique_ptr<Strategy> make_q_learning(QlVariant variant, bool divides = false);
std::unique_ptr<Strategy> make_avoidance(Sees sees);
std::unique_ptr<Strategy> make_bonus_learning();
std::unique_ptr<Strategy> make_greedy();
std::unique_ptr<Strategy> make_state_delay_bounding();
std::unique_ptr<Strategy> make_reads_from_feedback(Signal signal);
std::unique_ptr<Strategy> make_stream_mutation(Signal signal, std::uint32_t mutations);
std::unique_ptr<Maple> make_maple();
std::unique_ptr<Prediction> make_prediction();
std::unique_ptr<Strategy> make_depth_first(bool reduces = false);
std::unique_ptr<BoundedSearch> make_preemption_bounding(std::uint32_t bound);
std::unique_ptr<BoundedSearch> make_delay_bounding(std::uint32_t bound);
std::unique_ptr<Portfolio> make_portfolio();

}  // namespace heddle::strategy
