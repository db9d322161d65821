// A noun: one kind of object with its struct, its codec, its facets, its links and its searchable
// text. Declared beside the service that owns it; registered once in the catalogue, after which
// storage, search, history, export and the console work for it.
//
//   const Noun<Reminder>& reminder_noun() {
//     static const Noun<Reminder> noun{.kind = "reminder", .codec = reminder_codec(), .project =
//     project_reminder}; return noun;
//   }
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/result.h"
#include "model/codec.h"
#include "model/object.h"
#include "model/search_text.h"

namespace holdfast {

struct Words;  // of a SearchText, as the index takes them in (search/words.h)

// What the engine derives from a body. Facets and links are stored with the object; text goes to
// the index.
struct Projection {
  std::vector<Facet> facets = {};
  std::vector<Link> links = {};
  SearchText text = {};
  // Those of `text`, where somebody made them ahead of the write; shared with whoever holds a copy.
  // Without them the index makes them itself, while the next write waits.
  std::shared_ptr<const Words> words = nullptr;
};

// Facet names that nouns of several surfaces share, so that their objects are neighbours (DESIGN
// section 5). Values are normalised by the noun.
namespace shared_facet {
inline constexpr std::string_view kContainer = "container";
inline constexpr std::string_view kThread = "thread";
inline constexpr std::string_view kTask = "task";
inline constexpr std::string_view kRepository = "repository";
inline constexpr std::string_view kWorkRef = "work_ref";
inline constexpr std::string_view kTag = "tag";
inline constexpr std::string_view kDueAt = "due_at";          // a number: microseconds
inline constexpr std::string_view kWorkState = "work_state";  // open or done
}  // namespace shared_facet

template <typename T>
struct Noun {
  std::string kind;
  const Codec<T>& codec;
  std::function<Projection(const T&)> project;
};

// A noun without its type: what storage and search need of it.
struct NounEntry {
  std::string kind;
  // kCorrupted if the body cannot be read.
  std::function<Result<Projection>(const Object&)> project;
};

// Filled at the start, then only read. Thread-safe after that.
class NounCatalog {
 public:
  template <typename T>
  void add(const Noun<T>& noun) {
    const bool added =
        entries_
            .emplace(noun.kind,
                     NounEntry{.kind = noun.kind,
                               .project = [&noun](const Object& object) -> Result<Projection> {
                                 HOLDFAST_TRY(const T value, noun.codec.decode_text(object.body));
                                 return noun.project(value);
                               }})
            .second;
    HOLDFAST_ASSERT(added);
  }

  // nullptr for a kind nobody declared (data written by a newer version).
  const NounEntry* find(std::string_view kind) const {
    const auto it = entries_.find(kind);
    return it == entries_.end() ? nullptr : &it->second;
  }
  std::vector<std::string> kinds() const {
    std::vector<std::string> names;
    for (const auto& [kind, entry] : entries_) names.push_back(kind);
    return names;
  }

 private:
  std::map<std::string, NounEntry, std::less<>> entries_;
};

}  // namespace holdfast
