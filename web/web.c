// SPDX-License-Identifier: Apache-2.0
/* The page: its plan, with the layout of draws, the environments, and the jobs with their kernels and verdicts; and
 * around the plan the markup, the style and the scripts, which the policy of the page names. */
#include "web/web.h"

#include "base/json.h"
#include "kernel/typical_device.h"
#include "runner/environment/environment.h"
#include "runner/run/plan_run.h"
#include "verdicts/verdicts.h"
#include "version.h"

extern const char web_markup[], web_style[], web_draw[], web_play[], web_script[];

static const char *const web_scripts[] = {web_draw, web_play, web_script};

enum { WEB_FORMAT = 1, WEB_ENVIRONMENTS = 2 };

static const char web_backend[] = "webgpu";

static const char *const environment_names[WEB_ENVIRONMENTS] = {"gpu", "cpu"};

/* Both environments are the profile that the person chose; else those for GPUs and for processors in browsers. */
static enum status choose_environments(const char *profile, const struct backend_device *device,
                                       struct environment environments[WEB_ENVIRONMENTS], struct error *error)
{
    TRY(environment_load(profile ? profile : "webgpu", device, &environments[0], error));
    environments[1] = environments[0];
    return profile ? STATUS_OK : environment_load("webcpu", device, &environments[1], error);
}

/* What the jobs of a plan share. */
struct web_planning {
    const struct selection *selection;
    const struct backend_device *device;
    struct environment environments[WEB_ENVIRONMENTS];
    struct web_page *page;
    json_t *jobs;
};

/* ---- what draws are made of ---- */

static json_t *words_to_json(const char *const *words)
{
    json_t *array = json_array();
    for (; *words; words++)
        (void)json_array_append_new(array, json_string(*words));
    return array;
}

static json_t *parameters_to_json(void)
{
    json_t *array = json_array();
    FOR_EACH(const struct environment_parameter, parameter, environment_parameters, PARAMETER_COUNT)
        (void)json_array_append_new(array, json_pack("{s:s,s:b,s:i,s:I,s:I}", "name", parameter->name, "chance",
                                                     parameter->kind == PARAMETER_KIND_CHANCE, "word",
                                                     (int)parameter->word, "unnamed", (json_int_t)parameter->unnamed,
                                                     "needs", (json_int_t)parameter->needs));
    return array;
}

static json_t *layout_to_json(void)
{
#define LAYOUT_NAME(name, ...) #name,
    static const char *const draw[] = {DRAW_LIST(LAYOUT_NAME) NULL};
    static const char *const counters[] = {COUNTER_LIST(LAYOUT_NAME) NULL};
    json_t *steps = json_object();
#define LAYOUT_STEP(name, bit) (void)json_object_set_new(steps, #name, json_integer(bit));
    STEP_LIST(LAYOUT_STEP)
    return json_pack("{s:o,s:o,s:o,s:i,s:o}", "draw", words_to_json(draw), "counters", words_to_json(counters), "steps",
                     steps, "lane_map_words", (int)LANE_MAP_WORDS, "parameters", parameters_to_json());
}

static json_t *kernel_to_json(const struct kernel *kernel)
{
    json_t *slot_of = json_array(), *sub_group_of = json_array();
    for (unsigned body = 0; body < kernel->bodies; body++) {
        (void)json_array_append_new(slot_of, json_integer(kernel->slot_of[body]));
        (void)json_array_append_new(sub_group_of, json_integer(kernel->sub_group_of[body]));
    }
    json_t *object = json_pack("{s:o,s:o}", "slot_of", slot_of, "sub_group_of", sub_group_of);
#define NUMBER(member) #member, kernel->member
    const struct {
        const char *name;
        json_int_t value;
    } numbers[] = {{NUMBER(slots)},           {NUMBER(width)},         {NUMBER(bodies)},        {NUMBER(sub_groups)},
                   {NUMBER(sub_group_items)}, {NUMBER(locations)},     {NUMBER(cell_words)},    {NUMBER(local_cells)},
                   {NUMBER(result_words)},    {NUMBER(alignment)},     {NUMBER(words)},         {NUMBER(outcomes)},
                   {NUMBER(histogram_words)}, {NUMBER(table_entries)}, {NUMBER(counter_words)}, {NUMBER(delay_sites)},
                   {NUMBER(certain_sites)},   {NUMBER(repeats)},       {NUMBER(delays)}};
    for (size_t i = 0; i < COUNT(numbers); i++)
        (void)json_object_set_new(object, numbers[i].name, json_integer(numbers[i].value));
    /* Of local memory, whatever the size of the group. */
    (void)json_object_set_new(object, "local_words", json_integer((json_int_t)kernel_local_words(kernel, 0, 1)));
    return object;
}

