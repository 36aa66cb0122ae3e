#include "discover/command_line.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace di;
using namespace di::discover;
using model::Backend;

namespace {

using Words = std::vector<std::string>;

std::vector<ShellCommand> commands_of(Words command, std::vector<model::EnvEntry> env = {}) {
    model::Container container;
    container.command = std::move(command);
    container.env = std::move(env);
    return read_commands(container, read_env(container));
}

std::vector<ShellCommand> script(std::string text, std::vector<model::EnvEntry> env = {}) {
    return commands_of({"/bin/sh", "-c", std::move(text)}, std::move(env));
}

std::string engine_name(const std::vector<ShellCommand>& commands) {
    const ShellCommand* engine = find_engine(commands);
    return engine == nullptr ? "none" : std::string(to_string(*engine_of(*engine)));
}

std::string role_name(const std::vector<ShellCommand>& commands) {
    const auto role = role_of_arguments(commands);
    return role ? std::string(to_string(*role)) : "unsaid";
}

} // namespace

TEST_CASE("scripts are found behind any shell and its options", "[discover][command]") {
    const Words words = GENERATE(values<Words>({
        {"sh", "-c", "run it"},
        {"/bin/bash", "-c", "run it"},
        {"bash", "-lc", "run it"},
        {"bash", "--login", "-c", "run it"},
        {"bash", "-euo", "pipefail", "-c", "run it"},
        {"bash", "-o", "pipefail", "-ec", "run it"},
        {"sh", "-c", "--", "run it"},
        {"sh", "-c", "-e", "run it"},
        {"/usr/bin/tini", "--", "sh", "-c", "run it"},
        {"sh", "-c", "bash -c 'run it'"},
        {"sh", "-c", "exec $0 $1", "run", "it"},
        {"sh", "-c", "exec \"$@\"", "--", "run", "it"},
    }));
    CAPTURE(words);
    const auto commands = commands_of(words);
    REQUIRE(commands.size() == 1);
    Words found = commands[0].words;
    if (found.front() == "exec") {
        found.erase(found.begin());
    }
    CHECK((found == Words{"run", "it"} || found == Words{"$0", "it"}));
}

TEST_CASE("without -c the words are the command", "[discover][command]") {
    CHECK(commands_of({"bash", "run.sh", "-c"})[0].words == Words{"bash", "run.sh", "-c"});
    CHECK(commands_of({"sh", "-c"})[0].words == Words{"sh", "-c"});
    CHECK(commands_of({}).empty());
    CHECK(commands_of({"a", "$(X)", "$$(X)"}, {{"X", "1"}})[0].words == Words{"a", "1", "$(X)"});
}

TEST_CASE("shells inside shells end somewhere", "[discover][command]") {
    std::string text = "python3 -m dynamo.vllm";
    for (int i = 0; i < 3; ++i) {
        text.insert(0, "sh -c \"").append("\"");
    }
    CHECK(commands_of({"sh", "-c", "sh -c 'python3 -m dynamo.vllm'"}).size() == 1);
    CHECK(!commands_of({"sh", "-c", text}).empty());
    Words deep;
    for (int i = 0; i < 1000; ++i) {
        deep.insert(deep.end(), {"sh", "-c"});
    }
    CHECK(!commands_of(deep).empty());
}

TEST_CASE("an engine is known by what is started, not by words around it", "[discover][command]") {
    struct Case {
        std::string_view command;
        std::string_view engine;
    };

    const auto row = GENERATE(values<Case>({
        {"python3 -m dynamo.vllm --model x", "vllm"},
        {"python3 -u -m dynamo.vllm.omni", "vllm"},
        {"exec python -m dynamo.sglang", "sglang"},
        {"numactl -N 0 python3 -m dynamo.trtllm", "trtllm"},
        {"trtllm-llmapi-launch python3 -m dynamo.trtllm", "trtllm"},
        {"mpirun -n 8 -H a,b --mca x '-p 2222' python3 -m dynamo.trtllm", "trtllm"},
        {"python3 -m dynamo.mocker", "mocker"},
        {"vllm serve Qwen/Qwen3-32B", "vllm"},
        {"/opt/venv/bin/vllm serve x", "vllm"},
        {"python3 -m vllm.entrypoints.openai.api_server", "vllm"},
        {"python3 -m sglang.launch_server", "sglang"},
        {"trtllm-serve Qwen/Qwen3 --server_role CONTEXT", "trtllm"},
        {"python3 /workspace/vllm/inference_api.py --port=5001", "vllm"},
        {"python3 components/src/dynamo/sglang/main.py", "sglang"},
        {"env A=1 UCX_TLS=rc python3 -m dynamo.vllm", "vllm"},
        {"python3 -m dynamo.frontend --http-port 8000", "none"},
        {"python3 -m dynamo.router --endpoint dyn://ns.prefill.generate", "none"},
        {"python3 -m dynamo.planner", "none"},
        {"python3 -m planner_sla --backend vllm", "none"},
        {"python3 -m dynamo.vllmx", "none"},
        {"python3 -m sglang_router.launch_router", "none"},
        {"dynamo-openengine-sidecar --expected-engine sglang", "none"},
        {"echo dynamo.vllm", "none"},
        {"vllm bench serve", "none"},
        {"curl http://vllm/serve", "none"},
        {"tool --config /etc/vllm/settings.py", "none"},
        {"cp /workspace/vllm/a.txt .", "none"},
        {"/usr/sbin/sshd -D -p 2222", "none"},
        {"python3 -m", "none"},
    }));
    CAPTURE(row.command);
    CHECK(engine_name(script(std::string(row.command))) == row.engine);
}

