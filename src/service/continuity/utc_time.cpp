#include "service/continuity/utc_time.h"

#include <fmt/format.h>

#include "service/continuity/failure.h"

namespace holdfast::service::continuity {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<int> digits(size_t count) {
    if (rest_.size() < count) return std::nullopt;
    int value = 0;
    for (size_t i = 0; i < count; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return std::nullopt;
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }
  bool skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool at_digit() const { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }
  bool done() const { return rest_.empty(); }

  // Microseconds of a fraction; digits beyond the sixth are dropped.
  std::optional<int64_t> fraction() {
    if (!at_digit()) return std::nullopt;
    int64_t micros = 0;
    int64_t unit = 100'000;
    while (at_digit()) {
      micros += unit * (rest_.front() - '0');
      unit /= 10;
      rest_.remove_prefix(1);
    }
    return micros;
  }

 private:
  std::string_view rest_;
};

std::optional<sys_days> week_date(Reader& in, int year, bool extended) {
  const auto week = in.digits(2);
  if (!week || *week < 1 || *week > 53) return std::nullopt;
  int day = 1;
  if (extended ? in.skip('-') : in.at_digit()) {
    const auto given = in.digits(1);
    if (!given || *given < 1 || *given > 7) return std::nullopt;
    day = *given;
  }
  // Week 1 has the year's first Thursday.
  const sys_days fourth = std::chrono::year(year) / 1 / 4;
  const auto weekday = std::chrono::weekday(fourth).iso_encoding();
  const sys_days monday = fourth - days(weekday - 1) + days((*week - 1) * 7);
  const std::chrono::year_month_day thursday(monday + days(3));
  if (thursday.year() != std::chrono::year(year)) return std::nullopt;  // a week 53 it has not
  return monday + days(day - 1);
}

std::optional<sys_days> read_date(Reader& in) {
  const auto year = in.digits(4);
  if (!year || *year < 1) return std::nullopt;
  const bool extended = in.skip('-');
  if (in.skip('W')) return week_date(in, *year, extended);
  const auto month = in.digits(2);
  if (!month || (extended && !in.skip('-'))) return std::nullopt;
  const auto day = in.digits(2);
  if (!day) return std::nullopt;
  const auto date = std::chrono::year(*year) / std::chrono::month(static_cast<unsigned>(*month)) /
                    std::chrono::day(static_cast<unsigned>(*day));
  if (!date.ok()) return std::nullopt;
  return sys_days(date);
}

std::optional<int64_t> read_clock(Reader& in, int max_hour) {
  const auto hour = in.digits(2);
  if (!hour || *hour > max_hour) return std::nullopt;
  int64_t micros = *hour * 3'600'000'000LL;
  const bool extended = in.skip(':');
  if (!extended && !in.at_digit()) return micros;
  const auto minute = in.digits(2);
  if (!minute || *minute > 59) return std::nullopt;
  micros += *minute * 60'000'000LL;
  if (!(extended ? in.skip(':') : in.at_digit())) return micros;
  const auto second = in.digits(2);
  if (!second || *second > 59) return std::nullopt;
  micros += *second * 1'000'000LL;
  if (in.skip('.') || in.skip(',')) {
    const auto fraction = in.fraction();
    if (!fraction) return std::nullopt;
    micros += *fraction;
  }
  return micros;
}

std::optional<int64_t> read_offset(Reader& in) {
  if (in.done() || in.skip('Z')) return 0;
  const bool behind = in.skip('-');
  if (!behind && !in.skip('+')) return std::nullopt;
  const auto size = read_clock(in, 23);
  if (!size) return std::nullopt;
  return behind ? -*size : *size;
}

}  // namespace

std::optional<Timestamp> parse_iso(std::string_view text) {
  Reader in(text);
  const auto date = read_date(in);
  if (!date) return std::nullopt;
  int64_t micros = 0;
  if (!in.done()) {
    if (!in.skip('T') && !in.skip(' ')) return std::nullopt;
    const auto clock = read_clock(in, 23);
    const auto offset = clock ? read_offset(in) : std::nullopt;
    if (!offset || !in.done()) return std::nullopt;
    micros = *clock - *offset;
  }
  return Timestamp(*date) + std::chrono::microseconds(micros);
}

Result<Timestamp> require_utc(std::string_view text, std::string_view field) {
  const auto at = parse_iso(text);
  if (!at) return bad_request(fmt::format("Invalid UTC timestamp for {}", field));
  if (!text.ends_with('Z') && !text.ends_with("+00:00"))
    return bad_request(fmt::format("Timestamp must be UTC for {}", field));
  return *at;
}

}  // namespace holdfast::service::continuity