/* ---- what outcomes mean ---- */

static enum verdict deciding_verdict(const struct sighting *sighting)
{
    return sighting->target != VERDICT_NONE ? sighting->target : sighting->source;
}

static const char *word_of_sighting(const struct sighting *sighting)
{
    const enum verdict deciding = deciding_verdict(sighting);
    return ruling_of(sighting).kind == RULING_FORBIDDEN         ? "forbidden"
           : deciding == VERDICT_SC || deciding == VERDICT_WEAK ? "allowed"
                                                                : "unjudged";
}

static json_t *bin_to_json(const struct planned_job *job, const struct verdicts *verdicts, const char *label)
{
    const struct litmus_test *test = job->test->test;
    int64_t values[LITMUS_MAXIMUM_VARIABLES];
    if (!litmus_label_read(test, label, values)) /* the label is one that was just printed */
        return json_null();
    struct sighting sighting = {.witness = litmus_is_witness(test, values),
                                .control = job->controlled != NULL,
                                .claimed = litmus_forbids_witness(test)};
    verdicts_sight(verdicts, label, &sighting);
    const enum verdict deciding = deciding_verdict(&sighting);
    json_t *bin = json_pack("{s:o,s:s,s:b,s:s,s:b}", "label", json_text(label), "verdict", word_of_sighting(&sighting),
                            "witness", sighting.witness, "ruling", ruling_word(ruling_of(&sighting).kind), "filtered",
                            !litmus_passes_filter(test, values));
    if (deciding == VERDICT_SC || deciding == VERDICT_WEAK)
        (void)json_object_set_new(bin, "weak", json_boolean(deciding == VERDICT_WEAK));
    return bin;
}

/* Adds the bins of the histogram in their order, and what an outcome means that has none. */
static void add_bins(const struct planned_job *job, const struct kernel *kernel, const struct verdicts *verdicts,
                     json_t *object)
{
    struct sighting other = {.witness = false};
    struct backend_counter *counters;
    size_t count;
    json_t *bins = json_array();
    kernel_counters(job->test->test, kernel, &counters, &count);
    FOR_EACH(const struct backend_counter, counter, counters, count)
        if (counter->kind == BACKEND_COUNTER_OUTCOME)
            (void)json_array_append_new(bins, bin_to_json(job, verdicts, counter->label));
    kernel_release_counters(counters, count);
    verdicts_sight(verdicts, "", &other);
    (void)json_object_set_new(object, "bins", bins);
    (void)json_object_set_new(object, "other", json_string(word_of_sighting(&other)));
}

/* ---- jobs ---- */

enum status web_kernel_make(const struct litmus_test *test, struct kernel *kernel, struct error *error)
{
    const struct backend_device *device = typical_device(web_backend, test->dialect);
    if (!device)
        return error_set(error, STATUS_UNSUPPORTED, "the dialect %s cannot be expressed in WGSL",
                         litmus_dialect_name(test->dialect));
    if (litmus_is_progress(test))
        return error_set(error, STATUS_UNSUPPORTED,
                         "it asks whether threads make progress, but browsers stop long launches");
    return kernel_generate(test, device, NULL, true, kernel, error);
}

/* The selected test of which this one is a mutant; NULL if there is none. */
static const char *mutated_by(const struct selection *selection, const struct litmus_test *mutant)
{
    char name[LITMUS_NAME_SIZE];
    FOR_EACH(const struct selected_test, selected, selection->tests, selection->count)
        for (const char *rest = NULL; selected->test->dialect == mutant->dialect &&
                                      litmus_next_name(selected->test, litmus_mutants, &rest, name);)
            if (strcmp(name, mutant->name) == 0)
                return selected->test->name;
    return NULL;
}

