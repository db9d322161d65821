// The one rule of who sees what (DESIGN section 4). Storage, search, the journal and every surface
// ask it; nobody compares labels on their own.
#pragma once

#include "model/label.h"

namespace holdfast::access {

// What may not be seen does not exist for the viewer: it changes no count, no score and no error
// text.
bool may_see(const Viewer& viewer, const Label& label);

}  // namespace holdfast::access
