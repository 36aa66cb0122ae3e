#include "kubesim/encoding.hpp"

#include "base/strings.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>

namespace di::kubesim {
namespace {

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

} // namespace

std::string base64(std::string_view bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                       bytes_of(bytes),
                                       static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

std::optional<std::string> from_base64(std::string_view text) {
    std::string bytes(3 * (text.size() / 4), '\0');
    const int length = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                       bytes_of(text),
                                       static_cast<int>(text.size()));
    if (length < 0 || text.size() % 4 != 0) {
        return std::nullopt;
    }
    // EVP_DecodeBlock counts the padding as zero bytes.
    const auto padding = text.size() - (text.find_last_not_of('=') + 1);
    bytes.resize(static_cast<std::size_t>(length) - std::min<std::size_t>(padding, 2));
    return bytes;
}

std::string url_decode(std::string_view text, UrlPart part) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+' && part == UrlPart::query) {
            result += ' ';
            continue;
        }
        if (text[i] == '%' && i + 2 < text.size()) {
            if (const auto value = parse_unsigned(fmt::format("0x{}", text.substr(i + 1, 2)))) {
                result += static_cast<char>(*value);
                i += 2;
                continue;
            }
        }
        result += text[i];
    }
    return result;
}

Query parse_query(std::string_view text) {
    Query query;
    for (const auto pair : split(text, '&')) {
        if (pair.empty()) {
            continue;
        }
        const auto equals = pair.find('=');
        const auto value =
            equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
        query.emplace_back(url_decode(pair.substr(0, equals), UrlPart::query),
                           url_decode(value, UrlPart::query));
    }
    return query;
}

std::string first_value(const Query& query, std::string_view key) {
    const auto found = std::find_if(
        query.begin(), query.end(), [&](const auto& pair) { return pair.first == key; });
    return found == query.end() ? std::string() : found->second;
}

bool flag_value(const Query& query, std::string_view key) {
    const auto found = std::find_if(
        query.begin(), query.end(), [&](const auto& pair) { return pair.first == key; });
    return found != query.end() && found->second != "0" && to_lower(found->second) != "false";
}

std::string websocket_accept(std::string_view key) {
    const std::string salted = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    SHA1(bytes_of(salted), salted.size(), digest.data());
    return base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::string random_hex(std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) {
        unsigned char byte = 0;
        RAND_bytes(&byte, 1);
        text += fmt::format("{:02x}", byte);
    }
    return text;
}

} // namespace di::kubesim
