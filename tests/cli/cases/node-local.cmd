none
0
# What the rows say depends on the machine; what they are about, and that no cluster is needed, does not.
KUBECONFIG=/nowhere $BIN node --local -o json >report
python3 - <<'PYTHON'
import json
report = json.load(open("report"))
rows = report["checks"]
print(report["kind"], "with a cluster" if "cluster" in report else "without a cluster")
print("probed", report["coverage"]["probed"], "of", report["coverage"]["found"], "pairs", len(report["pairs"]))
print("areas", sorted({row["code"].split("-")[0] for row in rows}))
print("subjects", {row["subject"]["kind"] for row in rows})
print("kubectl in a next step:", any("kubectl" in step["argv"] and "explain" not in step["argv"]
      for step in (row["next"] for row in rows) if step))
PYTHON
