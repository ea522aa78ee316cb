// SPDX-License-Identifier: Apache-2.0
/* The bench that tries candidates: its rates and their bounds, means of repeats, and its trials. */
#include "hunt/tune/tune_bench.h"

#include "analysis/statistics/statistics.h"
#include "hunt/tune/tune.h"
#include "runner/protocol/device.h"
#include "runner/run/job_record.h"

/* ---- the kernel cache ---- */

/* Workers switch these caches off, because they may hold kernels of an older driver. A new folder holds none. */
static const struct {
    const char *on_off, *on, *place;
} caches[] = {{"POCL_KERNEL_CACHE", "1", "POCL_CACHE_DIR"}, {"CUDA_CACHE_DISABLE", "0", "CUDA_CACHE_PATH"}};

enum status tune_cache_open(struct temporary_folder *folder, struct error *error)
{
    TRY(temporary_folder_open("tune", folder, error));
    for (size_t i = 0; i < COUNT(caches); i++)
        if (!getenv(caches[i].on_off) && !getenv(caches[i].place) &&
            (setenv(caches[i].on_off, caches[i].on, 0) != 0 || setenv(caches[i].place, folder->path, 0) != 0))
            memory_fail(sizeof folder->path);
    return STATUS_OK;
}

/* ---- rates ---- */

static const double errors_below = 2, errors_above = 3;
static const double factor_behind = 4;

void tune_repeats_add(struct tune_repeats *repeats, double value)
{
    const double distance = value - repeats->mean;
    repeats->count++;
    repeats->mean += distance / (double)repeats->count;
    repeats->squares += distance * (value - repeats->mean); /* Welford's update */
}

void tune_rate_add(struct tune_rate *rate, uint64_t witnesses, uint64_t instances, double seconds)
{
    rate->witnesses += witnesses;
    rate->instances += instances;
    rate->seconds += seconds;
    tune_repeats_add(&rate->batches, seconds > 0 ? (double)witnesses / seconds : 0);
}

double tune_rate_value(const struct tune_rate *rate)
{
    return rate->seconds > 0 ? (double)rate->witnesses / rate->seconds : 0;
}

static double standard_error(const struct tune_rate *rate)
{
    const double batches = rate->batches.count;
    const double of_spread = sqrt(rate->batches.squares / (batches - 1) / batches);
    const double of_counting = sqrt((double)rate->witnesses) / rate->seconds;
    return of_spread > of_counting ? of_spread : of_counting;
}

static bool tune_bench_is_known(const struct tune_rate *rate)
{
    return rate->batches.count >= TUNE_LEAST_BATCHES && rate->seconds > 0;
}

double tune_rate_upper(const struct tune_rate *rate)
{
    if (!tune_bench_is_known(rate))
        return INFINITY;
    return tune_rate_value(rate) + errors_above * standard_error(rate) +
           statistics_count_for(STATISTICS_CONFIDENCE) / rate->seconds;
}

double tune_rate_lower(const struct tune_rate *rate)
{
    if (!tune_bench_is_known(rate))
        return 0;
    const double lower = tune_rate_value(rate) - errors_below * standard_error(rate);
    return lower > 0 ? lower : 0;
}

static double tune_log(double rate)
{
    return rate > 1 ? log(rate) : 0;
}

double tune_log_since(const struct tune_rate *rate, const struct tune_rate *before)
{
    const double seconds = rate->seconds - before->seconds;
    return seconds > 0 ? tune_log((double)(rate->witnesses - before->witnesses) / seconds) : 0;
}

static double sum_of_logs(const struct tune_rate *rates, size_t count, double (*value)(const struct tune_rate *))
{
    return SUM_OF(double, rate, rates, count, tune_log(value(rate)));
}

double tune_score(const struct tune_rate *rates, size_t count)
{
    return sum_of_logs(rates, count, tune_rate_value);
}

double tune_score_lower(const struct tune_rate *rates, size_t count)
{
    return sum_of_logs(rates, count, tune_rate_lower);
}

double tune_mean(double score, size_t count)
{
    return score > 0 ? exp(score / (double)count) : 0;
}

