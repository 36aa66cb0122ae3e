none
1
cat > deploy.yaml <<'YAML'
apiVersion: nvidia.com/v1beta1
kind: DynamoGraphDeployment
metadata: {name: llama}
spec:
  env: [{name: UCX_NET_DEVICES, value: "mlx5_0:1"}]
  components:
  - name: Frontend
    type: frontend
    podTemplate: {spec: {containers: [{name: main, command: [python3, -m, dynamo.frontend]}]}}
  - name: Prefill
    type: prefill
    podTemplate:
      spec:
        containers:
        - name: main
          command: [python3, -m, dynamo.vllm, --kv-transfer-config, '{"kv_connector":"NixlConnector"}']
          env:
          - {name: HF_TOKEN, value: not-shown}
          - {name: UCX_IB_GPU_DIRECT_RDMA, value: n}
  - name: Decode
    type: decode
    podTemplate:
      spec:
        containers:
        - name: main
          command: [sh, -c]
          args:
          - UCX_TLS=tcp exec python3 -m dynamo.vllm --kv-transfer-config '{"kv_connector":"NixlConnector"}'
          env:
          - {name: UCX_IB_PKEY, valueFrom: {secretKeyRef: {name: fabric, key: pkey}}}
YAML
printf 'a:\n\tb: c\n' > broken.yaml
"$BIN" env deploy.yaml -o json
