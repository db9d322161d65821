// What the contract says about requests that are wrong: in which order that is found out, what is
// told, and what is told nowhere.
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "contract/observations/observation_client.h"

namespace holdfast::testing {
namespace {

std::string details(const HttpAnswer& answer) {
  std::string out;
  const Value list = at(answer, "error.details");
  for (size_t i = 0; list.is_array() && i < list.if_array()->size(); ++i) {
    const std::string entry = "error.details." + std::to_string(i);
    out += (i > 0 ? " " : "") + text_at(answer, entry + ".field") + "=" +
           text_at(answer, entry + ".code");
  }
  return out;
}

class ObservationsRulesTest : public ::testing::Test {
 protected:
  HttpAnswer batch(const std::string& items, const char* more = "") {
    return api_.send(
        "ann", "POST", "/observations/batch",
        R"({"commit_id":")" + api_.fresh() + R"(","observations":[)" + items + "]" + more + "}");
  }
  static std::string item(const Value& changes = {}) {
    return to_json(ObservationServer::body(changes));
  }

  // A finished file of one byte.
  std::string uploaded(const std::string& who) {
    const auto begun = api_.send(who, "POST", "/api/v2/attachments",
                                 R"({"filename":"a.txt","content_type":"text/plain",)"
                                 R"("size_bytes":1,"workspace_id":"workspace_open"})");
    const std::string url = text_at(begun, "data.upload_url");
    const auto put = HttpClient(api_.server().port())
                         .request("PUT", url.substr(url.find("/uploads")), "x",
                                  {{"Content-Type", "text/plain"}});
    EXPECT_EQ(put.status, 204) << put.body;
    return text_at(begun, "data.id");
  }

  ObservationServer api_;
};

TEST_F(ObservationsRulesTest, QueriesFoldLettersOneByOne) {
  api_.made("ann", Value::object({{"title", "İzmir in 12 µs"}}));

  const auto found = [&](const char* query) {
    return size_at(api_.get("ann", std::string("/observations?q=") + query), "data");
  };
  EXPECT_EQ(found("12+%CE%BCs"), 1U) << "the Greek letter for the sign";
  EXPECT_EQ(found("%C4%B0ZM%C4%B0R"), 0U) << "the second i has no dot of its own";
  EXPECT_EQ(found("%C4%B0ZMIR"), 1U);
  EXPECT_EQ(found("izmir"), 0U);
}

}  // namespace
}  // namespace holdfast::testing
