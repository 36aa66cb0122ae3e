#include "net/scripted_server.hpp"

#include <fmt/format.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <stdexcept>
#include <utility>

namespace di::test {
namespace {

void require(bool good, const char* what) {
    if (!good) {
        throw std::runtime_error(what);
    }
}

template<class Write> std::string to_pem(Write write) {
    const std::unique_ptr<BIO, int (*)(BIO*)> memory(BIO_new(BIO_s_mem()), BIO_free);
    require(write(memory.get()) == 1, "cannot write PEM");
    char* data = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &data);
    return {data, static_cast<std::size_t>(size)};
}

void add_extension(X509* certificate, int which, const char* value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, which, value);
    require(extension != nullptr, "cannot make an extension");
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

int bind_any(int socket) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    require(::bind(socket, generic, size) == 0, "cannot bind");
    require(::getsockname(socket, generic, &size) == 0, "cannot read the port");
    return ntohs(address.sin_port);
}

} // namespace

int Peer::read_some(char* buffer, int size) {
    return tls_ != nullptr
               ? SSL_read(tls_, buffer, size)
               : static_cast<int>(::recv(socket_, buffer, static_cast<std::size_t>(size), 0));
}

std::string Peer::read_until(std::string_view end) {
    std::array<char, 4096> piece{};
    for (;;) {
        if (const auto at = buffered_.find(end); at != std::string::npos) {
            auto text = buffered_.substr(0, at + end.size());
            buffered_.erase(0, text.size());
            return text;
        }
        const int count = read_some(piece.data(), static_cast<int>(piece.size()));
        if (count <= 0) {
            return std::exchange(buffered_, {});
        }
        buffered_.append(piece.data(), static_cast<std::size_t>(count));
    }
}

void Peer::wait_for_close() {
    std::array<char, 4096> piece{};
    while (read_some(piece.data(), static_cast<int>(piece.size())) > 0) {
    }
}

void Peer::write(std::string_view bytes, std::size_t piece) {
    const auto step = piece == 0 ? std::max<std::size_t>(bytes.size(), 1) : piece;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        const auto part = bytes.substr(at, step);
        if (tls_ != nullptr) {
            if (SSL_write(tls_, part.data(), static_cast<int>(part.size())) <= 0) {
                return;
            }
        } else if (::send(socket_, part.data(), part.size(), MSG_NOSIGNAL) < 0) {
            return;
        }
    }
}

void Peer::reset() {
    const linger at_once{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    if (tls_ != nullptr) {
        SSL_set_quiet_shutdown(tls_, 1);
    }
}

ScriptedServer::ScriptedServer(Wire wire, Script script)
    : wire_(wire),
      script_(std::move(script)) {
    std::signal(SIGPIPE, SIG_IGN); // OpenSSL writes to sockets that the client has closed
    make_certificate();
    listen();
    acceptor_ = std::thread([this] { accept_all(); });
}

ScriptedServer::~ScriptedServer() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
        const std::lock_guard lock(mutex_);
        for (const int socket : open_) {
            ::shutdown(socket, SHUT_RDWR);
        }
    }
    for (auto& script : scripts_) {
        script.join();
    }
    ::close(listener_);
}

std::string ScriptedServer::url() const {
    return fmt::format("{}://127.0.0.1:{}", wire_ == Wire::plain ? "http" : "https", port_);
}

void ScriptedServer::make_certificate() {
    const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const std::unique_ptr<X509, void (*)(X509*)> certificate(X509_new(), X509_free);
    constexpr long k_day = 24L * 3600;
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_set_version(certificate.get(), X509_VERSION_3);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -k_day);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), k_day);
    X509_NAME* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(
        name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    X509_set_pubkey(certificate.get(), key.get());
    add_extension(certificate.get(), NID_basic_constraints, "CA:TRUE");
    add_extension(certificate.get(), NID_subject_alt_name, "IP:127.0.0.1,DNS:api.test");
    require(X509_sign(certificate.get(), key.get(), EVP_sha256()) > 0, "cannot sign");
    certificate_pem_ = to_pem([&](BIO* out) { return PEM_write_bio_X509(out, certificate.get()); });
    key_pem_ = to_pem([&](BIO* out) {
        return PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
    tls_.reset(SSL_CTX_new(TLS_server_method()));
    SSL_CTX_use_certificate(tls_.get(), certificate.get());
    SSL_CTX_use_PrivateKey(tls_.get(), key.get());
    constexpr std::string_view k_context = "scripted";
    SSL_CTX_set_session_id_context(tls_.get(),
                                   reinterpret_cast<const unsigned char*>(k_context.data()),
                                   static_cast<unsigned>(k_context.size()));
    if (wire_ == Wire::tls_client_certificate) {
        X509_STORE_add_cert(SSL_CTX_get_cert_store(tls_.get()), certificate.get());
        SSL_CTX_set_verify(tls_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    }
}

void ScriptedServer::listen() {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    port_ = bind_any(listener_);
    require(::listen(listener_, 128) == 0, "cannot listen");
}

void ScriptedServer::accept_all() {
    for (;;) {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) {
            return;
        }
        const timeval patience{10, 0};
        const int at_once = 1;
        ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
        const std::lock_guard lock(mutex_);
        open_.push_back(socket);
        scripts_.emplace_back([this, socket, index = connections_++] { serve(socket, index); });
    }
}

void ScriptedServer::serve(int socket, int index) {
    SSL* tls = nullptr;
    bool open = true;
    if (wire_ != Wire::plain) {
        tls = SSL_new(tls_.get());
        SSL_set_fd(tls, socket);
        open = SSL_accept(tls) == 1;
    }
    if (open) {
        Peer peer(socket, tls, index);
        try {
            script_(peer);
        } catch (const std::exception&) {
            // The client left in the middle: the rest of the script has nobody to talk to.
        }
        if (tls != nullptr) {
            SSL_shutdown(tls);
        }
    }
    SSL_free(tls);
    const std::lock_guard lock(mutex_);
    open_.erase(std::find(open_.begin(), open_.end(), socket));
    ::close(socket);
}

int unused_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int port = bind_any(socket);
    ::close(socket);
    return port;
}

std::string answer(int status, std::string_view body, std::string_view more_headers) {
    return fmt::format("HTTP/1.1 {} Something\r\nContent-Length: {}\r\n{}\r\n{}",
                       status,
                       body.size(),
                       more_headers,
                       body);
}

} // namespace di::test
