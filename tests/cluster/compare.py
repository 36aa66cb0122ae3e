"""Two reports of the same scenario: the simulator's and the real cluster's.

Compared are the rows (name, code, subject, status, reason), the pairs, the coverage, readiness and
exit code. What differs by nature is in neither: details, facts and evidence carry process ids,
ports and times; `timing` is timing.
"""


def rows(report):
    return sorted((row["name"], row["code"], row["subject"]["kind"], row["subject"]["name"],
                   row["status"], row["reason"] or "", row["advisory"], row["overriddenBy"] or "")
                  for row in report["checks"])


def pairs(report):
    return sorted((pair["graph"], pair["prefill"], pair["decode"], pair["path"], pair["status"],
                   pair["reason"] or "", pair["count"]) for pair in report["pairs"])


def coverage(report):
    seen = report["coverage"]
    return {"found": seen["found"], "probed": seen["probed"], "partial": seen["partial"],
            "notProbed": sorted((pod["pod"], pod["reason"]) for pod in seen["notProbed"])}


def readiness(report):
    return {name: report["readiness"][name] for name in ("state", "tier", "exitCode")}


def differences(simulated, real):
    """One line for each difference; empty when they agree."""
    found = []
    for name, part in (("row", rows), ("pair", pairs)):
        one, other = part(simulated), part(real)
        found += [f"{name} only on the simulator: {line}" for line in one if line not in other]
        found += [f"{name} only on the cluster: {line}" for line in other if line not in one]
    for name, part in (("coverage", coverage), ("readiness", readiness)):
        if part(simulated) != part(real):
            found.append(f"{name}: simulator {part(simulated)}, cluster {part(real)}")
    return found
