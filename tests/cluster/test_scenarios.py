"""The simulator agrees with a real cluster, scenario by scenario and row by row."""
import json

from compare import differences
from suite import ClusterTest

SCENARIOS = ["disagg-ib", "disagg-roce", "disagg-efa", "disagg-gb200", "tcp-fallback", "no-sm",
             "mixed-fabric", "no-tools", "no-shell", "agg-only", "crashloop", "multinode-grove",
             "old-operator", "hostile"]


class SimulatorTest(ClusterTest):
    def compare(self, name):
        scenario = self.deploy(name)
        code, real, stderr = self.plugin().check()
        simulated_code, simulated, _ = self.simulate(scenario)
        self.assertIsNotNone(real, stderr)
        self.assertEqual(differences(simulated, real), [])
        self.assertEqual(code, simulated_code)
        self.assertFalse("planted" in json.dumps(real) + stderr, "a secret came out")


def add(name):
    def test(self):
        self.compare(name)

    setattr(SimulatorTest, f"test_{name.replace('-', '_')}_gives_the_same_rows", test)


for one in SCENARIOS:
    add(one)