TEST_CASE("an image's name is a hint", "[discover][command]") {
    CHECK(backend_of_image("nvcr.io/nvidia/ai-dynamo/vllm-runtime:1.3.1") == Backend::vllm);
    CHECK(backend_of_image("nvcr.io/nvidia/ai-dynamo/sglang-runtime:1.3.1-efa") == Backend::sglang);
    CHECK(backend_of_image("nvcr.io/nvidia/ai-dynamo/tensorrtllm-runtime") == Backend::trtllm);
    CHECK(backend_of_image("lmsysorg/SGLang:v1") == Backend::sglang);
    CHECK(backend_of_image("example.com/base:1") == Backend::unknown);
    CHECK(backend_of_image("") == Backend::unknown);
}

TEST_CASE("weight servers are known by their module", "[discover][command]") {
    CHECK(serves_gpu_memory(script("cleanup() { kill -- -$$; exit 1; }\ntrap cleanup TERM\n"
                                   "for dev in 0 1; do\n python3 -m gpu_memory_service --device "
                                   "\"$dev\" &\ndone\nwait -n\n")));
    CHECK(serves_gpu_memory(commands_of({"python3", "-m", "gpu_memory_service.cli.server"})));
    CHECK(serves_gpu_memory(commands_of({"/usr/bin/gpu-memory-service", "--device", "0"})));
    CHECK(!serves_gpu_memory(script("python3 -m dynamo.vllm --load-format gms")));
}

TEST_CASE("a role is what the engine's own arguments say", "[discover][role]") {
    struct Case {
        std::string_view arguments;
        std::string_view role;
    };

    const auto row = GENERATE(values<Case>({
        {"", "unsaid"},
        {"--disaggregation-mode prefill", "prefill"},
        {"--disaggregation-mode=decode", "decode"},
        {"--disaggregation_mode decode", "decode"},
        {"--disaggregation-mode Prefill", "prefill"},
        {"--disaggregation-mode encode", "encode"},
        {"--disaggregation-mode prefill_and_decode", "worker"},
        {"--disaggregation-mode agg", "worker"},
        {"--disaggregation-mode pd", "worker"},
        {"--disaggregation-mode null", "worker"},
        {"--disaggregation-mode prefill --disaggregation-mode decode", "decode"},
        {"--disaggregation-mode prefill --disaggregation-decode-tp 8", "prefill"},
        {"--disaggregation-prefill-pp 1 --disaggregation-mode decode", "decode"},
        {"--disaggregation-mode", "unsaid"},
        {"--disaggregation-mode --model x", "unsaid"},
        {"--disaggregation-mode prefill --disaggregation-mode '$X'", "unsaid"},
        {"--disaggregation-mode $ROLE", "decode"},
        {"--disaggregation-mode \"${ROLE:-prefill}\"", "decode"},
        {"--disaggregation-mode ${MODE:-prefill}", "prefill"},
        {"--disaggregation-mode $MODE", "unsaid"},
        {"--disaggregation-mode $POD_ROLE", "unsaid"},
        {"$EXTRA", "prefill"},
        {"--is-prefill-worker", "prefill"},
        {"--is-decode-worker", "decode"},
        {"--is-prefill-worker --no-is-prefill-worker", "unsaid"},
        {"--no-is-prefill-worker --is-prefill-worker", "prefill"},
        {"--is-prefill-worker --is-decode-worker", "unsaid"},
        {"--disaggregation-mode decode --is-prefill-worker", "decode"},
        {"--multimodal-encode-worker", "encode"},
        {"--multimodal-decode-worker", "decode"},
        {"--multimodal-worker --is-prefill-worker", "prefill"},
        {R"(--kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_producer"}')",
         "prefill"},
        {R"(--kv-transfer-config='{"kv_role" : "kv_consumer"}')", "decode"},
        {R"(--kv-transfer-config '{"kv_role":"kv_both"}')", "unsaid"},
        {R"(--kv-transfer-config '{"a":[{"kv_role":"kv_producer"},{"kv_role":"kv_consumer"}]}')",
         "unsaid"},
        {R"(--kv_transfer_config.kv_role kv_consumer)", "decode"},
        {R"(--disaggregation-mode prefill --kv-transfer-config '{"kv_role":"kv_both"}')",
         "prefill"},
        {R"(--other '{"kv_role":"kv_producer"}')", "unsaid"},
        {"--server_role CONTEXT", "prefill"},
        {"--server_role=generation", "decode"},
        {"--server_role MM_ENCODER", "encode"},
        {"--served-model-name decode-bench/prefill", "unsaid"},
        {"--config /etc/dynamo/prefill.yaml", "unsaid"},
        {"# --is-prefill-worker", "unsaid"},
        {"2>&1 | tee --is-prefill-worker", "unsaid"},
        {"; echo --is-prefill-worker", "unsaid"},
        {"\"--is-prefill-worker --model x\"", "unsaid"},
    }));
    CAPTURE(row.arguments);
    const auto commands = script("exec python3 -m dynamo.vllm " + std::string(row.arguments),
                                 {{"ROLE", "decode"},
                                  {"EXTRA", "--disaggregation-mode prefill"},
                                  {"POD_ROLE", std::nullopt}});
    CHECK(role_name(commands) == row.role);
}

