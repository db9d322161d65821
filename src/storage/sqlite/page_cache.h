// SQLite's own page cache, without one of its costs: where a B-tree is balanced, pages change
// numbers, and one is parked for a moment under the number of the lock page, the 262,145th. The
// cache then takes that for its greatest number, and the end of the transaction looks through every
// page it holds for some behind the end of the file: a fifth of the writer's time in a load of
// chats (decision 0016). Here the parked page has the number 0, which no page has.
#pragma once

namespace holdfast::storage::sqlite {

// Before anything else of SQLite in this process; later it has no effect.
void use_page_cache();

}  // namespace holdfast::storage::sqlite
