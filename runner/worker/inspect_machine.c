// SPDX-License-Identifier: Apache-2.0
/*
 * Inspecting the code of a job's kernel. A disassembler takes half a second, so the result is kept
 * next to the code in the kernel cache, and builders inspect ahead of the worker (job.c), so that
 * no batch waits.
 */
#include "runner/worker/inspect_machine.h"

#include <string.h>

#include "base/hash.h"
#include "inspect/amdgcn/disassemble_amdgcn.h"
#include "inspect/inspect.h"
#include "inspect/sass/disassemble_sass.h"
#include "inspect/x86/read_x86.h"
#include "kernel/kernel_cache.h"

/* Incremented when readers, rules or the comparison give another result for the same code. */
enum { INSPECT_MEANING = 10 };

/* The disassembler and the rules of each backend. */
static const struct {
    const char *backend;
    enum inspect_machine machine;
} backend_machines[] = {
    {"cuda", INSPECT_SASS}, {"hip", INSPECT_AMDGCN}, {"opencl", INSPECT_X86}, {"vulkan", INSPECT_SPIRV}};

static enum inspect_machine machine_of(const struct backend *backend)
{
    for (size_t i = 0; i < sizeof backend_machines / sizeof *backend_machines; i++)
        if (strcmp(backend_machines[i].backend, backend->name) == 0)
            return backend_machines[i].machine;
    return INSPECT_X86;
}

/* How the code became text. */
struct disassembly {
    enum inspect_machine machine;
    struct text text;
    bool needs_twin; /* disassemble_amdgcn.h */
};

static enum status disassemble(const struct inspected_machine *of, const struct text *twin,
                               struct disassembly *disassembly, struct error *error)
{
    struct text *text = &disassembly->text;
    text_clear(text);
    switch (disassembly->machine) {
    case INSPECT_SASS:
        return sass_of_code(of->object->data, of->object->size, text, error);
    case INSPECT_AMDGCN:
        return disassemble_amdgcn(of->object, twin, of->kernel, of->device->architecture, text,
                                  &disassembly->needs_twin, error);
    case INSPECT_SPIRV: /* it is read as it is */
        text_add_bytes(text, of->object->data, of->object->size);
        return STATUS_OK;
    default:
        return disassemble_x86(of->object, text, error);
    }
}

static void inspect_text(const struct inspected_machine *of, const struct disassembly *disassembly,
                         struct inspection *inspection)
{
    const enum inspect_machine machine = disassembly->machine;
    inspect_and_judge(
        &(struct inspect_code){.machine = machine,
                               .text = text_string(&disassembly->text),
                               .size = disassembly->text.size,
                               .ptx = machine == INSPECT_SASS ? of->ptx : NULL,
                               .architecture = of->device->architecture,
                               /* HIPRTC names the kernel's own text */
                               .first_line = machine == INSPECT_AMDGCN ? 1 : kernel_unit_line(of->backend, 1)},
        of->test, of->kernel, of->device, inspection);
}

/* Inspects again, with the lines of a twin. */
static void inspect_with_twin(const struct inspected_machine *of, struct disassembly *disassembly,
                              struct inspection *inspection)
{
    const struct backend_source source = {.name = of->test->name,
                                          .kernel = of->kernel->source,
                                          .functions_line = of->kernel->functions_line,
                                          .apart_line = of->kernel->helpers_line};
    struct backend_code twin = {0};
    struct error error;
    enum status status = of->backend->compile_for(of->device->architecture, &source, &twin, &error);
    if (status == STATUS_OK)
        status = disassemble(of, &twin.bytes, disassembly, &error);
    backend_code_release(&twin);
    inspection_release(inspection);
    if (status == STATUS_OK)
        inspect_text(of, disassembly, inspection);
    else
        inspect_skip(inspection, error.text);
}

