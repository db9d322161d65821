// Idempotency keys: a mutation and the answer to it are one write, so that repeating the request
// repeats the answer and not the effect, whatever crashed in between. Thread-safe.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "access/gatekeeper.h"
#include "base/result.h"
#include "model/call_context.h"
#include "service/observation/left_out_titles.h"
#include "service/observation/visit.h"
#include "storage/store.h"

namespace holdfast::service::observation {

// What names a request: the client's key, and what the key was used for.
struct Receipt {
  std::string key = {};
  std::string fingerprint = {};  // of method, path, query and payload
  Timestamp at = {};             // as its answer tells
  TitleOf title_of = {};         // if it is a batch: what its answer does not keep
};

// An answer, complete but for the headers that every answer has.
struct StoredAnswer {
  int status = 200;
  std::string body = {};      // byte for byte
  std::string location = {};  // header; empty: none
  bool replayed = false;
  std::string kept_body =
      {};  // what a replay gets instead, where it must not get the same; or empty
  // A part of the body that a commit's record has anyway, but for the titles: it is not kept twice.
  struct CommitPart {
    std::string commit_id = {};  // empty: there is none
    size_t at = 0;
    size_t size = 0;
  };
  CommitPart commit_part = {};
};

class Receipts {
 public:
  Receipts(storage::Store& store, const access::Gatekeeper& gatekeeper)
      : store_(store), gatekeeper_(gatekeeper) {}

  // The answer if this request was answered in the last 24 hours. kConflict if its key was used for
  // another one.
  Result<std::optional<StoredAnswer>> find(const CallContext& call, const Receipt& receipt) const;

  // Runs `act` in one write, unless the request was answered meanwhile, and keeps its answer. An
  // error undoes everything and leaves the key free.
  using Act = std::function<Result<StoredAnswer>(Mutation&)>;
  Result<StoredAnswer> perform(const CallContext& call, const Receipt& receipt, const Act& act);
  // One write without a key, for what may be repeated anyway.
  Result<StoredAnswer> perform(const CallContext& call, const Act& act);

 private:
  Result<StoredAnswer> run(const CallContext& call, const Act& act);

  storage::Store& store_;
  const access::Gatekeeper& gatekeeper_;
};

// Of records in the store: keys of requests, and ids of commits, of one principal each.
storage::IdempotencyKey request_key(const CallContext& call, const std::string& key);
storage::IdempotencyKey commit_key(const CallContext& call, const std::string& commit_id);

// What is kept beside an answer: the request that got it, and when.
struct Origin {
  std::string request_id = {};
  Timestamp at = {};
  std::string location = {};
  // The answer lacks what the record of this commit has, from that byte on.
  std::string commit_id = {};
  int64_t commit_at = 0;
};
std::string origin_text(const Origin& origin);
Origin read_origin(const std::string& text);

}  // namespace holdfast::service::observation
