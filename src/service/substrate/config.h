// The settings of a space's substrate (memory_maintain configure): an object with one id.
#pragma once

#include <optional>
#include <string>

#include "access/space_access.h"
#include "base/mutex.h"
#include "base/result.h"
#include "model/noun.h"
#include "storage/store.h"

namespace holdfast::service::substrate {

struct Config {
  std::optional<std::string> graph_backend = std::nullopt;     // file, kuzu
  std::optional<std::string> semantic_backend = std::nullopt;  // lancedb
  std::optional<std::string> semantic_model = std::nullopt;
  std::optional<std::string> wiki_path = std::nullopt;
  std::optional<std::string> wiki_format = std::nullopt;
  bool operator==(const Config&) const = default;
};

const Noun<Config>& config_noun();

// What was never set is not there.
Result<Config> read_config(storage::ReadTxn& txn, const access::SpaceAccess& access);
// The same for those who ask often: where nothing was set, the store is asked again only after
// something was written. Thread-safe.
class ConfigReader {
 public:
  Result<Config> read(storage::ReadTxn& txn, const access::SpaceAccess& access);

 private:
  Mutex mutex_;
  // Where nothing was set when it was last looked for.
  SpaceId space_ HOLDFAST_GUARDED_BY(mutex_);
  JournalPosition position_ HOLDFAST_GUARDED_BY(mutex_) = -1;
};
Status write_config(storage::WriteTxn& txn, const access::SpaceAccess& access,
                    const Config& config);

}  // namespace holdfast::service::substrate
