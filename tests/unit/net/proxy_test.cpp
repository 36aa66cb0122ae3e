#include "net/proxy.hpp"

#include <catch2/catch.hpp>

using namespace di;

namespace {

constexpr auto k_proxy = "http://proxy.example:3128";

std::string route(const std::string& server, const model::ProxySettings& settings) {
    const auto url = net::parse_url(server);
    REQUIRE(url);
    const auto proxy = net::choose_proxy(*url, settings);
    REQUIRE(proxy);
    return *proxy;
}

} // namespace

// The list and the hosts are those of golang.org/x/net/http/httpproxy's own test.
TEST_CASE("R3 and I11: NO_PROXY means what it means to Go programs") {
    struct Case {
        std::string host;
        bool direct;
    };

    const auto wanted = GENERATE(values<Case>({
        {"localhost", true},
        {"LOCALHOST", true},
        {"127.0.0.1", true},
        {"127.0.0.2", true},
        {"127.255.255.254", true},
        {"[::1]", true},
        {"[::2]", false},
        {"192.168.1.1", true},
        {"192.168.1.2", false},
        {"192.168.1.3", true},
        {"192.168.1.4", false},
        {"10.0.0.2", true},
        {"10.0.0.4", false},
        {"[2001:db8::52:0:1]", true},
        {"[2001:db8::52:0:2]", false},
        {"[2001:db8::52:0:3]", true},
        {"[2002:db8:a::123]", true},
        {"[2002:db8:b::123]", false},
        {"www.barbaz.net", true},
        {"barbaz.net", false},
        {"foobar.com", true},
        {"FooBar.com", true},
        {"www.foobar.com", true},
        {"foofoobar.com", false},
        {"baz.com", false},
        {"localhost.net", false},
        {"local.localhost", false},
        {"nested.wildcard.io", true},
        {"wildcard.io", false},
        {"awildcard.io", false},
    }));
    CAPTURE(wanted.host);
    model::ProxySettings settings;
    settings.http_proxy = k_proxy;
    settings.no_proxy = "foobar.com, .barbaz.net, *.wildcard.io, 192.168.1.1, 192.168.1.2:81, "
                        "192.168.1.3:80, 10.0.0.0/30, 2001:db8::52:0:1, [2001:db8::52:0:2]:443, "
                        "[2001:db8::52:0:3]:80, 2002:db8:a::45/64";
    CHECK(route("http://" + wanted.host, settings) == (wanted.direct ? "" : k_proxy));
}

TEST_CASE("R4 odd entries of NO_PROXY exempt nothing by accident") {
    struct Case {
        std::string list;
        bool direct;
    };

    const auto wanted = GENERATE(values<Case>({
        {"*", true},
        {"", false},
        {",, ,", false},
        {":1", false},
        {"[", false},
        {"[::1", false},
        {"/8", false},
        {"10.0.0.0/33", false},
        {"10.0.0.0/", false},
        {"10.0.0.0/-1", false},
        {"::/0", true}, // all addresses, IPv4 in mapped form too
        {"10.0.0.0/0", true},
        {"10.1.2.3:6443", true},
        {"10.1.2.3:443", false},
        {".", false},
        {"*.", false},
    }));
    CAPTURE(wanted.list);
    model::ProxySettings settings;
    settings.https_proxy = k_proxy;
    settings.no_proxy = wanted.list;
    CHECK(route("https://10.1.2.3:6443", settings) == (wanted.direct ? "" : k_proxy));
}

TEST_CASE("R4 the scheme of the server says which variable counts") {
    model::ProxySettings settings;
    settings.http_proxy = k_proxy;
    CHECK(route("https://api.example", settings).empty());
    CHECK(route("http://api.example", settings) == k_proxy);
    settings.https_proxy = "secure.proxy.tld";
    CHECK(route("https://api.example", settings) == "http://secure.proxy.tld");
}

TEST_CASE("the cluster's proxy-url beats the environment and all its exceptions") {
    model::ProxySettings settings;
    settings.proxy_url = "socks5://127.0.0.1:1080";
    settings.https_proxy = k_proxy;
    settings.no_proxy = "*";
    // socks5h: the name is looked up by the proxy, as Go does it
    CHECK(route("https://localhost:6443", settings) == "socks5h://127.0.0.1:1080");
    settings.proxy_url = "https://proxy.example";
    CHECK(route("https://localhost:6443", settings) == "https://proxy.example");
}

TEST_CASE("a proxy of another kind is an error that does not show its password") {
    const auto text = GENERATE(as<std::string>(),
                               "ftp://u:secret@proxy",
                               "socks6://u:secret@proxy",
                               "u:secret@proxy",
                               "http://");
    CAPTURE(text);
    model::ProxySettings settings;
    settings.proxy_url = text;
    const auto proxy = net::choose_proxy({"https", "api.example", 443, "", ""}, settings);
    REQUIRE_FALSE(proxy);
    CHECK(proxy.error().kind == ErrorKind::config);
    CHECK_THAT(to_text(proxy.error()), !Catch::Contains("secret"));
    CHECK(proxy.error().object == "the cluster's proxy-url");
    settings = {};
    settings.https_proxy = "ftp://u:secret@proxy";
    const auto by_variable = net::choose_proxy({"https", "api.example", 443, "", ""}, settings);
    REQUIRE_FALSE(by_variable);
    CHECK(by_variable.error().object == "HTTPS_PROXY");
    CHECK(by_variable.error().hint == "env | grep -i _proxy");
}
