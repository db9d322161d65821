#include "service/substrate/config.h"

#include "storage/typed.h"

namespace holdfast::service::substrate {
namespace {

const ObjectKey& config_key() {
  static const ObjectKey key{.kind = config_noun().kind, .id = "config"};
  return key;
}

const Codec<Config>& config_codec() {
  static const Codec<Config> codec = Codec<Config>()
                                         .field("graph_backend", &Config::graph_backend)
                                         .field("semantic_backend", &Config::semantic_backend)
                                         .field("semantic_model", &Config::semantic_model)
                                         .field("wiki_path", &Config::wiki_path)
                                         .field("wiki_format", &Config::wiki_format);
  return codec;
}

}  // namespace

const Noun<Config>& config_noun() {
  static const Noun<Config> noun{.kind = "substrate_config",
                                 .codec = config_codec(),
                                 .project = [](const Config&) { return Projection(); }};
  return noun;
}

Result<Config> read_config(storage::ReadTxn& txn, const access::SpaceAccess& access) {
  const auto object = txn.get(access, config_key());
  if (!object && object.error().code == ErrorCode::kNotFound) return Config();
  if (!object) return object.error();
  return storage::value_of(config_noun(), *object);
}

Result<Config> ConfigReader::read(storage::ReadTxn& txn, const access::SpaceAccess& access) {
  HOLDFAST_TRY(const JournalPosition position, txn.position());
  {
    const MutexLock lock(mutex_);
    if (position_ == position && space_ == access.space()) return Config();
  }
  HOLDFAST_TRY(Config config, read_config(txn, access));
  // From others it may be hidden.
  if (config == Config() && access.viewer().sees_everything()) {
    const MutexLock lock(mutex_);
    space_ = access.space();
    position_ = position;
  }
  return config;
}

Status write_config(storage::WriteTxn& txn, const access::SpaceAccess& access,
                    const Config& config) {
  HOLDFAST_TRY(const Object stored,
               txn.put(access, storage::put_of(config_noun(), config_key().id, config, Label())));
  static_cast<void>(stored);
  return {};
}

}  // namespace holdfast::service::substrate
