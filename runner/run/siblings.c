// SPDX-License-Identifier: Apache-2.0
/* Tests of one name in several dialects. */
#include "runner/run/siblings.h"

#include "catalogue/selection.h"
#include "kernel/kernel.h"

/* The words for a scope in names: in PTX and CUDA, and in OPENCL. */
static const struct {
    const char *ptx, *opencl;
} scope_words[] = {{"cta", "wg"}, {"gpu", "dev"}, {"sys", "all"}};

/* Appends a part of a name; a scope in the words of the dialect. */
static void siblings_add_part(enum litmus_dialect dialect, const char *part, size_t size, struct text *text)
{
    for (size_t i = 0; dialect == LITMUS_OPENCL && i < COUNT(scope_words); i++)
        if (strlen(scope_words[i].ptx) == size && strncmp(scope_words[i].ptx, part, size) == 0) {
            text_add(text, "%s", scope_words[i].opencl);
            return;
        }
    text_add_bytes(text, part, size);
}

/* Appends the name that a test has in another dialect. */
static void siblings_add_name(enum litmus_dialect dialect, const char *name, struct text *text)
{
    while (*name) {
        const size_t size = strcspn(name, "+.");
        siblings_add_part(dialect, name, size, text);
        name += size;
        if (*name)
            text_add_bytes(text, name++, 1);
    }
}

static bool can_run(const struct litmus_test *test, const struct backend_device *device)
{
    struct kernel kernels[LITMUS_MAXIMUM_AGENTS];
    struct error error;
    unsigned agents;
    if (kernel_generate_agents(test, device, NULL, false, kernels, &agents, &error) != STATUS_OK)
        return false;
    for (unsigned k = 0; k < agents; k++)
        kernel_release(&kernels[k]);
    return true;
}

/* Appends the dialect and name of a test, as a TEST argument has them. */
static void siblings_add_word(enum litmus_dialect dialect, const char *name, struct text *text)
{
    catalogue_add_dialect(dialect, text);
    text_add(text, ":%s", name);
}

/* Appends the siblings that the device can run, joined by "or". */
static void add_siblings(const struct selection *selection, const struct litmus_test *test,
                         const struct backend_device *device, struct text *text)
{
    for (int dialect = 0; dialect < LITMUS_DIALECT_COUNT; dialect++) {
        struct selected_test found;
        struct error error;
        LOCAL(text) name = {0};
        siblings_add_name((enum litmus_dialect)dialect, test->name, &name);
        if (dialect != (int)test->dialect &&
            selection_find(selection, text_string(&name), (enum litmus_dialect)dialect, &found, &error) == STATUS_OK) {
            if (can_run(found.test, device)) {
                text_add(text, "%s", text->size > 0 ? " or " : "");
                siblings_add_word((enum litmus_dialect)dialect, text_string(&name), text);
            }
            selected_test_release(&found);
        }
    }
}

void siblings_add_hint(const struct litmus_test *test, const struct backend_device *device, struct text *text)
{
    struct selection selection = {.count = 0};
    struct selected_test same;
    LOCAL(text) siblings = {0};
    struct error error;
    if (can_run(test, device))
        return;
    catalogue_open(&selection.catalogue);
    add_siblings(&selection, test, device, &siblings);
    if (siblings.size > 0)
        text_add(text, "This device can run %s instead.\n", text_string(&siblings));
    text_add(text, "'orchil check");
    if (selection_find(&selection, test->name, test->dialect, &same, &error) == STATUS_OK) {
        text_add(text, " ");
        siblings_add_word(test->dialect, test->name, text);
        selected_test_release(&same);
    } else
        text_add(text, " FILE");
    text_add(text, "' says what the model allows, without a device.\n");
    catalogue_release(&selection.catalogue);
}
