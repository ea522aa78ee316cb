// SPDX-License-Identifier: Apache-2.0
/* The devices of a gate: which cases each has, what it lacks, and the verdict on each. */
#include "analysis/words/words.h"
#include "gate/decide/gate_parts.h"

/* The drivers of a device on a side, separated by commas; NULL if the side has none of it. */
static const char *list_drivers(struct gate *gate, const struct sample *of, int side)
{
    const struct side *where = gate->comparison->side[side];
    const char *first = NULL, *list = NULL;
    FOR_EACH(const struct sample, sample, where->samples, where->sample_count) {
        if (sample_compare_devices(sample, of, gate->comparison->dimensions) != 0 ||
            (first && strcmp(first, sample->row.driver) == 0))
            continue;
        if (!list)
            list = first = sample->row.driver;
        else if (!strstr(list, sample->row.driver))
            list = arena_print(&gate->arena, "%s, %s", list, sample->row.driver);
    }
    return list;
}

/* The place of a device in the list, added if it is new. Cases are in the order of tests, and of devices in each: the
 * next device is after the last one. */
static size_t find_device(struct gate *gate, const struct sample *sample, size_t last)
{
    for (size_t step = 1; step <= gate->device_count; step++) {
        const size_t at = (last + step) % gate->device_count;
        if (sample_compare_devices(gate->devices[at].sample, sample, gate->comparison->dimensions) == 0)
            return at;
    }
    ARENA_ADD(&gate->arena, gate->devices, gate->device_count) = (struct gate_device){.sample = sample};
    return gate->device_count - 1;
}

void gate_find_devices(struct gate_deciding *deciding)
{
    struct gate *gate = deciding->gate;
    for (size_t i = 0, last = 0; i < gate->case_count; i++)
        last = gate->cases[i].device = find_device(gate, gate->cases[i].sample, last);
    for (size_t i = 0; i < gate->device_count; i++)
        for (int side = 0; side < SIDES; side++)
            gate->devices[i].driver[side] = list_drivers(gate, gate->devices[i].sample, side);
    FOR_EACH(struct gate_case, of, gate->cases, gate->case_count) {
        struct gate_device *device = &gate->devices[of->device];
        device->tests++;
        device->compared += of->compared && gate_is_counted(of->side[SIDE_A]) && gate_is_counted(of->side[SIDE_B]);
        if (!device->driver[SIDE_A])
            gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_NO_BASELINE});
    }
}

static bool is_lacking(const struct gate_device *device, const struct gate_reason *reason)
{
    return reason->kind == GATE_NO_BASELINE || (reason->kind == GATE_MISSING && !device->driver[SIDE_B]);
}

void gate_take_lacking(struct gate *gate)
{
    FOR_EACH(struct gate_case, of, gate->cases, gate->case_count) {
        struct gate_device *device = &gate->devices[of->device];
        size_t kept = 0;
        for (size_t r = 0; r < of->reason_count; r++) {
            if (!of->skipped && !of->reasons[r].expected && is_lacking(device, &of->reasons[r]))
                device->lacking++;
            else
                of->reasons[kept++] = of->reasons[r];
        }
        of->reason_count = kept;
    }
}

/* Adds the command that makes a baseline, and where the baseline of that device belongs. With few tests it names
 * them. */
static void add_making(const struct gate *gate, const struct gate_device *device, struct text *text)
{
    enum { MOST = 8 };
    const char *folder = gate->options->commands.folder, *database = device->sample->database;
    const char *slash = database ? strrchr(database, '/') : NULL;
    LOCAL(text) out = {0};
    if (!gate->options->commands.baseline)
        return;
    if (folder && database)
        text_add(&out, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", slash ? slash + 1 : database);
    else
        text_add(&out, "more.db");
    text_add(text, "make one: ");
    gate_add_baseline(gate, device->sample, text_string(&out), text);
    for (size_t i = 0; device->tests <= MOST && i < gate->case_count; i++)
        if (&gate->devices[gate->cases[i].device] == device && !*gate->cases[i].sample->row.controls)
            gate_add_test(gate->cases[i].sample, text);
}

/* The doubt about a device in place of one about each of its tests; GATE_KIND_COUNT for none. What others have proves
 * nothing about one of several: what a gate needs some of, each needs some of. Of one device, the gate's needs say
 * it. */
static enum gate_kind find_doubt(const struct gate *gate, const struct gate_device *device)
{
    static const enum gate_need needs[] = {GATE_NEED_COMPARED, GATE_NEED_CONTROLS, GATE_NEED_MUTANTS};
    static const enum gate_kind kinds[] = {GATE_NOTHING, GATE_NO_CONTROL, GATE_ALL_BLIND};
    if (device->lacking > 0)
        return device->driver[SIDE_A] ? GATE_NOT_JUDGED : GATE_NO_BASELINE;
    for (size_t i = 0; gate->device_count > 1 && i < COUNT(needs); i++)
        if (device->needs[needs[i]].of > 0 && device->needs[needs[i]].have == 0)
            return kinds[i];
    return GATE_KIND_COUNT;
}

static void add_doubt(struct gate *gate, const struct gate_device *device)
{
    const enum gate_kind kind = device->doubt;
    static const char *const what[GATE_KIND_COUNT] = {[GATE_NO_BASELINE] = "ran, but the baseline has none of them",
                                                      [GATE_NOT_JUDGED] = "are in the baseline, but none was run",
                                                      [GATE_NOTHING] = "are on both sides, but none was compared",
                                                      [GATE_NO_CONTROL] = "ran, but none of their controls was counted",
                                                      [GATE_ALL_BLIND] = "ran, but none of the mutants was seen"};
    struct text line = {0}, command = {0};
    words_add(&line, "$ ", device->sample->row.backend);
    words_add_device(&line, device->sample);
    text_add(&line, "  %s %s", WORDS_COUNTED(device->tests, "test", "tests"), what[kind]);
    if (kind == GATE_NO_BASELINE)
        add_making(gate, device, &command);
    gate_add_broken(gate, kind, device, &line, &command);
}

/* What the devices lack comes after what was seen of them. */
POINTERS_BY(gate_devices_compare, struct gate_device,
            gate_verdicts[a->verdict].rank - gate_verdicts[b->verdict].rank
                ?: (a->lacking > 0) - (b->lacking > 0) ?: strcmp(a->sample->row.backend, b->sample->row.backend)
                ?: strverscmp(a->sample->row.device, b->sample->row.device)
                ?: sample_compare_devices(a->sample, b->sample, 0))

void gate_judge_devices(struct gate *gate)
{
    struct gate_device **order = arena_take(&gate->arena, gate->device_count, sizeof *order);
    for (size_t i = 0; i < gate->device_count; i++) {
        struct gate_device *device = &gate->devices[i];
        order[i] = device;
        device->doubt = find_doubt(gate, device);
        if (device->doubt != GATE_KIND_COUNT) {
            device->counts.of_class[GATE_DOUBT]++;
            device->counts.of_kind[device->doubt]++;
        }
        device->verdict = gate_judge(device->counts.of_class);
        device->exit_code = gate_exit_code(gate, &device->counts);
    }
    if (gate->device_count > 0)
        qsort(order, gate->device_count, sizeof(struct gate_device *), gate_devices_compare);
    gate->by_verdict = (const struct gate_device *const *)order;
    for (size_t i = 0; i < gate->device_count; i++)
        if (order[i]->doubt != GATE_KIND_COUNT)
            add_doubt(gate, order[i]);
}