/* The key that a run gives the job, in each environment. */
static json_t *keys_to_json(const struct web_planning *planning, const struct planned_job *job)
{
    json_t *keys = json_object();
    for (int i = 0; i < WEB_ENVIRONMENTS; i++) {
        char hex[HASH_HEX_SIZE], number[24];
        plan_job_key(job->controlled ? job->controlled : job->test->test, &planning->environments[i], 0, hex);
        (void)snprintf(number, sizeof number, "%" PRIu64, hash_number(hex));
        (void)json_object_set_new(keys, environment_names[i], json_string(number));
    }
    return keys;
}

static json_t *job_to_json(const struct web_planning *planning, const struct planned_job *job,
                           const struct kernel *kernel, const struct text *wgsl)
{
    const struct litmus_test *test = job->test->test;
    const char *mutated = job->controlled ? NULL : mutated_by(planning->selection, test);
    char hash[HASH_HEX_SIZE], kernel_hash[HASH_HEX_SIZE];
    LOCAL(text) printed = {0}, title = {0};
    litmus_print(test, &printed);
    litmus_hash(test, hash);
    hash_hex(text_string(wgsl), wgsl->size, kernel_hash);
    text_add_bytes(&title, test->doc, strcspn(test->doc, "\n"));
    const char *role = job->controlled ? "control" : mutated ? "mutant" : "test";
    json_t *object =
        json_pack("{s:o,s:s,s:o,s:o,s:s,s:o,s:s,s:s,s:o,s:o}", "name", json_text(test->name), "dialect",
                  litmus_dialect_name(test->dialect), "title", json_text(text_string(&title)), "text",
                  json_text(text_string(&printed)), "hash", hash, "keys", keys_to_json(planning, job), "role", role,
                  "kernel_hash", kernel_hash, "wgsl", json_text(text_string(wgsl)), "kernel", kernel_to_json(kernel));
    if (job->controlled || mutated)
        (void)json_object_set_new(object, "of", json_text(job->controlled ? job->controlled->name : mutated));
    return object;
}

/* Adds a job; without a kernel, *added is false and the page lists the reason. */
static enum status add_job(struct web_planning *planning, const struct planned_job *job, bool *added,
                           struct error *error)
{
    const struct judge_options limits = {.unroll = 0};
    struct web_page *page = planning->page;
    LOCAL(kernel) kernel = {0};
    LOCAL(verdicts) verdicts = {.emitted = 0};
    LOCAL(text) wgsl = {0};
    const enum status status = web_kernel_make(job->test->test, &kernel, error);
    *added = status == STATUS_OK;
    if (status == STATUS_UNSUPPORTED)
        ARENA_ADD(&page->arena, page->omissions, page->omission_count) = (struct web_omission){
            arena_print(&page->arena, "%s%s%s%s", job->test->test->name, job->controlled ? ", the control of " : "",
                        job->controlled ? job->controlled->name : "", job->controlled ? "," : ""),
            arena_copy(&page->arena, error->text)};
    if (status != STATUS_OK)
        return status == STATUS_UNSUPPORTED ? STATUS_OK : status;
    TRY(kernel_print_wgsl(&kernel, &wgsl, error));
    TRY(verdicts_make(job->test->test, planning->device, &limits, &verdicts, error));
    json_t *object = job_to_json(planning, job, &kernel, &wgsl);
    add_bins(job, &kernel, &verdicts, object);
    (void)json_array_append_new(planning->jobs, object);
    ++*(job->controlled ? &page->controls : &page->tests);
    return STATUS_OK;
}

/* Adds tests with their controls. Without its test, a control says nothing. */
static enum status add_jobs(struct web_planning *planning, const struct run_plan *plan, struct error *error)
{
    FOR_EACH(const struct planned_unit, unit, plan->units, plan->unit_count) {
        bool added = true, ignored;
        TRY(add_job(planning, &plan->jobs[unit->first], &added, error));
        for (size_t i = unit->first + 1; added && i < unit->end; i++)
            TRY(add_job(planning, &plan->jobs[i], &ignored, error));
    }
    return STATUS_OK;
}

static json_t *environments_to_json(const struct web_planning *planning)
{
    json_t *object = json_object();
    for (int i = 0; i < WEB_ENVIRONMENTS; i++) {
        LOCAL(text) text = {0};
        environment_print(&planning->environments[i], &text);
        (void)json_object_set_new(object, environment_names[i], json_loads(text_string(&text), 0, NULL));
    }
    return object;
}

