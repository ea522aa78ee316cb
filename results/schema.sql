-- SPDX-License-Identifier: Apache-2.0
-- The tables and views of a database. {JOB_STATES} and the like are replaced by the lists of words in base/record.h.
-- What leads them:
-- - Every row has a natural key as well as its id (a content, a UUID, a number within its parent), so that two files can be
--   merged by matching keys and giving new ids.
-- - The label of an outcome is stored once per test; a batch holds only counts.
-- - A verdict is a property of a label, a model and what the model judged. It keeps the label's text and refers to no
--   row of outcome: most labels that a model lists are never seen, and whether they are witnesses only a batch says.
-- - A build has the hash of its kernel as well as the text, which a merge may leave out.
-- - A batch has the first 64 bits of the hash of its launch arguments as well as its draw, which a merge may leave out.
-- - Sums are not stored: they are views over the batches, so that they cannot disagree with them.
-- A change here changes SCHEMA_VERSION (results/soundness.h) and what a merge copies (results/merge.sql).

CREATE TABLE content (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
    text TEXT NOT NULL
) STRICT;

CREATE TABLE device (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL,
    name TEXT NOT NULL,
    vendor TEXT NOT NULL,
    architecture TEXT NOT NULL,
    gpu INTEGER NOT NULL CHECK (gpu IN (0, 1)),
    compute_units INTEGER NOT NULL CHECK (compute_units >= 0),
    UNIQUE (uuid, name, vendor, architecture, gpu, compute_units)
) STRICT;

CREATE TABLE driver (
    id INTEGER PRIMARY KEY,
    device_id INTEGER NOT NULL REFERENCES device (id),
    backend TEXT NOT NULL,
    platform TEXT NOT NULL,
    version TEXT NOT NULL,
    compiler TEXT NOT NULL,
    capabilities TEXT NOT NULL,
    UNIQUE (device_id, backend, platform, version, compiler, capabilities)
) STRICT;

CREATE TABLE test (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL CHECK (hash <> ''),
    dialect TEXT NOT NULL,
    name TEXT NOT NULL,
    text_id INTEGER NOT NULL REFERENCES content (id),
    condition TEXT NOT NULL,
    doc TEXT NOT NULL,
    UNIQUE (hash, dialect, name, text_id, condition, doc)
) STRICT;

CREATE TABLE environment (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE CHECK (hash <> ''),
    text TEXT NOT NULL
) STRICT;

CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
    tool_version TEXT NOT NULL,
    command_line TEXT NOT NULL,
    host TEXT NOT NULL,
    environment_variables TEXT NOT NULL,
    seed INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ({RUN_STATES})),
    started_at TEXT NOT NULL,
    finished_at TEXT,
    CHECK ((state = 'started') = (finished_at IS NULL))
) STRICT;

CREATE TABLE job (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
    run_id INTEGER NOT NULL REFERENCES run (id),
    driver_id INTEGER NOT NULL REFERENCES driver (id),
    test_id INTEGER NOT NULL REFERENCES test (id),
    environment_id INTEGER NOT NULL REFERENCES environment (id),
    profile TEXT NOT NULL,
    key TEXT NOT NULL CHECK (key <> ''),
    seed INTEGER NOT NULL,
    replicate INTEGER NOT NULL CHECK (replicate >= 0),
    controls TEXT NOT NULL,
    lowering TEXT NOT NULL,
    target_instances INTEGER NOT NULL CHECK (target_instances >= 0),
    batch_instances INTEGER NOT NULL CHECK (batch_instances >= 0),
    state TEXT NOT NULL CHECK (state IN ({JOB_STATES})),
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    seconds REAL CHECK (seconds >= 0),
    started_at TEXT NOT NULL,
    finished_at TEXT,
    circumstances TEXT NOT NULL,
    CHECK ((state = 'started') = (finished_at IS NULL)),
    CHECK ((state = 'started') = (seconds IS NULL))
) STRICT;
CREATE INDEX job_of_run ON job (run_id);
CREATE INDEX job_by_key ON job (key);
CREATE INDEX job_of_test ON job (test_id, driver_id);