TEST_CASE("variables are the defaults of flags, each engine's its own", "[discover][role]") {
    using Env = std::vector<model::EnvEntry>;
    const Words vllm = {"python3", "-m", "dynamo.vllm"};
    const Words trtllm = {"python3", "-m", "dynamo.trtllm"};
    CHECK(role_name(commands_of(vllm, Env{{"DYN_VLLM_DISAGGREGATION_MODE", "decode"}})) ==
          "decode");
    CHECK(role_name(commands_of(vllm, Env{{"DYN_VLLM_IS_PREFILL_WORKER", "True"}})) == "prefill");
    CHECK(role_name(commands_of(vllm, Env{{"DYN_VLLM_IS_PREFILL_WORKER", "false"}})) == "unsaid");
    CHECK(role_name(commands_of(vllm, Env{{"DYN_VLLM_IS_DECODE_WORKER", "1"}})) == "decode");
    CHECK(role_name(commands_of(vllm, Env{{"DYN_TRTLLM_DISAGGREGATION_MODE", "decode"}})) ==
          "unsaid");
    CHECK(role_name(commands_of(trtllm, Env{{"DYN_TRTLLM_DISAGGREGATION_MODE", "decode"}})) ==
          "decode");
    CHECK(role_name(commands_of({"/entrypoint"},
                                Env{{"DYN_VLLM_DISAGGREGATION_MODE", "prefill"}})) == "prefill");
    CHECK(role_name(script("python3 -m dynamo.vllm --disaggregation-mode prefill",
                           Env{{"DYN_VLLM_DISAGGREGATION_MODE", "decode"}})) == "prefill");
    CHECK(role_name(script("python3 -m dynamo.vllm --no-is-decode-worker",
                           Env{{"DYN_VLLM_IS_DECODE_WORKER", "1"}})) == "unsaid");
    CHECK(role_name(script("export DYN_VLLM_IS_DECODE_WORKER=1; python3 -m dynamo.vllm")) ==
          "decode");
    CHECK(role_name(script("env DYN_VLLM_IS_DECODE_WORKER=1 python3 -m dynamo.vllm")) == "decode");
}

TEST_CASE("only the engine's command counts, and engines must agree", "[discover][role]") {
    struct Case {
        std::string_view script;
        std::string_view role;
    };

    const auto row = GENERATE(values<Case>({
        {"wait-for --is-decode-worker; python3 -m dynamo.vllm --is-prefill-worker", "prefill"},
        {"wait-for --is-decode-worker; python3 -m dynamo.vllm", "unsaid"},
        {"./start.sh --disaggregation-mode prefill", "prefill"},
        {"echo hi; ./start.sh --disaggregation-mode prefill", "prefill"},
        {"python3 -m dynamo.vllm --is-prefill-worker & python3 -m dynamo.vllm", "unsaid"},
        {"python3 -m dynamo.vllm --is-prefill-worker & python3 -m dynamo.vllm --is-prefill-worker",
         "prefill"},
        {"if [ -f /x ]; then F=--is-prefill-worker; fi; python3 -m dynamo.vllm $F", "unsaid"},
        {"if [ $HOME = /x ]; then python3 -m dynamo.vllm --is-prefill-worker; else python3 -m "
         "dynamo.vllm --is-decode-worker; fi",
         "unsaid"},
    }));
    CAPTURE(row.script);
    CHECK(role_name(script(std::string(row.script))) == row.role);
}