static enum status make_plan(const struct selection *selection, const struct web_options *options,
                             struct web_page *page, json_t **plan, struct error *error)
{
    struct web_planning planning = {
        .selection = selection, .page = page, .device = typical_device(web_backend, LITMUS_OPENCL)};
    LOCAL(run_plan) jobs = {0};
    char seed[24];
    TRY(choose_environments(options->profile, planning.device, planning.environments, error));
    TRY(run_plan_make(selection, &planning.device, 1, environment_names[0], NULL, RUN_LOWERING_USUAL, options->controls,
                      &jobs, error));
    planning.jobs = json_array();
    const enum status status = add_jobs(&planning, &jobs, error);
    (void)snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    *plan =
        json_pack("{s:i,s:s,s:s,s:b,s:f,s:o,s:o,s:o}", "format", WEB_FORMAT, "orchil", ORCHIL_VERSION, "seed", seed,
                  "score", selection->score == SELECTION_SCORES_MUTANTS, "seconds", options->seconds, "environments",
                  environments_to_json(&planning), "layout", layout_to_json(), "tests", planning.jobs);
    if (options->post)
        (void)json_object_set_new(*plan, "post", json_text(options->post));
    return status;
}

/* ---- the page ---- */

/* The part of the address that a policy can name: a scheme, a host, and perhaps a port. 0: it is none. */
static size_t origin_size(const char *address)
{
    static const char host_bytes[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]";
    const size_t scheme = strncmp(address, "https://", 8) == 0 ? 8 : strncmp(address, "http://", 7) == 0 ? 7 : 0;
    const size_t host = strspn(address + scheme, host_bytes);
    return scheme > 0 && host > 0 && (!address[scheme + host] || strchr("/?#", address[scheme + host])) ? scheme + host
                                                                                                        : 0;
}

/* The plan as a block of data of the page. In JSON a '<' stands only in strings, where it can be written as a number:
 * so no text of a test ends the block. */
static void print_plan(json_t *plan, struct text *text)
{
    LOCAL(text) json = {0};
    json_add_foreign(plan, &json);
    text_add(text, "<script type=\"application/json\" id=\"plan\">\n");
    for (const char *at = text_string(&json); *at;) {
        const size_t size = strcspn(at, "<");
        text_add_bytes(text, at, size);
        text_add(text, at[size] ? "\\u003c" : "");
        at += size + (at[size] == '<');
    }
    text_add(text, "</script>\n");
}

static void print_page(json_t *plan, const char *post, struct text *text)
{
    text_add(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ");
    hash_add_source(text, web_style);
    text_add(text, "; script-src");
    for (size_t i = 0; i < COUNT(web_scripts); i++) {
        text_add(text, " ");
        hash_add_source(text, web_scripts[i]);
    }
    if (post)
        text_add(text, "; connect-src %.*s", (int)origin_size(post), post);
    text_add(text,
             "; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<meta name=\"referrer\" content=\"no-referrer\">\n"
             "<title>Litmus tests in this browser</title>\n<style>%s</style>\n</head>\n<body>\n%s",
             web_style, web_markup);
    print_plan(plan, text);
    for (size_t i = 0; i < COUNT(web_scripts); i++)
        text_add(text, "<script>%s</script>\n", web_scripts[i]);
    text_add(text, "</body>\n</html>\n");
}

enum status web_page_make(const struct selection *selection, const struct web_options *options, struct web_page *page,
                          struct error *error)
{
    json_auto_t *plan = NULL;
    *page = (struct web_page){.tests = 0};
    if (options->post && origin_size(options->post) == 0)
        return error_set(error, STATUS_USAGE, "--post %s: expected an address like https://example.org/results",
                         options->post);
    TRY(make_plan(selection, options, page, &plan, error));
    if (page->tests == 0)
        return error_set(error, STATUS_USAGE, "no test has a kernel in WGSL; the first reason: %s: %s",
                         page->omissions[0].name, page->omissions[0].reason);
    print_page(json_incref(plan), options->post, &page->text);
    return STATUS_OK;
}

void web_page_release(struct web_page *page)
{
    text_release(&page->text);
    arena_release(&page->arena);
    *page = (struct web_page){.tests = 0};
}
