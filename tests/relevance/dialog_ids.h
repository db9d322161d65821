// Evidence of LoCoMo as annotators typed it: "D8:6; D9:17", "D30:05", "D:11:26".
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace holdfast::relevance {

// The ids of the turns that it names, spelt as turns spell them.
inline std::vector<std::string> dialog_ids(std::string text) {
  for (char& c : text) c = c == ';' || c == ',' ? ' ' : c;
  std::vector<std::string> ids;
  std::stringstream words(text);
  for (std::string word; words >> word;) {
    const size_t colon = word.rfind(':');
    if (colon == std::string::npos || word.size() < 4) continue;
    std::string session = word.substr(1, colon - 1);
    std::erase(session, ':');
    std::string turn = word.substr(colon + 1);
    while (turn.size() > 1 && turn[0] == '0') turn.erase(0, 1);
    ids.push_back("D" + session + ":" + turn);
  }
  return ids;
}

}  // namespace holdfast::relevance
