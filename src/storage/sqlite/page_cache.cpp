#include "storage/sqlite/page_cache.h"

#include <sqlite3.h>

namespace holdfast::storage::sqlite {
namespace {

// Of a file with pages of 4 KiB, as all of ours have. It is never a page of content.
constexpr unsigned kLockPage = 0x40000000 / 4096 + 1;
constexpr unsigned kParked = 0;

sqlite3_pcache_methods2 original;

unsigned number_of(unsigned page) { return page == kLockPage ? kParked : page; }

sqlite3_pcache_page* fetch(sqlite3_pcache* cache, unsigned page, int create) {
  return original.xFetch(cache, number_of(page), create);
}

void rekey(sqlite3_pcache* cache, sqlite3_pcache_page* page, unsigned from, unsigned to) {
  original.xRekey(cache, page, number_of(from), number_of(to));
}

}  // namespace

void use_page_cache() {
  if (sqlite3_config(SQLITE_CONFIG_GETPCACHE2, &original) != SQLITE_OK) return;
  sqlite3_pcache_methods2 ours = original;
  ours.xFetch = fetch;
  ours.xRekey = rekey;
  sqlite3_config(SQLITE_CONFIG_PCACHE2, &ours);
}

}  // namespace holdfast::storage::sqlite
