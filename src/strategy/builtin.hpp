// Makers of the strategies that come with heddle, one file each. The table in table.cpp gives them names.
#pragma once

#include <cstdint>
#include <memory>

#include "strategy/bounded_search.hpp"
#include "strategy/portfolio.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

std::unique_ptr<Strategy> make_random();
std::unique_ptr<Strategy> make_sticky(double stay);
std::unique_ptr<Strategy> make_round_robin();
std::unique_ptr<Strategy> make_pct(std::uint32_t depth);
/// prefix 0: twice the length learned.
std::unique_ptr<Strategy> make_fair_pct(std::uint32_t depth, std::uint32_t prefix);
std::unique_ptr<Strategy> make_delay(std::uint32_t delays);
std::unique_ptr<Strategy> make_depth_first(bool reduces = false);
std::unique_ptr<BoundedSearch> make_preemption_bounding(std::uint32_t bound);
std::unique_ptr<BoundedSearch> make_delay_bounding(std::uint32_t bound);
std::unique_ptr<Portfolio> make_portfolio();

}  // namespace heddle::strategy
