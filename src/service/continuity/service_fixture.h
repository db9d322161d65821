// The services of the family on a real store, without sockets.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "access/gatekeeper.h"
#include "model/json_text.h"
#include "search/index.h"
#include "service/continuity/capsule_fixture.h"
#include "service/continuity/capsule_service.h"
#include "service/continuity/coordination_service.h"
#include "service/continuity/document.h"
#include "service/continuity/graph_service.h"
#include "service/continuity/plan_service.h"
#include "service/continuity/read_service.h"
#include "service/continuity/retrieve_service.h"
#include "service/continuity/schedule_service.h"
#include "service/continuity/task_service.h"
#include "service/continuity/utc_time.h"
#include "storage/typed.h"

namespace holdfast::service::continuity {

// A real store in a file of that folder. Each program of tests says which.
std::unique_ptr<storage::Store> open_test_store(const std::string& folder, const Clock& clock);

class ServiceTest : public testing::Test {
 protected:
  ServiceTest() {
    store_->add_listener(index_);
    store_->add_listener(shelf_);
    shelf_.start();
  }
  ~ServiceTest() override {
    shelf_.stop();
    store_->close();
    std::filesystem::remove_all(folder_);
  }

  // Calls a method of a service with arguments as its shape would have made them; a text is JSON.
  template <typename Service>
  Result<Value> call(Service& service, Result<Value> (Service::*method)(const Request&),
                     const Value& given) {
    const Value args = given.is_string() ? *parse_json(*given.if_string()) : given;
    return (service.*method)({.call = call_, .args = args, .raw = args});
  }
  Result<Value> upsert(const std::string& id, const std::string& at, const std::string& more = {}) {
    return call(capsules_, &CapsuleService::upsert,
                Value::object({{"subject_kind", "thread"},
                               {"subject_id", id},
                               {"capsule", capsule(id, at, more)},
                               {"merge_mode", "replace"}}));
  }

  // What no caller can do: another body under the facets by which an object is found.
  void replace_body(const Noun<Document>& noun, const std::string& id, const std::string& body) {
    ASSERT_TRUE(store_->write(call_, [&](storage::WriteTxn& txn) -> Status {
      HOLDFAST_TRY(const Object object, txn.get(access_, {.kind = noun.kind, .id = id}));
      HOLDFAST_TRY(const Document document, storage::value_of(noun, object));
      auto put = storage::put_of(noun, id, document, Label{});
      put.body = body;
      HOLDFAST_CHECK_OK(txn.put(access_, put));
      return {};
    }));
  }

  static std::string make_folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const auto path = std::filesystem::temp_directory_path() /
                      fmt::format("holdfast-{}-{}", test->name(), getpid());
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
    return path;
  }

  std::string folder_ = make_folder();
  ManualClock clock_{*parse_iso("2026-03-01T00:00:00Z")};
  std::unique_ptr<storage::Store> store_ = open_test_store(folder_, clock_);
  access::Gatekeeper gatekeeper_{*store_, /*spaces_on_demand=*/true};
  search::Index index_{{.background = false}};
  const CallContext call_{.surface = "test",
                          .principal = PrincipalId{"local"},
                          .viewer = {.every_owner = true,
                                     .reach = Visibility::kOwner,
                                     .clearance = Sensitivity::kSensitive},
                          .local_owner = true};
  const Access access_ = gatekeeper_.engine_access(kDefaultSpace);
  Shelf shelf_{*store_, gatekeeper_};
  AccessTrail trail_{*store_, gatekeeper_};
  const ContinuitySettings settings_ = {};
  CapsuleService capsules_{*store_, gatekeeper_, clock_};
  GraphService graph_{index_};
  ScheduleService schedule_{*store_, gatekeeper_, index_, clock_, settings_};
  TaskService tasks_{*store_, gatekeeper_, index_, clock_};
  CoordinationService coordination_{*store_, gatekeeper_, index_, clock_};
  ReadService reads_{*store_, gatekeeper_, shelf_, clock_, trail_, settings_, {}};
  RetrieveService retrieval_{*store_, gatekeeper_, index_,    clock_,
                             trail_,  graph_,      schedule_, Reach::kEverySurface};
  PlanService plans_{*store_, gatekeeper_, shelf_, clock_, trail_, settings_};
};

}  // namespace holdfast::service::continuity
