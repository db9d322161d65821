#include <cstdio>
#include <memory>

#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "http/server_fixture.h"

namespace holdfast::http {
namespace {

template <typename T>
using Owned = std::unique_ptr<T, void (*)(T*)>;

// A key and a certificate that signs itself, as PEM files.
void write_self_signed(const std::string& certificate_file, const std::string& key_file) {
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const Owned<X509> certificate(X509_new(), X509_free);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  X509_set_pubkey(certificate.get(), key.get());
  X509_NAME* name = X509_get_subject_name(certificate.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(certificate.get(), name);
  X509_sign(certificate.get(), key.get(), EVP_sha256());
  const auto close = [](FILE* file) { std::fclose(file); };
  const std::unique_ptr<FILE, decltype(close)> to_certificate(
      std::fopen(certificate_file.c_str(), "w"), close);
  const std::unique_ptr<FILE, decltype(close)> to_key(std::fopen(key_file.c_str(), "w"), close);
  PEM_write_X509(to_certificate.get(), certificate.get());
  PEM_write_PrivateKey(to_key.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
}

class TlsTest : public ServerTest {
 protected:
  void SetUp() override {
    const std::string stem = testing::TempDir() + "holdfast_tls_" + std::to_string(::getpid());
    certificate_ = stem + ".pem";
    key_ = stem + ".key";
    write_self_signed(certificate_, key_);
  }
  void TearDown() override {
    ::unlink(certificate_.c_str());
    ::unlink(key_.c_str());
  }

  std::string certificate_;
  std::string key_;
};

class TlsClient {
 public:
  explicit TlsClient(uint16_t port) : socket_(port) {
    SSL_set_fd(ssl_.get(), socket_.descriptor());
    connected_ = SSL_connect(ssl_.get()) == 1;
  }
  bool connected() const { return connected_; }
  void send(const std::string& text) {
    SSL_write(ssl_.get(), text.data(), static_cast<int>(text.size()));
  }
  std::string read_until(std::string_view mark) {
    char bytes[4096];
    while (buffer_.find(mark) == std::string::npos) {
      const int count = SSL_read(ssl_.get(), bytes, sizeof bytes);
      if (count <= 0) break;
      buffer_.append(bytes, static_cast<size_t>(count));
    }
    const size_t at = buffer_.find(mark);
    const size_t end = at == std::string::npos ? buffer_.size() : at + mark.size();
    std::string taken = buffer_.substr(0, end);
    buffer_.erase(0, end);
    return taken;
  }

 private:
  TestClient socket_;
  Owned<SSL_CTX> context_{SSL_CTX_new(TLS_client_method()), SSL_CTX_free};
  Owned<SSL> ssl_{SSL_new(context_.get()), SSL_free};
  bool connected_ = false;
  std::string buffer_;
};

TEST_F(TlsTest, ServesOverTls) {
  start({.tls_certificate = certificate_, .tls_key = key_});
  TlsClient client(port_);
  ASSERT_TRUE(client.connected());

  for (int i = 0; i < 3; ++i) {
    client.send("GET /echo/secret HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_NE(client.read_until("\r\n\r\nsecret").find("200 OK"), std::string::npos);
  }
  client.send(
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: "
      "100-continue\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("ok");
  EXPECT_NE(client.read_until("\r\n\r\nok").find("200 OK"), std::string::npos);
  client.send("GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_GT(client.read_until("nothing has this").size(), 3'000'000U);
}

TEST_F(TlsTest, StreamsEventsOverTls) {
  start({.tls_certificate = certificate_, .tls_key = key_});
  TlsClient client(port_);
  client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const auto queue = queue_.get_future().get();

  for (int i = 0; i < 100; ++i) queue->push({.data = "event" + std::to_string(i)});

  EXPECT_NE(client.read_until("data: event99\n\n").find("data: event0\n\n"), std::string::npos);
  queue->finish();
  EXPECT_NE(client.read_until("0\r\n\r\n"), "");
}

TEST_F(TlsTest, PlainClientsGetNowhereAndHarmNobody) {
  start({.tls_certificate = certificate_, .tls_key = key_});
  TestClient plain(port_);
  plain.send("GET /quick HTTP/1.1\r\nHost: localhost\r\n\r\n");

  EXPECT_EQ(plain.read_to_end().find("200 OK"), std::string::npos);
  EXPECT_TRUE(TlsClient(port_).connected());
}

TEST_F(TlsTest, UnusableFilesAreNamed) {
  start();

  const auto missing =
      Server::start(*pipeline_, {.tls_certificate = "/no/such.pem", .tls_key = key_});
  const auto half = Server::start(*pipeline_, {.tls_certificate = certificate_});

  ASSERT_FALSE(missing.has_value());
  EXPECT_NE(missing.error().message.find("/no/such.pem"), std::string::npos);
  ASSERT_FALSE(half.has_value());
}

}  // namespace
}  // namespace holdfast::http