CREATE TABLE build (
    job_id INTEGER PRIMARY KEY REFERENCES job (id),
    kernel_id INTEGER NOT NULL REFERENCES content (id),
    kernel_hash TEXT NOT NULL CHECK (length(kernel_hash) = 64),
    binary_id INTEGER NOT NULL REFERENCES content (id),
    log_id INTEGER NOT NULL REFERENCES content (id),
    seconds REAL NOT NULL CHECK (seconds >= 0),
    resident_groups INTEGER NOT NULL CHECK (resident_groups >= 0),
    marks TEXT NOT NULL,
    kept TEXT NOT NULL CHECK (kept IN ({KEPT})),
    kept_reason TEXT NOT NULL,
    CHECK (kept <> 'kept' OR kept_reason = ''),
    CHECK (kept NOT IN ('merged', 'not-kept') OR kept_reason <> '')
) STRICT;

CREATE TABLE batch (
    id INTEGER PRIMARY KEY,
    job_id INTEGER NOT NULL REFERENCES job (id),
    number INTEGER NOT NULL CHECK (number >= 0),
    draw TEXT NOT NULL,
    arguments INTEGER NOT NULL,
    instances INTEGER NOT NULL CHECK (instances >= 0),
    seconds REAL NOT NULL CHECK (seconds >= 0),
    started REAL NOT NULL CHECK (started >= 0),
    valid INTEGER NOT NULL CHECK (valid IN (0, 1)),
    liveness TEXT NOT NULL,
    invalid TEXT NOT NULL CHECK (invalid = '' OR NOT valid),
    UNIQUE (job_id, number)
) STRICT;

CREATE TABLE outcome (
    id INTEGER PRIMARY KEY,
    test_id INTEGER NOT NULL REFERENCES test (id),
    label TEXT NOT NULL,
    witness INTEGER NOT NULL CHECK (witness IN (0, 1)),
    UNIQUE (test_id, label, witness)
) STRICT;

