# SPDX-License-Identifier: Apache-2.0
# The CUDA programs are programs: NVIDIA's compiler takes them without a warning, with all mechanisms, clusters, copies, shared memory,
# 64 bits, loops, and as CUDA C++.
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || { echo "no nvcc here" >&2; exit 77; }
export ORCHIL_SIMULATED="$TEST_DIR/device.json"
cat >all.ini <<'TEXT'
[environment]
delay_chance = 100
delay_sites = 2
delay_nanoseconds = 300
testing_percent = 50
stress_percent = 20
teams = 3
shuffle_chance = 100
lane_chance = 100
cell_chance = 100
pre_stress_chance = 100
stress_cached_chance = 100
meet_all_chance = 100
jitter_chance = 100
TEXT
run() {
    "$ORCHIL" run --device simulated --seed 1 --instances 20k --no-controls --profile all.ini --db a.db "$@" >run.log 2>&1 || :
}
sed 's/^stress_cached_chance.*/stress_copy_chance = 100\nstress_copy_bytes = 512\ncluster_chance = 100\ncluster_groups = 4/' all.ini >copies.ini
run ptx:MP+relaxed+cluster ptx:MP+relaxed+local+01 ptx:lock-spin+unfenced ptx:RMW-add+red+64
run --lowering source cuda:lock-spin+unfenced
cp copies.ini all.ini
run ptx:MP+relaxed ptx:MP+relaxed+local+01
for job in 1 2 3 4 5 6 7; do
    "$ORCHIL" reproduce a.db --job $job --as-it-is -o $job >written
    nvcc -arch=sm_90 -std=c++17 -diag-suppress 550 -Werror all-warnings -ptx -o $job/out.ptx $job/reproduce.cu
    sed -n '1s/\. .*//p' $job/reproduce.cu
done
