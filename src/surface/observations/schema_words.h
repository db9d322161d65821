// The words in which the schemas of this API are written; for their .cpp files alone.
#pragma once

#include "wire/schema.h"

namespace holdfast::surface::observations {

using wire::each;
using wire::FieldOption;
using wire::items;
using wire::length;
using wire::no_controls;
using wire::Schema;

}  // namespace holdfast::surface::observations
