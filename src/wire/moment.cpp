#include "wire/moment.h"

#include <charconv>
#include <map>

#include "base/time_text.h"

namespace holdfast::wire {

std::optional<Timestamp> read_moment(std::string_view text, Timestamp now) {
  using std::chrono::floor;
  using std::chrono::milliseconds;
  static const std::map<char, std::chrono::seconds> kUnits = {{'s', std::chrono::seconds(1)},
                                                              {'m', std::chrono::minutes(1)},
                                                              {'h', std::chrono::hours(1)},
                                                              {'d', std::chrono::hours(24)},
                                                              {'w', std::chrono::hours(24 * 7)}};
  if (text == "now") return floor<milliseconds>(now);
  if (!text.starts_with("now-")) {
    const auto at = parse_time(text);
    if (!at) return std::nullopt;
    return Timestamp(floor<milliseconds>(*at));
  }
  const std::string_view amount = text.substr(4, text.size() - 5);
  const auto unit = text.size() > 5 ? kUnits.find(text.back()) : kUnits.end();
  int64_t count = -1;
  const auto [end, error] = std::from_chars(amount.data(), amount.data() + amount.size(), count);
  const bool whole = error == std::errc() && end == amount.data() + amount.size() &&
                     amount.front() != '-' && count <= 100'000;
  if (unit == kUnits.end() || !whole) return std::nullopt;
  return Timestamp(floor<milliseconds>(now - count * unit->second));
}

}  // namespace holdfast::wire
