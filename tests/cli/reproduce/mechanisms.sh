# SPDX-License-Identifier: Apache-2.0
# Each mechanism of an environment is in the program if the environment has it, and is not if it has not.
export ORCHIL_SIMULATED="$TEST_DIR/device.json"
has() { # FOLDER
    for word in 'stress(' pre_stress 'idle(' 'team_maps\[\]' 'blockIdx.x \*' 'lane \*' 'BLOCKS, (' load_cached 'STRIDE = 3' 'team, BLOCKS' 'rest();'; do
        grep -q -- "$word" "$1/reproduce.cu" && printf '%s: yes\n' "$word" || printf '%s: no\n' "$word"
    done
    sed -n '/meet(counters, /s/^ *//p' "$1/reproduce.cu"
}
none='shuffle_chance = 0
lane_chance = 0
cell_chance = 0
stress_percent = 0
pre_stress_chance = 0
meet_all_chance = 0
jitter_chance = 0
delay_chance = 0
teams = 1
stride = 1'
printf '[environment]\n%s\n' "$none" >none.ini
printf '[environment]\n%s\n' "$none" | sed 's/chance = 0/chance = 100/; s/percent = 0/percent = 20/; s/teams = 1/teams = 3/; s/stride = 1/stride = 3/' >all.ini
printf 'testing_percent = 50\nstress_cached_chance = 100\njitter_steps = 9\ndelay_nanoseconds = 300\n' >>all.ini
for profile in none all; do
    "$ORCHIL" run --device simulated --seed 1 --instances 100k --no-controls --profile $profile.ini --db $profile.db ptx:MP+relaxed >run.log 2>&1
    "$ORCHIL" reproduce $profile.db --job 1 --as-it-is -o $profile >written
    echo "== $profile"
    has $profile
done
