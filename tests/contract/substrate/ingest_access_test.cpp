// Who may ingest what over HTTP with tokens: files below the roots, pages of the public Internet.
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "contract/substrate/memory_tools.h"

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;

class IngestAccessTest : public ::testing::Test {
 protected:
  // The text of the tool's answer.
  std::string ingest(ServerProcess& server, const std::string& mode, const std::string& input) {
    McpHttp http(server.port());
    http.always = {{"Authorization", "Bearer " + server.first_token()}};
    const Value params = modern(R"({"name":"memory_ingest","arguments":{"args":{"mode":")" + mode +
                                R"(","input_data":)" + input + "}}}");
    const HttpAnswer answer = http.send("tools/call", params);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return shown(at(messages_of(answer).back(), "result.content.0.text"));
  }

  TemporaryFolder folder_;
};

TEST_F(IngestAccessTest, ATokenReadsBelowTheRootsOnly) {
  const fs::path root = fs::canonical(folder_.path());
  write_file(root / "shared/in.txt", "fine\n");
  write_file(root / "secret/out.txt", "secret\n");
  fs::create_symlink(root / "secret", root / "shared/link");
  ServerProcess server(folder_ / "data", {"--auth", "tokens", "--ingest-roots", root / "shared"});

  const std::string inside = ingest(server, "file", path_input(root / "shared/in.txt"));
  const std::string outside = ingest(server, "file", path_input(root / "secret/out.txt"));
  const std::string absent = ingest(server, "file", path_input(root / "secret/none.txt"));
  const std::string linked = ingest(server, "file", path_input(root / "shared/link/out.txt"));
  const std::string dotted = ingest(server, "file", path_input(root / "shared/../secret/out.txt"));

  EXPECT_NE(inside.find("source_ingest_result"), std::string::npos) << inside;
  EXPECT_NE(outside.find("ingest.roots"), std::string::npos) << outside;
  EXPECT_EQ(absent, outside);
  EXPECT_EQ(linked, outside);
  EXPECT_EQ(dotted, outside);
}

TEST_F(IngestAccessTest, ATokenFetchesNothingFromInside) {
  ServerProcess server(folder_ / "data", {"--auth", "tokens"});
  const std::string own = "http://127.0.0.1:" + std::to_string(server.port()) + "/health";
  const std::string named = "http://localhost:" + std::to_string(server.port()) + "/health";

  for (const std::string& url :
       {own, named, std::string("http://[::ffff:127.0.0.1]/"), std::string("http://2130706433/"),
        std::string("http://169.254.169.254/latest/meta-data")}) {
    const std::string answer = ingest(server, "web", to_json(Value::object({{"url", url}})));
    EXPECT_NE(answer.find("not at a public address"), std::string::npos) << answer;
  }
}

TEST_F(IngestAccessTest, TheOwnerMayFetchFromThisMachine) {
  ServerProcess server(folder_ / "data");
  const std::string own = "http://127.0.0.1:" + std::to_string(server.port()) + "/openapi.json";

  const std::string answer = ingest(server, "web", to_json(Value::object({{"url", own}})));

  EXPECT_NE(answer.find("source_ingest_result"), std::string::npos) << answer;
}

// A page that says "Hello wombat".
std::string pdf_file() {
  const std::string drawing = "BT /F1 12 Tf 10 50 Td (Hello wombat) Tj ET";
  const std::vector<std::string> objects = {
      "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 99] /Contents 4 0 R "
      "/Resources << /Font << /F1 5 0 R >> >> >>",
      "<< /Length " + std::to_string(drawing.size()) + " >>\nstream\n" + drawing + "\nendstream",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"};
  std::string out = "%PDF-1.4\n";
  std::string table = "0000000000 65535 f \n";
  for (size_t i = 0; i < objects.size(); ++i) {
    std::string offset = std::to_string(out.size());
    table += std::string(10 - offset.size(), '0') + offset + " 00000 n \n";
    out += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const std::string start = std::to_string(out.size());
  return out + "xref\n0 6\n" + table + "trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n" + start +
         "\n%%EOF\n";
}

TEST_F(IngestAccessTest, APdfIsReadOnlyWhereThatIsSwitchedOn) {
  const fs::path root = fs::canonical(folder_.path());
  write_file(root / "a.pdf", pdf_file());
  write_file(root / "broken.pdf", pdf_file().substr(0, 150));
  ServerProcess plain(folder_ / "plain");
  ServerProcess reading(folder_ / "reading", {"--ingest-pdf-text", "on"});

  const Value stub = parsed(ingest(plain, "pdf", path_input(root / "a.pdf")));
  const Value text = parsed(ingest(reading, "pdf", path_input(root / "a.pdf")));
  const Value broken = parsed(ingest(reading, "pdf", path_input(root / "broken.pdf")));

  EXPECT_TRUE(at(stub, "node_id").is_null());
  EXPECT_EQ(shown(at(stub, "segment_count")), "0");
  EXPECT_EQ(shown(at(text, "segment_count")), "1");
  EXPECT_EQ(shown(at(text, "applied_operations")), "3");
  EXPECT_EQ(shown(at(broken, "segment_count")), "0");
}

}  // namespace
}  // namespace holdfast::testing
