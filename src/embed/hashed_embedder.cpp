#include "embed/hashed_embedder.h"

#include <cmath>

#include "base/utf8.h"

namespace holdfast::embed {
namespace {

constexpr size_t kShortest = 3;
constexpr size_t kLongest = 5;

bool is_separator(std::string_view point) {
  if (point.size() > 1) return false;
  const char c = point.front();
  const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  return !kept;
}

// FNV-1a.
uint64_t hash_of(std::string_view bytes) {
  uint64_t hash = 14695981039346656037U;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211U;
  }
  return hash;
}

// The word's grams; its ends are marked, so that a beginning differs from a middle.
void add_word(const std::string& word, Vector& vector) {
  const std::string marked = "<" + word + ">";
  std::vector<size_t> starts;
  for (size_t at = 0; at < marked.size();) {
    starts.push_back(at);
    at += prefix_code_points(std::string_view(marked).substr(at), 1).size();
  }
  starts.push_back(marked.size());
  for (size_t first = 0; first + kShortest < starts.size(); ++first) {
    for (size_t length = kShortest; length <= kLongest && first + length < starts.size();
         ++length) {
      const size_t size = starts[first + length] - starts[first];
      const uint64_t hash = hash_of(std::string_view(marked).substr(starts[first], size));
      vector[hash % vector.size()] += (hash >> 40 & 1U) != 0 ? 1.0F : -1.0F;
    }
  }
}

Vector vector_of(const std::string& text) {
  Vector vector(kHashedDimensions, 0.0F);
  const std::string folded = fold_case(text);
  std::string word;
  for (std::string_view rest = folded; !rest.empty();) {
    const std::string_view point = prefix_code_points(rest, 1);
    rest.remove_prefix(point.size());
    if (!is_separator(point)) word += point;
    if ((is_separator(point) || rest.empty()) && !word.empty()) {
      add_word(word, vector);
      word.clear();
    }
  }
  double sum = 0;
  for (const float x : vector) sum += static_cast<double>(x) * x;
  if (sum == 0) vector[0] = 1.0F;  // a text without words is near nothing in particular
  const auto length = static_cast<float>(std::sqrt(sum));
  for (float& x : vector) x /= sum == 0 ? 1.0F : length;
  return vector;
}

class HashedEmbedder : public Embedder {
 public:
  size_t dimensions() const override { return kHashedDimensions; }
  std::string model() const override { return kHashedModel; }
  Result<std::vector<Vector>> embed(const std::vector<std::string>& texts,
                                    Deadline /*deadline*/) override {
    std::vector<Vector> vectors;
    vectors.reserve(texts.size());
    for (const std::string& text : texts) vectors.push_back(vector_of(text));
    return vectors;
  }
};

}  // namespace

std::unique_ptr<Embedder> make_hashed_embedder() { return std::make_unique<HashedEmbedder>(); }

}  // namespace holdfast::embed
