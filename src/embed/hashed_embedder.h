// Vectors without a model: the character 3- to 5-grams of a text's words, hashed into a fixed
// number of dimensions. Words that are spelt alike are near each other; meaning is not known.
#pragma once

#include <memory>

#include "embed/embedder.h"

namespace holdfast::embed {

inline constexpr size_t kHashedDimensions = 256;
inline constexpr const char* kHashedModel = "hashed-3-5";

// Never fails and never waits. The same text gives the same vector on every machine.
std::unique_ptr<Embedder> make_hashed_embedder();

}  // namespace holdfast::embed