bool tune_hopeless(const struct tune_rate *rates, size_t at, size_t count, const double *records, double best,
                   double best_lower)
{
    double hoped = tune_score(rates, at) + tune_log(tune_rate_upper(&rates[at]));
    for (size_t i = at + 1; i < count; i++)
        hoped += tune_log(records[i]);
    return hoped < best_lower || hoped < best - log(factor_behind);
}

/* ---- repeats ---- */

/* The 97.5 % quantiles of Student's distribution, from one degree of freedom. */
static const double quantiles[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
                                   2.2622,  2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314};
WORDS_OF(tune_verdict_text, enum tune_verdict, TUNE_VERDICT_LIST(WORD_OF))

/* For more degrees of freedom than the table has, its last entry gives a slightly wider interval. */
static double half_width(const struct tune_repeats *repeats)
{
    const unsigned freedom = repeats->count - 1;
    if (repeats->count < 2)
        return INFINITY;
    return quantiles[(freedom < COUNT(quantiles) ? freedom : COUNT(quantiles)) - 1] *
           sqrt(repeats->squares / freedom / repeats->count);
}

double tune_repeats_lower(const struct tune_repeats *repeats)
{
    return repeats->mean - half_width(repeats);
}

double tune_repeats_upper(const struct tune_repeats *repeats)
{
    return repeats->mean + half_width(repeats);
}

const char *tune_repeats_print(const struct tune_repeats *repeats, char buffer[TUNE_INTERVAL_SIZE])
{
    char mean[QUANTITY_SIZE];
    (void)quantity_short(exp(repeats->mean), mean);
    if (repeats->count < 2)
        (void)snprintf(buffer, TUNE_INTERVAL_SIZE, "%s", mean);
    else
        (void)snprintf(buffer, TUNE_INTERVAL_SIZE, "%s (%s to %s)", mean,
                       QUANTITY_SHORT(exp(tune_repeats_lower(repeats))),
                       QUANTITY_SHORT(exp(tune_repeats_upper(repeats))));
    return buffer;
}

enum tune_verdict tune_repeats_decide(const struct tune_repeats *ratio)
{
    if (ratio->count < TUNE_LEAST_REPEATS)
        return TUNE_VERDICT_SAME;
    if (tune_repeats_lower(ratio) > 0)
        return TUNE_VERDICT_BETTER;
    return tune_repeats_upper(ratio) < 0 ? TUNE_VERDICT_WORSE : TUNE_VERDICT_SAME;
}

/* ---- the bench ---- */

static const double longest = 2;       /* a job may take this many times its seconds to get TUNE_LEAST_BATCHES */
static const double unmet_share = 100; /* at most one in this many instances may be void by unmet partners */

WORDS_OF(tune_fate_text, enum tune_fate, TUNE_FATE_LIST(WORD_OF))

/* A job's data that every trial needs. */
struct bench_test {
    struct text text;         /* its test, printed */
    struct verdicts verdicts; /* once it has a batch: a search may take a minute, and devices refuse tests */
    bool judged;
};

void bench_open(struct bench *bench, const struct supervisor_limits *limits, const char *cache)
{
    const struct run_plan *plan = bench->plan;
    bench->prepared = memory_take(plan->job_count, sizeof *bench->prepared);
    bench->pairs = memory_take(plan->job_count, sizeof *bench->pairs);
    bench->supervisors = memory_take(plan->job_count, sizeof *bench->supervisors);
    for (size_t i = 0; i < plan->job_count; i++) {
        const struct planned_job *job = &plan->jobs[i];
        litmus_print(job->test->test, &bench->prepared[i].text);
        if (i == 0 || job->device != plan->jobs[i - 1].device)
            supervisor_start(&bench->supervisors[bench->device_count++], job->device, limits, cache, bench->stop);
        if (job->controlled)
            bench->pairs[bench->pair_count - 1].control_count++; /* a control follows its test */
        else
            bench->pairs[bench->pair_count++] = (struct tune_pair){.job = job, .controls = job + 1};
    }
}

