# SPDX-License-Identifier: Apache-2.0
# A device of OpenCL 1.2 is listed as one that can run tests, with what it promises: no order, no scope.
cat >old.json <<'END'
{"devices": [{"name": "Old GPU", "driver": "1.2", "takes": ["opencl1"], "compiler": "OpenCL C 1.2",
  "atomic_orders": [], "atomic_scopes": [], "fence_orders": [], "fence_scopes": [], "types": []}]}
END
ORCHIL_SIMULATED=old.json "$ORCHIL" devices simulated
ORCHIL_SIMULATED=old.json "$ORCHIL" devices --json simulated | grep -o '"takes": *\[\|"opencl1"'
