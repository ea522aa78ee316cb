# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # A hunt
#
# Which weak outcomes does a device show, and how often? This notebook runs six small tests on a device, reads the database, and
# plots the rate of each weak outcome with its interval. It needs orchil, pandas and matplotlib, and takes half a minute.
#
# `ORCHIL_NOTEBOOK_DEVICE` names another device, such as `cuda`.

# %%
import os
import subprocess

import matplotlib.pyplot as plt
import orchil

device = os.environ.get("ORCHIL_NOTEBOOK_DEVICE", "opencl")
tests = ["opencl:SB+relaxed", "opencl:R+relaxed", "opencl:MP+relaxed", "opencl:LB+relaxed", "opencl:CoWR-reversed+relaxed",
         "opencl:CoRR-reversed+relaxed"]
_ = subprocess.run([orchil.find_program(), "run", "--device", device, "--time", "0.5", "--seed", "1", "--no-controls", "--db",
                    "hunt.db", *tests], capture_output=True, check=True)

# %% [markdown]
# ## What was run
#
# A row of `jobs` is one test on one device. The witness is the outcome that the test asks about.

# %%
with orchil.open_database("hunt.db") as database:
    jobs = database.frame("jobs", run=1)
    outcomes = database.frame("outcomes", run=1)
jobs[["test", "device", "profile", "state", "instances", "witnesses"]]

# %% [markdown]
# ## How often
#
# `orchil.rates` asks orchil for the rate of each outcome that was seen, with its 95 % interval. The tests that are not in this
# table did not show their witness.

# %%
rates = orchil.frame(orchil.rates("hunt.db"))
seen = rates[rates.witness].sort_values("rate")
seen[["test", "count", "counted", "rate", "low", "high"]]

# %%
figure, axes = plt.subplots(figsize=(7, 3))
axes.errorbar(seen.rate, seen.test, xerr=[seen.rate - seen.low, seen.high - seen.rate], fmt="o", color="#1f5fa8", capsize=3)
axes.set_xscale("log")
axes.set_xlabel("witnesses per instance, with 95 % intervals")
axes.set_title(jobs.device[0])
axes.grid(axis="x", alpha=0.3)
figure.tight_layout()

# %% [markdown]
# ## All outcomes of one test
#
# The histogram of store buffering: the models call each outcome sequentially consistent (`sc`) or weak.

# %%
one = outcomes[outcomes.test == "SB+relaxed"].sort_values("count")
colours = {"sc": "#9db8d6", "weak": "#d9822b", "forbidden": "#b3262e"}
figure, axes = plt.subplots(figsize=(7, 2.4))
axes.barh(one.outcome, one["count"], color=[colours.get(verdict, "#bbbbbb") for verdict in one.source_verdict])
axes.set_xscale("log")
axes.set_xlabel("instances of SB+relaxed; weak outcomes in orange")
figure.tight_layout()