void bench_close(struct bench *bench)
{
    for (size_t i = 0; i < bench->device_count; i++)
        supervisor_stop(&bench->supervisors[i]);
    for (size_t i = 0; bench->prepared && i < bench->plan->job_count; i++) {
        text_release(&bench->prepared[i].text);
        verdicts_release(&bench->prepared[i].verdicts);
    }
    free(bench->prepared);
    free(bench->pairs);
    free(bench->supervisors);
    *bench = (struct bench){0};
}

static struct supervisor *supervisor_of(const struct bench *bench, const struct backend_device *device)
{
    size_t i = 0;
    while (i + 1 < bench->device_count && bench->supervisors[i].device != device)
        i++;
    return &bench->supervisors[i];
}

struct trial trial_make(const struct bench *bench, uint64_t number, const struct environment *environment)
{
    struct trial trial = {.number = number,
                          .environment = *environment,
                          .rates = memory_take(bench->pair_count, sizeof *trial.rates),
                          .resident_groups = memory_take(bench->pair_count, sizeof *trial.resident_groups)};
    environment_hash(environment, trial.hash);
    (void)snprintf(trial.environment.name, sizeof trial.environment.name, "trial %" PRIu64, number);
    return trial;
}

void trial_release(struct trial *trial)
{
    free(trial->rates);
    free(trial->resident_groups);
    *trial = (struct trial){0};
}

/* ---- one job ---- */

/* A job of a trial while it runs. */
struct running_bench_job {
    struct bench *bench;
    struct trial *trial;
    size_t pair;
    struct planned_job planned; /* with the candidate's environment and key */
    struct bench_test *prepared;
    double seconds;
    const struct tune_rival *rival;
    struct job_record record;
    struct tally tally;
    bool undeclared, hopeless;
    enum status status; /* of the database; stops everything */
    struct error *error;
};

static bool is_control(const struct running_bench_job *hearing)
{
    return hearing->planned.controlled != NULL;
}

static bool on_built(const struct build *build, void *context)
{
    struct running_bench_job *hearing = context;
    hearing->undeclared = build->marks & MARK_UNDECLARED;
    if (!is_control(hearing))
        hearing->trial->resident_groups[hearing->pair] = build->resident_groups;
    hearing->status = store_add_build(hearing->record.store, hearing->record.job_id, build, hearing->error);
    return hearing->status == STATUS_OK;
}

/* Whether the job continues. Batches that come after a request to stop are counted too. */
static bool tune_bench_goes_on(struct running_bench_job *hearing)
{
    const struct tally *tally = &hearing->tally;
    const struct tune_rival *rival = hearing->rival;
    const struct tune_rate *rates = hearing->trial->rates;
    if (tally->invalid_batches > 0)
        return false;
    if (is_control(hearing))
        return tally->witnesses == 0 && tally->seconds < hearing->seconds;
    hearing->hopeless = rival && tune_hopeless(rates, hearing->pair, hearing->bench->pair_count, rival->records,
                                               rival->score, rival->score_lower);
    return !hearing->hopeless && (tally->seconds < hearing->seconds || tally->batches < TUNE_LEAST_BATCHES);
}

static bool on_batch(const struct batch *batch, void *context)
{
    struct running_bench_job *hearing = context;
    struct tally *tally = &hearing->tally;
    const double before = tally->seconds;
    const uint64_t witnesses = tally->witnesses;
    tally_add(tally, batch);
    if (!is_control(hearing) && !batch->invalid)
        tune_rate_add(&hearing->trial->rates[hearing->pair], tally->witnesses - witnesses, batch->instances,
                      tally->seconds - before);
    if (hearing->status == STATUS_OK)
        hearing->status = job_record_batch(&hearing->record, batch, hearing->error);
    hearing->bench->turn(hearing->bench->context);
    return hearing->status == STATUS_OK && tune_bench_goes_on(hearing);
}

