#include "search/document.h"

#include <algorithm>

#include <xxhash.h>

#include "base/sorted.h"
#include "search/bytes.h"
#include "search/string_pool.h"

namespace holdfast::search {
namespace {

int64_t time_of(const Object& object, const Projection& projection) {
  const Timestamp at = projection.text.at;
  return to_micros(at == Timestamp{} ? object.created_at : at);
}

// Replaces `facets`; they point into the projection.
void sort_facets(const Projection& projection, std::vector<FacetView>& facets) {
  facets.clear();
  facets.reserve(projection.facets.size() + 2);
  for (const Facet& facet : projection.facets) {
    std::string_view name = facet.name;
    // The mark of facets that the store does not keep: here they are facets like all others.
    if (name.starts_with('~')) name.remove_prefix(1);
    facets.push_back({beginning_of(name), name, facet.text, facet.number, facet.is_number});
  }
  const auto add_mark = [&](std::string_view mark) {
    const std::string_view name = mark.substr(0, mark.size() - 1);
    facets.push_back({.beginning = beginning_of(name), .name = name});
  };
  const SearchText& text = projection.text;
  if (text.valid_from || text.valid_until) add_mark(kValidityMark);
  if (!text.conversation.empty()) add_mark(kTurnMark);
  sort_once(facets);
}

// What a hash is taken of, written over what was there before. Most pieces are small.
class HashedBytes {
 public:
  explicit HashedBytes(std::string& room) : room_(room) { use_room(0); }

  void put_number(uint64_t value) {
    if (left() < kLongestVarint) grow(kLongestVarint);
    at_ = write_varint(at_, value);
  }
  void put_bytes(std::string_view text) {
    if (left() < text.size()) grow(text.size());
    text.copy(reinterpret_cast<char*>(at_), text.size());
    at_ += text.size();
  }
  void put_text(std::string_view text) {
    if (left() < text.size() + kLongestVarint) grow(text.size() + kLongestVarint);
    at_ = write_varint(at_, text.size());
    text.copy(reinterpret_cast<char*>(at_), text.size());
    at_ += text.size();
  }
  void put_time(const std::optional<Timestamp>& time) {
    put_number(time ? zigzag(to_micros(*time)) + 1 : 0);
  }
  uint64_t hash() const { return XXH3_64bits(room_.data(), size()); }

 private:
  size_t size() const { return static_cast<size_t>(at_ - begin()); }
  size_t left() const { return static_cast<size_t>(end_ - at_); }
  uint8_t* begin() const { return reinterpret_cast<uint8_t*>(room_.data()); }
  void use_room(size_t written) {
    at_ = begin() + written;
    end_ = begin() + room_.size();
  }
  void grow(size_t needed) {
    const size_t written = size();
    room_.resize(2 * (written + needed) + 1024);
    use_room(written);
  }

  std::string& room_;
  uint8_t* at_ = nullptr;
  uint8_t* end_ = nullptr;
};

uint64_t hash_of(const Object& object, const Projection& projection,
                 const std::vector<FacetView>& facets, std::string& room) {
  const SearchText& text = projection.text;
  HashedBytes bytes(room);
  bytes.put_number(static_cast<uint64_t>(object.number));
  bytes.put_text(object.key.kind);
  bytes.put_number(static_cast<uint64_t>(object.label.visibility));
  bytes.put_number(static_cast<uint64_t>(object.label.sensitivity));
  bytes.put_text(object.label.container);
  bytes.put_text(object.label.owner);
  bytes.put_number(object.label.compartments.size());
  for (const std::string& compartment : object.label.compartments) bytes.put_text(compartment);
  bytes.put_text(text.title);
  for (const auto* list : {&text.ids, &text.tags}) {
    bytes.put_number(list->size());
    for (const std::string& entry : *list) bytes.put_text(entry);
  }
  bytes.put_text(text.summary);
  bytes.put_text(text.body);
  bytes.put_text(text.conversation);
  bytes.put_text(text.speaker);
  bytes.put_number(zigzag(time_of(object, projection)));
  bytes.put_time(text.valid_from);
  bytes.put_time(text.valid_until);
  for (const FacetView& facet : facets) {
    bytes.put_text(facet.name);
    bytes.put_text(facet.text);
    bytes.put_number(zigzag(facet.number));
    bytes.put_number(facet.is_number ? 1 : 0);
  }
  return bytes.hash();
}

uint64_t key_hash_with(const ObjectKey& key, std::string& room) {
  HashedBytes bytes(room);
  bytes.put_bytes(key.kind);
  bytes.put_number(0);
  bytes.put_bytes(key.id);
  return bytes.hash();
}

// The caller makes the values in it.
template <typename T>
std::span<T> room_for(size_t count, std::pmr::memory_resource& memory) {
  return {static_cast<T*>(memory.allocate(count * sizeof(T), alignof(T))), count};
}

std::optional<int64_t> micros(const std::optional<Timestamp>& time) {
  return time ? std::optional(to_micros(*time)) : std::nullopt;
}

}  // namespace

Document DocumentMaker::make(const Object& object, const Projection& projection) {
  const SearchText& text = projection.text;
  Document document{.number = object.number,
                    .kind = object.key.kind,
                    .label = &object.label,
                    .at = time_of(object, projection),
                    .valid_from = micros(text.valid_from),
                    .valid_until = micros(text.valid_until),
                    .conversation = text.conversation,
                    .speaker = text.speaker,
                    .key = key_hash_with(object.key, bytes_),
                    .words = projection.words.get()};
  if (document.words == nullptr) {
    document.made_words = words_of(text);
    document.words = document.made_words.get();
  }
  sort_facets(projection, facets_);
  keep_facets(document);
  document.hash = hash_of(object, projection, facets_, bytes_);
  return document;
}

void DocumentMaker::keep_facets(Document& document) {
  size_t bytes = 0;
  for (const FacetView& facet : facets_) bytes += facet.name.size() + 1 + facet.text.size();
  char* to = room_for<char>(bytes, memory_).data();
  const auto are_numbers =
      static_cast<size_t>(std::ranges::count_if(facets_, &FacetView::is_number));
  const auto texts = room_for<Document::TextFacet>(facets_.size() - are_numbers, memory_);
  const auto numbers = room_for<Document::NumberFacet>(are_numbers, memory_);
  size_t text_count = 0;
  size_t number_count = 0;
  for (const FacetView& facet : facets_) {
    if (facet.is_number) {
      std::construct_at(&numbers[number_count++],
                        Document::NumberFacet{.name = facet.name, .number = facet.number});
      continue;
    }
    const char* const begin = to;
    to = std::copy(facet.name.begin(), facet.name.end(), to);
    *to++ = '\0';
    to = std::copy(facet.text.begin(), facet.text.end(), to);
    const std::string_view text(begin, static_cast<size_t>(to - begin));
    std::construct_at(&texts[text_count++],
                      Document::TextFacet{.text = text, .hash = StringPool::hash_of(text)});
  }
  document.facets = texts;
  document.numbers = numbers;
}

uint64_t key_hash(const ObjectKey& key) {
  std::string room;
  return key_hash_with(key, room);
}

uint64_t projection_hash(const Object& object, const Projection& projection) {
  std::vector<FacetView> facets;
  std::string room;
  sort_facets(projection, facets);
  return hash_of(object, projection, facets, room);
}

}  // namespace holdfast::search
