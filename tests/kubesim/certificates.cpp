#include "kubesim/certificates.hpp"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>
#include <chrono>
#include <cstring>

namespace di::kubesim {
namespace {

template<auto Free> struct Deleter {
    template<class T> void operator()(T* object) const { Free(object); }
};

using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using Bio = std::unique_ptr<BIO, Deleter<BIO_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Deleter<X509_EXTENSION_free>>;

constexpr std::chrono::hours k_lifetime{24 * 7};
constexpr std::chrono::hours k_clock_skew{1};

Error openssl_error(const char* what) {
    std::array<char, 256> text{};
    ERR_error_string_n(ERR_get_error(), text.data(), text.size());
    return Error{ErrorKind::internal, what, "", text.data(), ""};
}

bool add_extension(X509* certificate, X509* issuer, int nid, const char* value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value));
    return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

/// An unsigned certificate without extensions; its issuer is still to be set.
Certificate make_certificate(EVP_PKEY* key, const char* common_name) {
    Certificate certificate(X509_new());
    std::array<unsigned char, 8> serial{};
    RAND_bytes(serial.data(), serial.size());
    serial[0] &= 0x7FU; // positive
    BIGNUM* const number = BN_bin2bn(serial.data(), serial.size(), nullptr);
    BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate.get()));
    BN_free(number);
    X509_set_version(certificate.get(), X509_VERSION_3);
    using std::chrono::duration_cast;
    using std::chrono::seconds;
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -seconds(k_clock_skew).count());
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), seconds(k_lifetime).count());
    X509_set_pubkey(certificate.get(), key);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()),
                               "CN",
                               MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(common_name),
                               -1,
                               -1,
                               0);
    return certificate;
}

std::string to_pem(X509* certificate) {
    const Bio bio(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(bio.get(), certificate);
    char* data = nullptr;
    const long length = BIO_get_mem_data(bio.get(), &data);
    return {data, static_cast<std::size_t>(length)};
}

/// Chooses HTTP/1.1 whatever else the client offers: the upgrade to WebSocket needs it.
int choose_http11(SSL*,
                  const unsigned char** chosen,
                  unsigned char* chosen_length,
                  const unsigned char* offered,
                  unsigned offered_length,
                  void*) {
    static constexpr std::string_view k_http11 = "http/1.1";
    for (unsigned i = 0; i < offered_length; i += offered[i] + 1U) {
        if (offered[i] == k_http11.size() && i + offered[i] < offered_length &&
            std::memcmp(offered + i + 1, k_http11.data(), k_http11.size()) == 0) {
            *chosen = offered + i + 1;
            *chosen_length = offered[i];
            return SSL_TLSEXT_ERR_OK;
        }
    }
    return SSL_TLSEXT_ERR_NOACK;
}

void configure(SSL_CTX* context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_alpn_select_cb(context, choose_http11, nullptr);
    constexpr std::string_view k_session_context = "kubesim";
    SSL_CTX_set_session_id_context(context,
                                   reinterpret_cast<const unsigned char*>(k_session_context.data()),
                                   static_cast<unsigned>(k_session_context.size()));
    SSL_CTX_set_mode(context,
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                         SSL_MODE_RELEASE_BUFFERS);
}

} // namespace

Result<ServerIdentity> make_server_identity() {
    const Key ca_key(EVP_EC_gen("P-256"));
    const Key server_key(EVP_EC_gen("P-256"));
    if (!ca_key || !server_key) {
        return openssl_error("cannot make a key");
    }
    const auto ca = make_certificate(ca_key.get(), "kubesim-ca");
    X509_set_issuer_name(ca.get(), X509_get_subject_name(ca.get()));
    const auto server = make_certificate(server_key.get(), "kubesim");
    X509_set_issuer_name(server.get(), X509_get_subject_name(ca.get()));
    const bool made =
        add_extension(ca.get(), ca.get(), NID_basic_constraints, "critical,CA:TRUE") &&
        add_extension(ca.get(), ca.get(), NID_key_usage, "critical,keyCertSign,cRLSign") &&
        add_extension(ca.get(), ca.get(), NID_subject_key_identifier, "hash") &&
        X509_sign(ca.get(), ca_key.get(), EVP_sha256()) > 0 &&
        add_extension(server.get(), ca.get(), NID_basic_constraints, "critical,CA:FALSE") &&
        add_extension(server.get(), ca.get(), NID_key_usage, "critical,digitalSignature") &&
        add_extension(server.get(), ca.get(), NID_ext_key_usage, "serverAuth") &&
        add_extension(server.get(), ca.get(), NID_authority_key_identifier, "keyid") &&
        add_extension(
            server.get(), ca.get(), NID_subject_alt_name, "IP:127.0.0.1,IP:::1,DNS:localhost") &&
        X509_sign(server.get(), ca_key.get(), EVP_sha256()) > 0;
    if (!made) {
        return openssl_error("cannot make the certificates");
    }
    ServerIdentity identity;
    identity.tls.reset(SSL_CTX_new(TLS_server_method()));
    if (!identity.tls || SSL_CTX_use_certificate(identity.tls.get(), server.get()) != 1 ||
        SSL_CTX_use_PrivateKey(identity.tls.get(), server_key.get()) != 1) {
        return openssl_error("cannot set up TLS");
    }
    configure(identity.tls.get());
    identity.ca_pem = to_pem(ca.get());
    return identity;
}

} // namespace di::kubesim
