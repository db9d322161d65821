#include "base/time_text.h"

#include <charconv>

#include <fmt/format.h>

namespace holdfast {
namespace {

using std::chrono::days;
using std::chrono::floor;

struct Civil {
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<std::chrono::microseconds> time;
};

Civil civil(Timestamp at) {
  const auto day = floor<days>(at);
  return {std::chrono::year_month_day(day),
          std::chrono::hh_mm_ss<std::chrono::microseconds>(at - day)};
}

// `width` digits of the number, zeros in front.
void put_digits(std::string& out, size_t width, int64_t number) {
  const size_t begin = out.size();
  out.append(width, '0');
  for (size_t i = width; i-- > 0; number /= 10)
    out[begin + i] = static_cast<char>('0' + number % 10);
}

std::string format_until_seconds(const Civil& c) {
  std::string out;
  out.reserve(27);  // with microseconds and Z
  const int year = static_cast<int>(c.date.year());
  if (year >= 0 && year <= 9999) {
    put_digits(out, 4, year);
  } else {
    out = fmt::format("{:04}", year);
  }
  const auto put = [&](char before, int64_t number) {
    out += before;
    put_digits(out, 2, number);
  };
  put('-', static_cast<unsigned>(c.date.month()));
  put('-', static_cast<unsigned>(c.date.day()));
  put('T', c.time.hours().count());
  put(':', c.time.minutes().count());
  put(':', c.time.seconds().count());
  return out;
}

std::string with_fraction(const Civil& c, size_t digits, int64_t fraction) {
  std::string out = format_until_seconds(c);
  out += '.';
  put_digits(out, digits, fraction);
  out += 'Z';
  return out;
}

// Takes exactly `width` digits from the front of `text`.
bool take_digits(std::string_view& text, size_t width, int& out) {
  if (text.size() < width) return false;
  out = 0;
  for (size_t i = 0; i < width; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    out = out * 10 + (text[i] - '0');
  }
  text.remove_prefix(width);
  return true;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

// ".123456789" → microseconds. Nothing if the digits are none or too many.
bool take_fraction(std::string_view& text, int64_t& micros) {
  micros = 0;
  if (!take(text, '.')) return true;
  int64_t scale = 100'000;
  size_t digits = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    micros += (text.front() - '0') * scale;
    scale /= 10;
    ++digits;
    text.remove_prefix(1);
  }
  return digits >= 1 && digits <= 9;
}

bool take_offset(std::string_view& text, std::chrono::minutes& offset) {
  offset = {};
  if (take(text, 'Z')) return true;
  const int sign = take(text, '+') ? 1 : take(text, '-') ? -1 : 0;
  int hours = 0;
  int minutes = 0;
  if (sign == 0 || !take_digits(text, 2, hours) || !take(text, ':') ||
      !take_digits(text, 2, minutes))
    return false;
  if (hours > 23 || minutes > 59) return false;
  offset = std::chrono::minutes(sign * (hours * 60 + minutes));
  return true;
}

}  // namespace

std::string format_seconds(Timestamp at) { return format_until_seconds(civil(at)) + "Z"; }

std::string format_millis(Timestamp at) {
  const Civil c = civil(at);
  return with_fraction(c, 3, c.time.subseconds().count() / 1000);
}

std::string format_micros(Timestamp at) {
  const Civil c = civil(at);
  return with_fraction(c, 6, c.time.subseconds().count());
}

std::string format_date(Timestamp at) { return format_until_seconds(civil(at)).substr(0, 10); }

std::optional<Timestamp> parse_time(std::string_view text) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!take_digits(text, 4, year) || !take(text, '-') || !take_digits(text, 2, month) ||
      !take(text, '-') || !take_digits(text, 2, day)) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;
  const Timestamp midnight = std::chrono::sys_days(date);
  if (text.empty()) return midnight;

  int hour = 0;
  int minute = 0;
  int second = 0;
  int64_t micros = 0;
  std::chrono::minutes offset{};
  if (!take(text, 'T') || !take_digits(text, 2, hour) || !take(text, ':') ||
      !take_digits(text, 2, minute) || !take(text, ':') || !take_digits(text, 2, second) ||
      !take_fraction(text, micros) || !take_offset(text, offset) || !text.empty()) {
    return std::nullopt;
  }
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return midnight + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second) + std::chrono::microseconds(micros) - offset;
}

}  // namespace holdfast
