#include "ws/handshake.hpp"

#include "base/strings.hpp"

#include <openssl/evp.h>

#include <algorithm>

namespace di::ws {
namespace {

constexpr std::string_view k_accept_salt = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // RFC 6455, 1.3

std::string key_of(const Nonce& nonce) {
    return to_base64({reinterpret_cast<const char*>(nonce.data()), nonce.size()});
}

Error broken(std::string cause) {
    return {ErrorKind::protocol, "cannot open a WebSocket", "", std::move(cause), ""};
}

} // namespace

std::string to_base64(std::string_view bytes) {
    std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0'); // EVP_EncodeBlock adds a NUL
    text.resize(static_cast<std::size_t>(
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()),
                        static_cast<int>(bytes.size()))));
    return text;
}

std::string make_upgrade(const UpgradeRequest& request) {
    std::string text = "GET " + request.target + " HTTP/1.1\r\n";
    text += "Host: " + request.host + "\r\n";
    text += "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    text += "Sec-WebSocket-Key: " + key_of(request.nonce) + "\r\n";
    // Servers look at the first such line only, so that all protocols must be in one.
    text += "Sec-WebSocket-Protocol: " + join(request.protocols, ", ") + "\r\n";
    for (const auto& [name, value] : request.headers) {
        text += name;
        text += ": ";
        text += value;
        text += "\r\n";
    }
    return text + "\r\n";
}

std::string expected_accept(const Nonce& nonce) {
    std::string text = key_of(nonce);
    text += k_accept_salt;
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr) != 1) {
        return {}; // matches no answer: the connection is refused
    }
    return to_base64({reinterpret_cast<const char*>(digest.data()), size});
}

Result<std::string> check_upgrade(const ResponseHead& head, const UpgradeRequest& request) {
    const auto value = [&](std::string_view name) {
        return head.find(name).value_or(std::string_view());
    };
    if (to_lower(value("Upgrade")) != "websocket" ||
        !contains_ignoring_case(value("Connection"), "upgrade")) {
        return broken("the server switched to something other than WebSocket");
    }
    const auto accept = expected_accept(request.nonce);
    if (accept.empty() || value("Sec-WebSocket-Accept") != accept) {
        return broken("the server's Sec-WebSocket-Accept does not answer our key");
    }
    if (!value("Sec-WebSocket-Extensions").empty()) {
        return broken("the server uses an extension that was not offered");
    }
    const std::string chosen(value("Sec-WebSocket-Protocol"));
    const auto& offered = request.protocols;
    if (std::find(offered.begin(), offered.end(), chosen) == offered.end()) {
        return broken(chosen.empty()
                          ? "the server chose no subprotocol"
                          : "the server chose a subprotocol that was not offered: " + chosen);
    }
    return chosen;
}

} // namespace di::ws
