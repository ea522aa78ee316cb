// SPDX-License-Identifier: Apache-2.0
/*
 * The tables and views, version by version. What leads them:
 * - Every row has a natural key beside its id (a content, a UUID, a number within its parent), so that two files can be
 *   merged by matching keys and giving new ids.
 * - The label of an outcome is stored once per test; a batch holds only counts.
 * - A verdict is a property of a label, a model and what the model judged. It keeps the label's text and refers to no row
 *   of outcome: most labels that a model lists are never seen, and whether they are witnesses only a batch says.
 * - Sums are not stored: they are views over the batches, so that they cannot disagree with them.
 */
#include "results/schema.h"

static const char *const first_version[] = {
    "CREATE TABLE migration (\n"
    "    version INTEGER PRIMARY KEY,\n"
    "    name TEXT NOT NULL,\n"
    "    applied_at TEXT NOT NULL\n"
    ") STRICT",

    "CREATE TABLE content (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),\n"
    "    text TEXT NOT NULL\n"
    ") STRICT",

    "CREATE TABLE device (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    uuid TEXT NOT NULL,\n"
    "    name TEXT NOT NULL,\n"
    "    vendor TEXT NOT NULL,\n"
    "    architecture TEXT NOT NULL,\n"
    "    gpu INTEGER NOT NULL CHECK (gpu IN (0, 1)),\n"
    "    compute_units INTEGER NOT NULL CHECK (compute_units >= 0),\n"
    "    UNIQUE (uuid, name, vendor, architecture, gpu, compute_units)\n"
    ") STRICT",

    "CREATE TABLE driver (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    device_id INTEGER NOT NULL REFERENCES device (id),\n"
    "    backend TEXT NOT NULL,\n"
    "    platform TEXT NOT NULL,\n"
    "    version TEXT NOT NULL,\n"
    "    compiler TEXT NOT NULL,\n"
    "    capabilities TEXT NOT NULL,\n"
    "    UNIQUE (device_id, backend, platform, version, compiler, capabilities)\n"
    ") STRICT",

    "CREATE TABLE test (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    hash TEXT NOT NULL CHECK (hash <> ''),\n"
    "    dialect TEXT NOT NULL,\n"
    "    name TEXT NOT NULL,\n"
    "    text_id INTEGER NOT NULL REFERENCES content (id),\n"
    "    condition TEXT NOT NULL,\n"
    "    doc TEXT NOT NULL,\n"
    "    UNIQUE (hash, dialect, name, text_id, condition, doc)\n"
    ") STRICT",

    "CREATE TABLE environment (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    hash TEXT NOT NULL UNIQUE CHECK (hash <> ''),\n"
    "    text TEXT NOT NULL\n"
    ") STRICT",

    "CREATE TABLE run (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),\n"
    "    tool_version TEXT NOT NULL,\n"
    "    command_line TEXT NOT NULL,\n"
    "    host TEXT NOT NULL,\n"
    "    environment_variables TEXT NOT NULL,\n"
    "    seed INTEGER NOT NULL,\n"
    "    state TEXT NOT NULL CHECK (state IN ('started', 'completed', 'interrupted', 'failed')),\n"
    "    started_at TEXT NOT NULL,\n"
    "    finished_at TEXT,\n"
    "    CHECK ((state = 'started') = (finished_at IS NULL))\n"
    ") STRICT",

    "CREATE TABLE job (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),\n"
    "    run_id INTEGER NOT NULL REFERENCES run (id),\n"
    "    driver_id INTEGER NOT NULL REFERENCES driver (id),\n"
    "    test_id INTEGER NOT NULL REFERENCES test (id),\n"
    "    environment_id INTEGER NOT NULL REFERENCES environment (id),\n"
    "    profile TEXT NOT NULL,\n"
    "    key TEXT NOT NULL CHECK (key <> ''),\n"
    "    seed INTEGER NOT NULL,\n"
    "    replicate INTEGER NOT NULL CHECK (replicate >= 0),\n"
    "    controls TEXT NOT NULL,\n"
    "    state TEXT NOT NULL CHECK (state IN ('started', 'completed', 'unsupported', 'build-failed', 'hang', 'crash',\n"
    "        'device-lost', 'invalid', 'interrupted', 'not-run')),\n"
    "    reason TEXT NOT NULL,\n"
    "    detail TEXT NOT NULL,\n"
    "    seconds REAL CHECK (seconds >= 0),\n"
    "    started_at TEXT NOT NULL,\n"
    "    finished_at TEXT,\n"
    "    CHECK ((state = 'started') = (finished_at IS NULL)),\n"
    "    CHECK ((state = 'started') = (seconds IS NULL))\n"
    ") STRICT",
    "CREATE INDEX job_of_run ON job (run_id)",
    "CREATE INDEX job_by_key ON job (key)",
    "CREATE INDEX job_of_test ON job (test_id, driver_id)",

    "CREATE TABLE build (\n"
    "    job_id INTEGER PRIMARY KEY REFERENCES job (id),\n"
    "    kernel_id INTEGER NOT NULL REFERENCES content (id),\n"
    "    binary_id INTEGER NOT NULL REFERENCES content (id),\n"
    "    log_id INTEGER NOT NULL REFERENCES content (id),\n"
    "    seconds REAL NOT NULL CHECK (seconds >= 0),\n"
    "    resident_groups INTEGER NOT NULL CHECK (resident_groups >= 0),\n"
    "    marks TEXT NOT NULL\n"
    ") STRICT",

    "CREATE TABLE batch (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    job_id INTEGER NOT NULL REFERENCES job (id),\n"
    "    number INTEGER NOT NULL CHECK (number >= 0),\n"
    "    draw TEXT NOT NULL,\n"
    "    instances INTEGER NOT NULL CHECK (instances >= 0),\n"
    "    seconds REAL NOT NULL CHECK (seconds >= 0),\n"
    "    started REAL NOT NULL CHECK (started >= 0),\n"
    "    valid INTEGER NOT NULL CHECK (valid IN (0, 1)),\n"
    "    liveness TEXT NOT NULL,\n"
    "    UNIQUE (job_id, number)\n"
    ") STRICT",

    "CREATE TABLE outcome (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    test_id INTEGER NOT NULL REFERENCES test (id),\n"
    "    label TEXT NOT NULL,\n"
    "    witness INTEGER NOT NULL CHECK (witness IN (0, 1)),\n"
    "    UNIQUE (test_id, label, witness)\n"
    ") STRICT",

    "CREATE TABLE outcome_count (\n"
    "    batch_id INTEGER NOT NULL REFERENCES batch (id),\n"
    "    outcome_id INTEGER NOT NULL REFERENCES outcome (id),\n"
    "    count INTEGER NOT NULL CHECK (count > 0),\n"
    "    PRIMARY KEY (batch_id, outcome_id)\n"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE void_count (\n"
    "    batch_id INTEGER NOT NULL REFERENCES batch (id),\n"
    "    reason TEXT NOT NULL CHECK (reason <> ''),\n"
    "    count INTEGER NOT NULL CHECK (count > 0),\n"
    "    PRIMARY KEY (batch_id, reason)\n"
    ") STRICT, WITHOUT ROWID",

    "CREATE VIEW v_batch AS\n"
    "SELECT b.job_id AS job, b.number AS batch, b.valid AS valid, b.instances AS instances,\n"
    "    coalesce((SELECT sum(v.count) FROM void_count v WHERE v.batch_id = b.id), 0) AS voids,\n"
    "    coalesce((SELECT sum(c.count) FROM outcome_count c JOIN outcome o ON o.id = c.outcome_id\n"
    "        WHERE c.batch_id = b.id AND o.witness), 0) AS witnesses,\n"
    "    b.started AS started, b.seconds AS seconds, b.draw AS draw, b.liveness AS liveness\n"
    "FROM batch b",

    "CREATE VIEW v_job AS\n"
    "SELECT *, instances / nullif(seconds, 0.0) AS instances_per_second,\n"
    "    witnesses / nullif(seconds, 0.0) AS witnesses_per_second\n"
    "FROM (SELECT j.id AS job, j.uuid AS job_uuid, j.run_id AS run, r.uuid AS run_uuid,\n"
    "    t.name AS test, t.dialect AS dialect, t.hash AS test_hash, t.condition AS condition,\n"
    "    p.backend AS backend, d.name AS device, d.uuid AS device_uuid, p.platform AS platform,\n"
    "    p.version AS driver, p.compiler AS compiler,\n"
    "    e.hash AS environment_hash, j.profile AS profile, printf('%llu', j.seed) AS seed,\n"
    "    j.replicate AS replicate, j.key AS key, j.state AS state, j.reason AS reason, j.controls AS controls,\n"
    "    coalesce((SELECT marks FROM build WHERE job_id = j.id), '[]') AS marks,\n"
    "    (SELECT count(*) FROM batch WHERE job_id = j.id AND valid) AS batches,\n"
    "    (SELECT count(*) FROM batch WHERE job_id = j.id AND NOT valid) AS invalid_batches,\n"
    "    coalesce((SELECT sum(instances) FROM batch WHERE job_id = j.id AND valid), 0) AS instances,\n"
    "    coalesce((SELECT sum(voids) FROM v_batch WHERE job = j.id AND valid), 0) AS voids,\n"
    "    coalesce((SELECT sum(witnesses) FROM v_batch WHERE job = j.id AND valid), 0) AS witnesses,\n"
    "    coalesce(j.seconds, (SELECT max(started + seconds) FROM batch WHERE job_id = j.id), 0.0) AS seconds,\n"
    "    j.started_at AS started_at, j.finished_at AS finished_at\n"
    "FROM job j JOIN run r ON r.id = j.run_id JOIN test t ON t.id = j.test_id JOIN driver p ON p.id = j.driver_id\n"
    "    JOIN device d ON d.id = p.device_id JOIN environment e ON e.id = j.environment_id)",

    "CREATE VIEW v_outcome AS\n"
    "SELECT s.job AS job, j.run_id AS run, t.name AS test, t.dialect AS dialect, t.hash AS test_hash,\n"
    "    p.backend AS backend, d.name AS device, d.uuid AS device_uuid, p.version AS driver,\n"
    "    e.hash AS environment_hash, o.label AS outcome, o.witness AS witness, s.count AS count,\n"
    "    n.counted AS counted, s.count * 1.0 / n.counted AS rate\n"
    "FROM (SELECT b.job_id AS job, c.outcome_id AS outcome_id, sum(c.count) AS count\n"
    "        FROM batch b JOIN outcome_count c ON c.batch_id = b.id WHERE b.valid GROUP BY 1, 2) s\n"
    "    JOIN (SELECT job, sum(instances) - sum(voids) AS counted FROM v_batch WHERE valid GROUP BY 1) n\n"
    "        ON n.job = s.job\n"
    "    JOIN outcome o ON o.id = s.outcome_id JOIN job j ON j.id = s.job JOIN test t ON t.id = j.test_id\n"
    "    JOIN driver p ON p.id = j.driver_id JOIN device d ON d.id = p.device_id\n"
    "    JOIN environment e ON e.id = j.environment_id",

    "CREATE VIEW v_void AS\n"
    "SELECT b.job_id AS job, v.reason AS reason, sum(v.count) AS count\n"
    "FROM batch b JOIN void_count v ON v.batch_id = b.id WHERE b.valid GROUP BY 1, 2",
    NULL,
};

static const char *const second_version[] = {
    "CREATE TABLE judgement (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    job_id INTEGER NOT NULL REFERENCES job (id),\n"
    "    role TEXT NOT NULL CHECK (role IN ('source', 'target')),\n"
    "    model TEXT NOT NULL CHECK (model <> ''),\n"
    "    unjudged TEXT NOT NULL,\n"
    "    cut TEXT NOT NULL CHECK (cut = '' OR unjudged = ''),\n"
    "    racy INTEGER NOT NULL CHECK (racy IN (0, 1)),\n"
    "    UNIQUE (job_id, role)\n"
    ") STRICT",

    "CREATE TABLE verdict (\n"
    "    judgement_id INTEGER NOT NULL REFERENCES judgement (id),\n"
    "    label TEXT NOT NULL CHECK (label <> ''),\n"
    "    verdict TEXT NOT NULL CHECK (verdict IN ('sc', 'weak', 'forbidden', 'undefined', 'unspecified')),\n"
    "    axiom TEXT NOT NULL CHECK (axiom = '' OR verdict = 'forbidden'),\n"
    "    PRIMARY KEY (judgement_id, label)\n"
    ") STRICT, WITHOUT ROWID",

    "DROP VIEW v_job",
    "DROP VIEW v_outcome",

    "CREATE VIEW v_job AS\n"
    "SELECT *, instances / nullif(seconds, 0.0) AS instances_per_second,\n"
    "    witnesses / nullif(seconds, 0.0) AS witnesses_per_second,\n"
    "    coalesce((SELECT sum(c.count)\n"
    "        FROM batch b JOIN outcome_count c ON c.batch_id = b.id JOIN outcome o ON o.id = c.outcome_id\n"
    "        LEFT JOIN judgement gs ON gs.job_id = b.job_id AND gs.role = 'source'\n"
    "        LEFT JOIN verdict vs ON vs.judgement_id = gs.id AND vs.label = o.label\n"
    "        LEFT JOIN judgement gt ON gt.job_id = b.job_id AND gt.role = 'target'\n"
    "        LEFT JOIN verdict vt ON vt.judgement_id = gt.id AND vt.label = o.label\n"
    "        WHERE b.job_id = s.job AND b.valid AND coalesce(vt.verdict, vs.verdict) = 'forbidden'), 0) AS forbidden\n"
    "FROM (SELECT j.id AS job, j.uuid AS job_uuid, j.run_id AS run, r.uuid AS run_uuid,\n"
    "    t.name AS test, t.dialect AS dialect, t.hash AS test_hash, t.condition AS condition,\n"
    "    p.backend AS backend, d.name AS device, d.uuid AS device_uuid, p.platform AS platform,\n"
    "    p.version AS driver, p.compiler AS compiler,\n"
    "    e.hash AS environment_hash, j.profile AS profile, printf('%llu', j.seed) AS seed,\n"
    "    j.replicate AS replicate, j.key AS key, j.state AS state, j.reason AS reason, j.controls AS controls,\n"
    "    coalesce((SELECT marks FROM build WHERE job_id = j.id), '[]') AS marks,\n"
    "    (SELECT count(*) FROM batch WHERE job_id = j.id AND valid) AS batches,\n"
    "    (SELECT count(*) FROM batch WHERE job_id = j.id AND NOT valid) AS invalid_batches,\n"
    "    coalesce((SELECT sum(instances) FROM batch WHERE job_id = j.id AND valid), 0) AS instances,\n"
    "    coalesce((SELECT sum(voids) FROM v_batch WHERE job = j.id AND valid), 0) AS voids,\n"
    "    coalesce((SELECT sum(witnesses) FROM v_batch WHERE job = j.id AND valid), 0) AS witnesses,\n"
    "    coalesce(j.seconds, (SELECT max(started + seconds) FROM batch WHERE job_id = j.id), 0.0) AS seconds,\n"
    "    j.started_at AS started_at, j.finished_at AS finished_at\n"
    "FROM job j JOIN run r ON r.id = j.run_id JOIN test t ON t.id = j.test_id JOIN driver p ON p.id = j.driver_id\n"
    "    JOIN device d ON d.id = p.device_id JOIN environment e ON e.id = j.environment_id) s",

    "CREATE VIEW v_outcome AS\n"
    "SELECT s.job AS job, j.run_id AS run, t.name AS test, t.dialect AS dialect, t.hash AS test_hash,\n"
    "    p.backend AS backend, d.name AS device, d.uuid AS device_uuid, p.version AS driver,\n"
    "    e.hash AS environment_hash, o.label AS outcome, o.witness AS witness, s.count AS count,\n"
    "    n.counted AS counted, s.count * 1.0 / n.counted AS rate,\n"
    "    CASE gs.unjudged WHEN '' THEN gs.model END AS source_model, vs.verdict AS source_verdict,\n"
    "    CASE gt.unjudged WHEN '' THEN gt.model END AS target_model, vt.verdict AS target_verdict,\n"
    "    nullif(CASE coalesce(vt.verdict, vs.verdict) WHEN 'forbidden' THEN coalesce(vt.axiom, vs.axiom) END, '')\n"
    "        AS axiom,\n"
    "    CASE WHEN coalesce(vt.verdict, vs.verdict) IS NULL\n"
    "        THEN coalesce(nullif(gt.unjudged || gt.cut, ''), nullif(gs.unjudged || gs.cut, '')) END AS unjudged\n"
    "FROM (SELECT b.job_id AS job, c.outcome_id AS outcome_id, sum(c.count) AS count\n"
    "        FROM batch b JOIN outcome_count c ON c.batch_id = b.id WHERE b.valid GROUP BY 1, 2) s\n"
    "    JOIN (SELECT job, sum(instances) - sum(voids) AS counted FROM v_batch WHERE valid GROUP BY 1) n\n"
    "        ON n.job = s.job\n"
    "    JOIN outcome o ON o.id = s.outcome_id JOIN job j ON j.id = s.job JOIN test t ON t.id = j.test_id\n"
    "    JOIN driver p ON p.id = j.driver_id JOIN device d ON d.id = p.device_id\n"
    "    JOIN environment e ON e.id = j.environment_id\n"
    "    LEFT JOIN judgement gs ON gs.job_id = s.job AND gs.role = 'source'\n"
    "    LEFT JOIN verdict vs ON vs.judgement_id = gs.id AND vs.label = o.label\n"
    "    LEFT JOIN judgement gt ON gt.job_id = s.job AND gt.role = 'target'\n"
    "    LEFT JOIN verdict vt ON vt.judgement_id = gt.id AND vt.label = o.label",

    "CREATE VIEW v_judgement AS\n"
    "SELECT g.job_id AS job, g.role AS role, g.model AS model, g.unjudged AS unjudged,\n"
    "    g.unjudged = '' AND g.cut = '' AS complete, g.racy AS racy, g.cut AS cut\n"
    "FROM judgement g",
    NULL,
};

static const char *const third_version[] = {
    "CREATE TABLE merge (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    run_id INTEGER NOT NULL REFERENCES run (id),\n"
    "    source TEXT NOT NULL CHECK (source <> ''),\n"
    "    host TEXT NOT NULL,\n"
    "    tool_version TEXT NOT NULL,\n"
    "    merged_at TEXT NOT NULL,\n"
    "    jobs INTEGER NOT NULL CHECK (jobs >= 0),\n"
    "    batches INTEGER NOT NULL CHECK (batches >= 0),\n"
    "    left_out TEXT NOT NULL,\n"
    "    UNIQUE (run_id, source, host, merged_at)\n"
    ") STRICT",

    "CREATE TABLE part (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    run_id INTEGER NOT NULL REFERENCES run (id),\n"
    "    uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),\n"
    "    tool_version TEXT NOT NULL,\n"
    "    command_line TEXT NOT NULL,\n"
    "    host TEXT NOT NULL,\n"
    "    environment_variables TEXT NOT NULL,\n"
    "    seed INTEGER NOT NULL,\n"
    "    state TEXT NOT NULL CHECK (state IN ('started', 'completed', 'interrupted', 'failed')),\n"
    "    started_at TEXT NOT NULL,\n"
    "    finished_at TEXT,\n"
    "    CHECK ((state = 'started') = (finished_at IS NULL))\n"
    ") STRICT",

    "CREATE VIEW v_run AS\n"
    "SELECT r.id AS run, r.uuid AS run_uuid, r.tool_version AS tool_version, r.command_line AS command_line,\n"
    "    r.host AS host, r.environment_variables AS environment_variables, printf('%llu', r.seed) AS seed,\n"
    "    r.state AS state, r.started_at AS started_at, r.finished_at AS finished_at,\n"
    "    (SELECT count(*) FROM job WHERE run_id = r.id) AS jobs\n"
    "FROM run r",

    "CREATE VIEW v_merge AS\n"
    "SELECT m.run_id AS run, m.source AS source, m.host AS host, m.tool_version AS tool_version,\n"
    "    m.merged_at AS merged_at, m.jobs AS jobs, m.batches AS batches, m.left_out AS left_out\n"
    "FROM merge m",

    "CREATE VIEW v_part AS\n"
    "SELECT p.run_id AS run, p.uuid AS part_uuid, p.tool_version AS tool_version, p.command_line AS command_line,\n"
    "    p.host AS host, p.environment_variables AS environment_variables, printf('%llu', p.seed) AS seed,\n"
    "    p.state AS state, p.started_at AS started_at, p.finished_at AS finished_at\n"
    "FROM part p",
    NULL,
};

/* The tests and environments of a plan are rows of their own tables; it ends where its run is merged into another file. */
static const char *const fourth_version[] = {
    "CREATE TABLE plan (\n"
    "    run_id INTEGER PRIMARY KEY REFERENCES run (id),\n"
    "    options TEXT NOT NULL\n"
    ") STRICT",

    "CREATE TABLE planned_job (\n"
    "    run_id INTEGER NOT NULL REFERENCES plan (run_id),\n"
    "    number INTEGER NOT NULL CHECK (number >= 0),\n"
    "    device_group INTEGER NOT NULL CHECK (device_group >= 0),\n"
    "    control INTEGER NOT NULL CHECK (control IN (0, 1)),\n"
    "    test_id INTEGER NOT NULL REFERENCES test (id),\n"
    "    environment_id INTEGER NOT NULL REFERENCES environment (id),\n"
    "    profile TEXT NOT NULL,\n"
    "    file TEXT NOT NULL,\n"
    "    job_id INTEGER UNIQUE REFERENCES job (id),\n"
    "    PRIMARY KEY (run_id, number)\n"
    ") STRICT, WITHOUT ROWID",

    "CREATE TABLE resumption (\n"
    "    id INTEGER PRIMARY KEY,\n"
    "    run_id INTEGER NOT NULL REFERENCES run (id),\n"
    "    tool_version TEXT NOT NULL,\n"
    "    command_line TEXT NOT NULL,\n"
    "    host TEXT NOT NULL,\n"
    "    environment_variables TEXT NOT NULL,\n"
    "    started_at TEXT NOT NULL\n"
    ") STRICT",
    "CREATE INDEX resumption_of_run ON resumption (run_id)",

    "ALTER TABLE batch ADD COLUMN invalid TEXT NOT NULL DEFAULT '' CHECK (invalid = '' OR NOT valid)",

    "CREATE VIEW v_resumption AS\n"
    "SELECT s.run_id AS run, s.tool_version AS tool_version, s.command_line AS command_line, s.host AS host,\n"
    "    s.environment_variables AS environment_variables, s.started_at AS started_at\n"
    "FROM resumption s",
    NULL,
};

const struct schema_migration schema_migrations[] = {
    {"first version", first_version},
    {"verdicts", second_version},
    {"merges", third_version},
    {"plans", fourth_version},
};
const int schema_version = sizeof schema_migrations / sizeof *schema_migrations;