CREATE TABLE outcome_count (
    batch_id INTEGER NOT NULL REFERENCES batch (id),
    outcome_id INTEGER NOT NULL REFERENCES outcome (id),
    count INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (batch_id, outcome_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE void_count (
    batch_id INTEGER NOT NULL REFERENCES batch (id),
    reason TEXT NOT NULL CHECK (reason <> ''),
    count INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (batch_id, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE judgement (
    id INTEGER PRIMARY KEY,
    job_id INTEGER NOT NULL REFERENCES job (id),
    role TEXT NOT NULL CHECK (role IN ('source', 'target')),
    model TEXT NOT NULL CHECK (model <> ''),
    model_hash TEXT NOT NULL CHECK (length(model_hash) IN (0, 64)),
    mapping INTEGER NOT NULL CHECK (mapping >= 0),
    unjudged TEXT NOT NULL,
    cut TEXT NOT NULL CHECK (cut = '' OR unjudged = ''),
    racy INTEGER NOT NULL CHECK (racy IN (0, 1)),
    UNIQUE (job_id, role)
) STRICT;

CREATE TABLE verdict (
    judgement_id INTEGER NOT NULL REFERENCES judgement (id),
    label TEXT NOT NULL CHECK (label <> ''),
    verdict TEXT NOT NULL CHECK (verdict IN ({VERDICTS})),
    axiom TEXT NOT NULL CHECK (axiom = '' OR verdict = 'forbidden'),
    PRIMARY KEY (judgement_id, label)
) STRICT, WITHOUT ROWID;

CREATE TABLE merge (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run (id),
    source TEXT NOT NULL CHECK (source <> ''),
    host TEXT NOT NULL,
    tool_version TEXT NOT NULL,
    merged_at TEXT NOT NULL,
    jobs INTEGER NOT NULL CHECK (jobs >= 0),
    batches INTEGER NOT NULL CHECK (batches >= 0),
    left_out TEXT NOT NULL,
    UNIQUE (run_id, source, host, merged_at)
) STRICT;

CREATE TABLE part (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run (id),
    uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
    tool_version TEXT NOT NULL,
    command_line TEXT NOT NULL,
    host TEXT NOT NULL,
    environment_variables TEXT NOT NULL,
    seed INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ({RUN_STATES})),
    started_at TEXT NOT NULL,
    finished_at TEXT,
    CHECK ((state = 'started') = (finished_at IS NULL))
) STRICT;

-- The tests and environments of a plan are rows of their own tables; it ends where its run is merged into another file.
CREATE TABLE plan (
    run_id INTEGER PRIMARY KEY REFERENCES run (id),
    options TEXT NOT NULL
) STRICT;

CREATE TABLE planned_job (
    run_id INTEGER NOT NULL REFERENCES plan (run_id),
    number INTEGER NOT NULL CHECK (number >= 0),
    device_group INTEGER NOT NULL CHECK (device_group >= 0),
    control INTEGER NOT NULL CHECK (control IN (0, 1)),
    test_id INTEGER NOT NULL REFERENCES test (id),
    environment_id INTEGER NOT NULL REFERENCES environment (id),
    profile TEXT NOT NULL,
    lowering TEXT NOT NULL,
    file TEXT NOT NULL,
    target_instances INTEGER NOT NULL CHECK (target_instances >= 0),
    batch_instances INTEGER NOT NULL CHECK (batch_instances >= 0),
    resident_limit INTEGER NOT NULL CHECK (resident_limit >= 0),
    seconds_limit REAL NOT NULL CHECK (seconds_limit >= 0),
    job_id INTEGER UNIQUE REFERENCES job (id),
    PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE resumption (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES run (id),
    tool_version TEXT NOT NULL,
    command_line TEXT NOT NULL,
    host TEXT NOT NULL,
    environment_variables TEXT NOT NULL,
    started_at TEXT NOT NULL
) STRICT;
CREATE INDEX resumption_of_run ON resumption (run_id);

CREATE VIEW v_batch AS
SELECT b.job_id AS job, b.number AS batch, b.valid AS valid, b.instances AS instances,
    coalesce((SELECT sum(v.count) FROM void_count v WHERE v.batch_id = b.id), 0) AS voids,
    coalesce((SELECT sum(c.count) FROM outcome_count c JOIN outcome o ON o.id = c.outcome_id
        WHERE c.batch_id = b.id AND o.witness), 0) AS witnesses,
    b.started AS started, b.seconds AS seconds, b.draw AS draw, b.liveness AS liveness,
    b.arguments AS arguments
FROM batch b;

CREATE VIEW v_void AS
SELECT b.job_id AS job, v.reason AS reason, sum(v.count) AS count
FROM batch b JOIN void_count v ON v.batch_id = b.id WHERE b.valid GROUP BY 1, 2;

CREATE VIEW v_job AS
SELECT *, instances / nullif(seconds, 0.0) AS instances_per_second,
    witnesses / nullif(seconds, 0.0) AS witnesses_per_second,
    coalesce((SELECT sum(c.count)
        FROM batch b JOIN outcome_count c ON c.batch_id = b.id JOIN outcome o ON o.id = c.outcome_id
        LEFT JOIN judgement gs ON gs.job_id = b.job_id AND gs.role = 'source'
        LEFT JOIN verdict vs ON vs.judgement_id = gs.id AND vs.label = o.label
        LEFT JOIN judgement gt ON gt.job_id = b.job_id AND gt.role = 'target'
        LEFT JOIN verdict vt ON vt.judgement_id = gt.id AND vt.label = o.label
        WHERE b.job_id = s.job AND b.valid AND coalesce(vt.verdict, vs.verdict) = 'forbidden'), 0) AS forbidden,
    coalesce((SELECT kernel_hash FROM build WHERE job_id = s.job), '') AS kernel_hash,
    (SELECT circumstances FROM job WHERE id = s.job) AS circumstances,
    (SELECT kept FROM build WHERE job_id = s.job) AS kept,
    (SELECT kept_reason FROM build WHERE job_id = s.job) AS kept_reason,
    (SELECT lowering FROM job WHERE id = s.job) AS lowering
FROM (SELECT j.id AS job, j.uuid AS job_uuid, j.run_id AS run, r.uuid AS run_uuid,
    t.name AS test, t.dialect AS dialect, t.hash AS test_hash, t.condition AS condition,
    p.backend AS backend, d.name AS device, d.uuid AS device_uuid, p.platform AS platform,
    p.version AS driver, p.compiler AS compiler,
    e.hash AS environment_hash, j.profile AS profile, printf('%llu', j.seed) AS seed,
    j.replicate AS replicate, j.key AS key, j.state AS state, j.reason AS reason, j.controls AS controls,
    coalesce((SELECT marks FROM build WHERE job_id = j.id), '[]') AS marks,
    (SELECT count(*) FROM batch WHERE job_id = j.id AND valid) AS batches,
    (SELECT count(*) FROM batch WHERE job_id = j.id AND NOT valid) AS invalid_batches,
    coalesce((SELECT sum(instances) FROM batch WHERE job_id = j.id AND valid), 0) AS instances,
    coalesce((SELECT sum(voids) FROM v_batch WHERE job = j.id AND valid), 0) AS voids,
    coalesce((SELECT sum(witnesses) FROM v_batch WHERE job = j.id AND valid), 0) AS witnesses,
    coalesce(j.seconds, (SELECT max(started + seconds) FROM batch WHERE job_id = j.id), 0.0) AS seconds,
    j.started_at AS started_at, j.finished_at AS finished_at
FROM job j JOIN run r ON r.id = j.run_id JOIN test t ON t.id = j.test_id JOIN driver p ON p.id = j.driver_id
    JOIN device d ON d.id = p.device_id JOIN environment e ON e.id = j.environment_id) s;

CREATE VIEW v_outcome AS
SELECT s.job AS job, j.run_id AS run, t.name AS test, t.dialect AS dialect, t.hash AS test_hash,
    p.backend AS backend, d.name AS device, d.uuid AS device_uuid, p.version AS driver,
    e.hash AS environment_hash, o.label AS outcome, o.witness AS witness, s.count AS count,
    n.counted AS counted, s.count * 1.0 / n.counted AS rate,
    CASE gs.unjudged WHEN '' THEN gs.model END AS source_model, vs.verdict AS source_verdict,
    CASE gt.unjudged WHEN '' THEN gt.model END AS target_model, vt.verdict AS target_verdict,
    nullif(CASE coalesce(vt.verdict, vs.verdict) WHEN 'forbidden' THEN coalesce(vt.axiom, vs.axiom) END, '')
        AS axiom,
    CASE WHEN coalesce(vt.verdict, vs.verdict) IS NULL
        THEN coalesce(nullif(gt.unjudged || gt.cut, ''), nullif(gs.unjudged || gs.cut, '')) END AS unjudged,
    j.lowering AS lowering
FROM (SELECT b.job_id AS job, c.outcome_id AS outcome_id, sum(c.count) AS count
        FROM batch b JOIN outcome_count c ON c.batch_id = b.id WHERE b.valid GROUP BY 1, 2) s
    JOIN (SELECT job, sum(instances) - sum(voids) AS counted FROM v_batch WHERE valid GROUP BY 1) n
        ON n.job = s.job
    JOIN outcome o ON o.id = s.outcome_id JOIN job j ON j.id = s.job JOIN test t ON t.id = j.test_id
    JOIN driver p ON p.id = j.driver_id JOIN device d ON d.id = p.device_id
    JOIN environment e ON e.id = j.environment_id
    LEFT JOIN judgement gs ON gs.job_id = s.job AND gs.role = 'source'
    LEFT JOIN verdict vs ON vs.judgement_id = gs.id AND vs.label = o.label
    LEFT JOIN judgement gt ON gt.job_id = s.job AND gt.role = 'target'
    LEFT JOIN verdict vt ON vt.judgement_id = gt.id AND vt.label = o.label;

CREATE VIEW v_judgement AS
SELECT g.job_id AS job, g.role AS role, g.model AS model, g.unjudged AS unjudged,
    g.unjudged = '' AND g.cut = '' AS complete, g.racy AS racy, g.cut AS cut, g.model_hash AS model_hash
FROM judgement g;

CREATE VIEW v_run AS
SELECT r.id AS run, r.uuid AS run_uuid, r.tool_version AS tool_version, r.command_line AS command_line,
    r.host AS host, r.environment_variables AS environment_variables, printf('%llu', r.seed) AS seed,
    r.state AS state, r.started_at AS started_at, r.finished_at AS finished_at,
    (SELECT count(*) FROM job WHERE run_id = r.id) AS jobs
FROM run r;

CREATE VIEW v_merge AS
SELECT m.run_id AS run, m.source AS source, m.host AS host, m.tool_version AS tool_version,
    m.merged_at AS merged_at, m.jobs AS jobs, m.batches AS batches, m.left_out AS left_out
FROM merge m;

CREATE VIEW v_part AS
SELECT p.run_id AS run, p.uuid AS part_uuid, p.tool_version AS tool_version, p.command_line AS command_line,
    p.host AS host, p.environment_variables AS environment_variables, printf('%llu', p.seed) AS seed,
    p.state AS state, p.started_at AS started_at, p.finished_at AS finished_at
FROM part p;

CREATE VIEW v_resumption AS
SELECT s.run_id AS run, s.tool_version AS tool_version, s.command_line AS command_line, s.host AS host,
    s.environment_variables AS environment_variables, s.started_at AS started_at
FROM resumption s;
