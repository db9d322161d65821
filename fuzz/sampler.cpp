// A main for fuzz targets where libFuzzer is not: gives them some thousand inputs that follow from
// a fixed seed. It finds little that libFuzzer does not find sooner, but it runs with all other
// tests, so that no target is left behind by what it tests.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr int kInputs = 3000;
constexpr size_t kMaxPieces = 12;

// Bits of what the targets read.
constexpr std::string_view kPieces[] = {
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{}}})",
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
    R"({"id":"a","tags":["x",null,true],"n":-1.5e300,"deep":[[[{}]]]})",
    R"("\ud83d\ude00\u0000\\")",
    "POST /v1/x?a=b%20c&d HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc",
    "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    "# Title\n\n- one\n- [two](http://x/y \"z\")\n\n```py\ndef f(a): return 1\n```\n",
    "<p onclick=x>&lt;b&amp;</p><!-- c --><script>1</script>",
    "class A(B):\n    \"\"\"doc\"\"\"\n    async def g(self, *a, **k): pass\n",
    "export function f<T>(a: T): Promise<T> { return import('x'); }\n",
    "password=hunter2 token: ghp_0123456789abcdefghijABCDEFGHIJ012345 4111 1111 1111 1111",
    "\"exact words\" -not title:x after:2024-01-01 OR (a AND b)",
    "---\nkey: value\nlist: [a, b]\n---\n",
    "\xEF\xBB\xBF\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80\xFF\xFE\x80",
    "\r\n",
    "\n",
    "\t ",
    "0",
    "-9223372036854775808",
    "\\",
    "\"",
    "}",
    "]",
};

std::string make_input(std::mt19937_64& random) {
  std::string input(1, static_cast<char>(random()));  // some targets choose by their first byte
  for (size_t left = random() % kMaxPieces; left > 0; --left) {
    const std::string_view piece = kPieces[random() % std::size(kPieces)];
    const size_t from = random() % 4 == 0 ? random() % piece.size() : 0;
    input.append(piece.substr(from, random() % 4 == 0 ? random() % piece.size() : piece.size()));
  }
  for (size_t left = random() % 4; left > 0; --left)
    input[random() % input.size()] = static_cast<char>(random());
  return input;
}

}  // namespace

int main() {
  std::mt19937_64 random(20'261'118);
  LLVMFuzzerTestOneInput(nullptr, 0);
  for (int i = 0; i < kInputs; ++i) {
    const std::string input = make_input(random);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  }
  std::printf("%d inputs\n", kInputs);
}
