// The settings of a space's substrate (memory_maintain configure): an object with one id.
#pragma once

#include <optional>
#include <string>

#include "access/space_access.h"
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
};

const Noun<Config>& config_noun();

// What was never set is not there.
Result<Config> read_config(storage::ReadTxn& txn, const access::SpaceAccess& access);
Status write_config(storage::WriteTxn& txn, const access::SpaceAccess& access,
                    const Config& config);

}  // namespace holdfast::service::substrate