static void inspect_object(const struct inspected_machine *of, struct inspection *inspection)
{
    struct disassembly disassembly = {.machine = machine_of(of->backend)};
    struct error error;
    if (of->object->size == 0)
        inspect_skip(inspection, "the driver does not return the kernel's machine code");
    else if (disassemble(of, NULL, &disassembly, &error) != STATUS_OK)
        inspect_skip(inspection, error.text);
    else
        inspect_text(of, &disassembly, inspection);
    if (disassembly.needs_twin && inspection->kept != TEST_KEPT)
        inspect_with_twin(of, &disassembly, inspection);
    text_release(&disassembly.text);
}

/* ---- kept results ---- */

/* Adds everything that the inspection's result depends on. */
static void add_key(const struct inspected_machine *of, struct text *key)
{
    char hex[HASH_HEX_SIZE];
    text_add(key, "inspection %d\n%s\n", INSPECT_MEANING, of->device->architecture);
    hash_hex(of->object->data, of->object->size, hex);
    text_add(key, "%s\n", hex);
    hash_hex(of->ptx, strlen(of->ptx), hex);
    text_add(key, "%s\n", hex);
    hash_hex(of->kernel->source, strlen(of->kernel->source), hex);
    text_add(key, "%s\n%s", hex, of->test->text ? of->test->text : "");
    litmus_print(of->test, key);
}

/* Reads a cached result: "kept", or another word and its reason. */
static bool read_kept(const struct inspected_machine *of, const char *cache, const char *key, enum kept *kept,
                      struct text *reason)
{
    struct backend_code entry = {0};
    const struct backend_source source = {.name = of->test->name, .kernel = key};
    bool found = kernel_cache_read(cache, of->device, &source, &entry);
    const char *words = text_string(&entry.bytes);
    const size_t length = strcspn(words, "\n");
    char word[16] = "";
    if (found && length < sizeof word)
        memcpy(word, words, length);
    found = found && kept_from_word(word, kept);
    if (found)
        text_add(reason, "%s", words[length] ? words + length + 1 : "");
    backend_code_release(&entry);
    return found;
}

static void write_kept(const struct inspected_machine *of, const char *cache, const char *key,
                       const struct inspection *inspection)
{
    struct backend_code entry = {0};
    const struct backend_source source = {.name = of->test->name, .kernel = key};
    text_add(&entry.bytes, "%s\n%s", kept_word(inspection->kept), inspection->reason);
    (void)kernel_cache_write(cache, of->device, &source, &entry); /* on failure it is inspected again */
    backend_code_release(&entry);
}

/* Takes the result and the reason, and releases the inspection. */
static enum kept take_result(struct inspection *inspection, struct text *reason)
{
    const enum kept kept = inspection->kept;
    text_add(reason, "%s", inspection->reason);
    inspection_release(inspection);
    return kept;
}

enum kept inspect_machine_code(const struct inspected_machine *machine, const char *cache, struct text *reason)
{
    struct inspection inspection;
    struct text key = {0};
    enum kept kept;
    if (cache && machine->object->size > 0) {
        add_key(machine, &key);
        if (read_kept(machine, cache, text_string(&key), &kept, reason)) {
            text_release(&key);
            return kept;
        }
    }
    inspect_object(machine, &inspection);
    if (key.size > 0 && inspection.kept != TEST_NOT_INSPECTED)
        write_kept(machine, cache, text_string(&key), &inspection);
    text_release(&key);
    return take_result(&inspection, reason);
}

enum kept inspect_machine_ptx(const struct backend *backend, const struct backend_device *device, const char *ptx,
                              const struct litmus_test *test, const struct kernel *kernel, struct text *reason)
{
    struct inspection inspection;
    const struct inspect_code code = {
        .machine = INSPECT_PTX, .text = ptx, .architecture = "", .first_line = kernel_unit_line(backend, 1)};
    inspect_and_judge(&code, test, kernel, device, &inspection);
    return take_result(&inspection, reason);
}