static void set_fate(struct trial *trial, enum tune_fate fate, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void set_fate(struct trial *trial, enum tune_fate fate, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    trial->fate = fate;
    (void)vsnprintf(trial->why, sizeof trial->why, format, arguments);
    va_end(arguments);
}

/* What a job showed that must not appear. */
struct ruled_out {
    uint64_t count;
    bool witness; /* it is the witness alone */
    bool fails;   /* the device promises that it does not appear */
};

/* A control's witness counts also where the device does not declare what the test uses: its rates would mean
 * nothing. */
static struct ruled_out count_ruled_out(const struct running_bench_job *hearing)
{
    const struct tally *tally = &hearing->tally;
    struct ruled_out sum = {.witness = true};
    for (size_t i = 0; i < tally->outcome_count; i++) {
        struct sighting sighting = {.witness = tally->outcomes[i].witness,
                                    .control = is_control(hearing),
                                    .marks = hearing->undeclared ? MARK_UNDECLARED : 0};
        verdicts_sight(&hearing->prepared->verdicts, tally->outcomes[i].label, &sighting);
        const struct ruling ruling = ruling_of(&sighting);
        if (tally->outcomes[i].count == 0 || !(ruling.fails || (is_control(hearing) && ruling_condemns(ruling.kind))))
            continue;
        sum.count += tally->outcomes[i].count;
        sum.witness &= sighting.witness;
        sum.fails |= ruling.fails;
    }
    return sum;
}

/* Whether the job condemns the candidate: a control showed its witness, or a test an outcome that a model forbids. */
static bool condemns(struct running_bench_job *hearing)
{
    const struct litmus_test *test = hearing->planned.test->test, *controlled = hearing->planned.controlled;
    const struct ruled_out ruled_out = count_ruled_out(hearing);
    if (ruled_out.count == 0)
        return false;
    set_fate(hearing->trial, TUNE_CONDEMNED, "%s%s%s%s %s times in %s on %s", test->name,
             controlled ? ", the control of " : "", controlled ? controlled->name : "",
             !controlled         ? " showed forbidden outcomes"
             : ruled_out.witness ? ", showed its witness"
                                 : ", showed forbidden outcomes",
             QUANTITY_COUNT(ruled_out.count), QUANTITY_COUNT(hearing->tally.instances),
             device_address(hearing->planned.device).text);
    hearing->bench->alarms += ruled_out.fails;
    return true;
}

static void judge_job(struct running_bench_job *hearing, const struct job_result *result)
{
    struct trial *trial = hearing->trial;
    const struct tally *tally = &hearing->tally;
    const char *name = hearing->planned.test->test->name;
    if (condemns(hearing))
        return;
    if (result->state == JOB_INTERRUPTED || (result->state == JOB_NOT_RUN && hearing->bench->stop->count > 0) ||
        (tally->batches > 0 && !hearing->prepared->judged))
        set_fate(trial, TUNE_INTERRUPTED, "stopped by a signal");
    else if (result->state == JOB_UNSUPPORTED)
        set_fate(trial, TUNE_UNSUPPORTED, "%s: %s", name, result->reason);
    else if (result->state != JOB_COMPLETED)
        set_fate(trial, TUNE_FAILED, "%s ended in %s: %s", name, job_state_word(result->state), result->reason);
    else if (tally->invalid_batches > 0)
        set_fate(trial, TUNE_INVALID, "%s: %s", name, tally->invalid);
    else if ((double)tally_void(tally, VOID_UNMET) * unmet_share > (double)tally->instances)
        set_fate(trial, TUNE_UNMET, "%s: partners did not meet in more than 1 %% of the instances", name);
    else if (hearing->hopeless)
        set_fate(trial, TUNE_ABANDONED, "%s: too few witnesses after %" PRIu64 " batches", name, tally->batches);
    else if (is_control(hearing))
        trial->control_instances += tally->instances;
}

/* Asks the models about the test of a job with batches, in its first trial, and stores what they say. */
static enum status ask_models(struct running_bench_job *hearing, struct error *error)
{
    struct bench_test *prepared = hearing->prepared;
    const struct judge_options limits = {.stopped = stop_signals_came, .context = hearing->bench->stop};
    if (hearing->tally.batches == 0)
        return STATUS_OK;
    if (!prepared->judged) {
        verdicts_release(&prepared->verdicts);
        TRY(verdicts_make(hearing->planned.test->test, hearing->planned.device, &limits, &prepared->verdicts, error));
        prepared->judged = !stop_signals_came(hearing->bench->stop);
    }
    return job_record_verdicts(&hearing->record, &prepared->verdicts, &hearing->tally, error);
}

static enum status finish_job(struct running_bench_job *hearing, const struct job_result *result, struct error *error)
{
    enum job_state state = result->state;
    const char *reason = result->reason;
    if (state == JOB_COMPLETED && hearing->tally.invalid_batches > 0) {
        state = JOB_INVALID;
        reason = hearing->tally.invalid;
    }
    TRY(hearing->status);
    TRY(job_record_flush(&hearing->record, error));
    TRY(ask_models(hearing, error));
    TRY(job_record_circumstances(&hearing->record, &result->circumstances, error));
    return store_finish_job(hearing->bench->store, hearing->record.job_id, state, reason, result->detail,
                            hearing->tally.seconds, error);
}

static enum status run_job(struct running_bench_job *hearing, unsigned replicate, struct error *error)
{
    struct bench *bench = hearing->bench;
    const struct planned_job *planned = &hearing->planned;
    const char *text = text_string(&hearing->prepared->text);
    const struct job_listener listener = {on_built, on_batch, hearing};
    const struct job wanted = {
        .test = planned->test->test,
        .environment = *planned->environment,
        .lowering = planned->lowering,
        .seed = bench->seed,
        .key = hash_number(planned->key),
        .extent = {.resident_groups = is_control(hearing) ? hearing->trial->resident_groups[hearing->pair] : 0,
                   .seconds = hearing->seconds * longest}};
    struct job_result result;
    TRY(job_record_begin(&hearing->record, bench->run_id, planned, bench->seed, replicate, error));
    stop_signals_read(bench->stop);
    if (bench->stop->count > 0)
        result = (struct job_result){.state = JOB_NOT_RUN, .reason = "the run was stopped by a signal"};
    else
        supervisor_run(supervisor_of(bench, planned->device), &wanted, text, planned->test->file, &listener, &result);
    TRY(finish_job(hearing, &result, error));
    judge_job(hearing, &result);
    return STATUS_OK;
}

static enum status try_job(struct bench *bench, struct trial *trial, size_t pair, const struct planned_job *job,
                           unsigned replicate, double seconds, const struct tune_rival *rival, struct error *error)
{
    struct running_bench_job hearing = {
        .bench = bench,
        .trial = trial,
        .pair = pair,
        .planned = *job,
        .prepared = &bench->prepared[job - bench->plan->jobs],
        .seconds = seconds,
        .rival = rival,
        .record = {.store = bench->store},
        .error = error,
    };
    hearing.planned.environment = &trial->environment;
    plan_job_key(job->controlled ? job->controlled : job->test->test, &trial->environment, replicate,
                 hearing.planned.key);
    const enum status status = run_job(&hearing, replicate, error);
    job_record_release(&hearing.record);
    tally_release(&hearing.tally);
    return status;
}

/* ---- a trial ---- */

enum status bench_measure(struct bench *bench, struct trial *trial, unsigned replicate, double seconds,
                          const struct tune_rival *rival, struct error *error)
{
    trial->fate = TUNE_MEASURED;
    for (size_t i = 0; i < bench->pair_count && trial->fate == TUNE_MEASURED; i++)
        TRY(try_job(bench, trial, i, bench->pairs[i].job, replicate, seconds, rival, error));
    trial->score = tune_score(trial->rates, bench->pair_count);
    trial->score_lower = tune_score_lower(trial->rates, bench->pair_count);
    return STATUS_OK;
}

enum status bench_control(struct bench *bench, struct trial *trial, unsigned replicate, double seconds,
                          struct error *error)
{
    for (size_t i = 0; i < bench->pair_count; i++)
        for (size_t c = 0; c < bench->pairs[i].control_count && trial->fate == TUNE_MEASURED; c++)
            TRY(try_job(bench, trial, i, &bench->pairs[i].controls[c], replicate, seconds, NULL, error));
    return STATUS_OK;
}
