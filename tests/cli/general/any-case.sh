# SPDX-License-Identifier: Apache-2.0
# Fixed words are read in any case: dialects, backends, models, profiles, words of options.
"$ORCHIL" generate --family mp --dialect OpenCL,C --placements EACH --scopes Dev --names
"$ORCHIL" show --kernel CUDA ptx:MP+relaxed | cmp - - <<KERNEL && echo "one kernel"
$("$ORCHIL" show --kernel cuda ptx:MP+relaxed)
KERNEL
"$ORCHIL" check --model PTX ptx:MP+relaxed | head -n 1
"$ORCHIL" run --device SIMULATED:0 --profile GPU --instances 1k --no-controls --until Witness OPENCL:MP+relaxed >/dev/null 2>&1 || :
"$ORCHIL" export --format JSONL | grep -o '"profile": *"[a-zA-Z]*"'
"$ORCHIL" export --format Litmus7 --dialect opencl | grep -c '^Test'
"$ORCHIL" merge --into smaller.db --leave-out LOGS,draws orchil.db | wc -l
"$ORCHIL" devices Simulated | grep -c 'simulated:0'
"$ORCHIL" export --format litmus7 --dialect metal
