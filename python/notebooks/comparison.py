# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # A comparison
#
# Did a new driver change how often weak outcomes appear? This notebook compares three runs under an old driver with three under
# a new one. The device is simulated, so that the change is known: with driver 2.0, store buffering is 1.6 times as frequent, and
# message passing is as before. It takes a few seconds.

# %%
import json
import os
import subprocess
from pathlib import Path

import matplotlib.pyplot as plt
import orchil


def run(driver, store_buffering, seed):
    script = {"devices": [{"name": "Simulated GPU", "driver": driver, "instances_per_second": 1e6, "resident": 64}],
              "tests": {"SB+relaxed": {"outcomes": {"0:r0=0; 1:r0=0;": store_buffering}, "variation": 0.05},
                        "MP+relaxed": {"outcomes": {"1:r0=1; 1:r1=0;": 0.02}, "variation": 0.05},
                        "SB+sc": {"outcomes": {"0:r0=0; 1:r0=0;": 0}},
                        "MP+rel+acq": {"outcomes": {"1:r0=1; 1:r1=0;": 0}}}}
    Path("script.json").write_text(json.dumps(script), encoding="utf-8")
    subprocess.run([orchil.find_program(), "run", "--device", "simulated", "--instances", "200k", "--seed", str(seed), "--db",
                    f"driver-{driver}.db", "opencl:SB+relaxed", "opencl:MP+relaxed"],
                   env={**os.environ, "ORCHIL_SIMULATED": "script.json"}, capture_output=True, check=True)


for number in range(3):
    run("1.0", 0.05, 10 + number)
    run("2.0", 0.08, 20 + number)

# %% [markdown]
# ## The answer
#
# `orchil.compare` calls `orchil compare`, which decides run by run. Three or more runs of the old driver tell how much its runs
# differ.

# %%
comparison = orchil.compare("driver-1.0.db", "driver-2.0.db")
print(comparison.answer)
for finding in comparison.findings:
    print("-", finding["line"])

# %% [markdown]
# ## Every rate
#
# `ratio` is the rate under the new driver over the rate under the old one.

# %%
rates = comparison.frame()
witnesses = rates[rates.witness & (rates.control_of == "")]
witnesses[["test", "outcome", "result", "rate_a", "rate_b", "ratio", "ratio_low", "ratio_high", "p_adjusted"]]

# %%
shown = rates[(rates.control_of == "") & rates.ratio_low.notna()].copy()
shown["name"] = shown.test + "  " + shown.outcome
shown["colour"] = ["#d9822b" if result == "changed" else "#1f5fa8" for result in shown.result]
figure, axes = plt.subplots(figsize=(7.5, 3.4))
for _, row in shown.iterrows():
    axes.errorbar(row.ratio, row["name"], xerr=[[row.ratio - row.ratio_low], [row.ratio_high - row.ratio]], fmt="o",
                  color=row.colour, capsize=3)
axes.axvline(1, color="#888888", linewidth=1)
axes.set_xlabel("rate with driver 2.0 over rate with driver 1.0; changed ones in orange")
figure.tight_layout()
