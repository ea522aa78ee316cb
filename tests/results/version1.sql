-- SPDX-License-Identifier: Apache-2.0
-- A database of schema version 1, as sqlite3's .dump gives it, with its application_id and user_version.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    applied_at TEXT NOT NULL
) STRICT;
INSERT INTO migration VALUES(1,'first version','2026-11-21T03:07:06.343Z');
CREATE TABLE content (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
    text TEXT NOT NULL
) STRICT;
INSERT INTO content VALUES(1,'3cdf44ba53eebcb5243f11df33ecc2a5ddf15652da9708457c0c80b69ceeea63',replace('OPENCL SB+relaxed\n...','\n',char(10)));
INSERT INTO content VALUES(2,'6923dd1bc0460082c5d55a831908c24a282860b7f1cd6c2b79cf1bc8857c639c','kernel');
INSERT INTO content VALUES(3,'d9657e50116f295ed2619730493b11018e73fa798b576fffa7f01973aba8d929','ptx');
INSERT INTO content VALUES(4,'5775e775a009a883570f8738b2efba72ebd889bebd792398088abf4b78a55133','a log');
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
INSERT INTO device VALUES(1,'00000000-0000-0000-0000-00000000000a','Simulated GPU','nobody','weak',1,132);
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
INSERT INTO driver VALUES(1,1,'simulated','simulated platform','1.0','2.0','{"subgroups":true}');
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
INSERT INTO test VALUES(1,'8f14e45fceea167a','OPENCL','SB+relaxed',1,'exists (0:r0=0 /\ 1:r1=0)','store buffering');
CREATE TABLE environment (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE CHECK (hash <> ''),
    text TEXT NOT NULL
) STRICT;
INSERT INTO environment VALUES(1,'c9f0f895fb98ab91','{"stress":[0,100]}');
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
    tool_version TEXT NOT NULL,
    command_line TEXT NOT NULL,
    host TEXT NOT NULL,
    environment_variables TEXT NOT NULL,
    seed INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('started', 'completed', 'interrupted', 'failed')),
    started_at TEXT NOT NULL,
    finished_at TEXT,
    CHECK ((state = 'started') = (finished_at IS NULL))
) STRICT;
INSERT INTO run VALUES(1,'f0aedd6a-4df8-4fac-9b16-46f4240c93bd','0.1.0','orchil run SB+relaxed','somewhere, Linux 6.1, x86_64','{"CUDA_CACHE_DISABLE":"1"}',-1,'interrupted','2026-11-21T03:07:06.357Z','2026-11-21T03:07:06.377Z');
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
    state TEXT NOT NULL CHECK (state IN ('started', 'completed', 'unsupported', 'build-failed', 'hang', 'crash',
        'device-lost', 'invalid', 'interrupted', 'not-run')),
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    seconds REAL CHECK (seconds >= 0),
    started_at TEXT NOT NULL,
    finished_at TEXT,
    CHECK ((state = 'started') = (finished_at IS NULL)),
    CHECK ((state = 'started') = (seconds IS NULL))
) STRICT;
INSERT INTO job VALUES(1,'706cc8c5-5eef-4c7f-b859-61632c1498c8',1,1,1,1,'portable','45c48cce2e2d7fbd',7,2,'','completed','','',1.5,'2026-11-21T03:07:06.361Z','2026-11-21T03:07:06.370Z');
INSERT INTO job VALUES(2,'d1734771-cb33-4db5-9ab7-256398b1bbcb',1,1,1,1,'portable','45c48cce2e2d7fbd',7,2,'','hang','no progress','the end of stderr',2.5,'2026-11-21T03:07:06.372Z','2026-11-21T03:07:06.374Z');
INSERT INTO job VALUES(3,'f48ab77a-3629-402b-b09e-e7143d1f8b03',1,1,1,1,'portable','45c48cce2e2d7fbd',7,2,'','started','','',NULL,'2026-11-21T03:07:06.376Z',NULL);
CREATE TABLE build (
    job_id INTEGER PRIMARY KEY REFERENCES job (id),
    kernel_id INTEGER NOT NULL REFERENCES content (id),
    binary_id INTEGER NOT NULL REFERENCES content (id),
    log_id INTEGER NOT NULL REFERENCES content (id),
    seconds REAL NOT NULL CHECK (seconds >= 0),
    resident_groups INTEGER NOT NULL CHECK (resident_groups >= 0),
    marks TEXT NOT NULL
) STRICT;
INSERT INTO build VALUES(1,2,3,4,0.5,256,'["undeclared"]');
CREATE TABLE batch (
    id INTEGER PRIMARY KEY,
    job_id INTEGER NOT NULL REFERENCES job (id),
    number INTEGER NOT NULL CHECK (number >= 0),
    draw TEXT NOT NULL,
    instances INTEGER NOT NULL CHECK (instances >= 0),
    seconds REAL NOT NULL CHECK (seconds >= 0),
    started REAL NOT NULL CHECK (started >= 0),
    valid INTEGER NOT NULL CHECK (valid IN (0, 1)),
    liveness TEXT NOT NULL,
    UNIQUE (job_id, number)
) STRICT;
INSERT INTO batch VALUES(1,1,0,'{"groups":128,"stress":[1,2,3]}',1505,0.25,0.0,1,'{"memory_stress":64}');
INSERT INTO batch VALUES(2,1,1,'{"groups":128,"stress":[1,2,3]}',1507,0.25,0.5,1,'{"memory_stress":64}');
INSERT INTO batch VALUES(3,1,2,'{"groups":128,"stress":[1,2,3]}',1509,0.25,1.0,1,'{"memory_stress":64}');
INSERT INTO batch VALUES(4,1,3,'{"groups":128,"stress":[1,2,3]}',1511,0.25,1.5,0,'{"memory_stress":64}');
INSERT INTO batch VALUES(5,2,0,'{"groups":128,"stress":[1,2,3]}',1505,0.25,0.0,1,'{"memory_stress":64}');
CREATE TABLE outcome (
    id INTEGER PRIMARY KEY,
    test_id INTEGER NOT NULL REFERENCES test (id),
    label TEXT NOT NULL,
    witness INTEGER NOT NULL CHECK (witness IN (0, 1)),
    UNIQUE (test_id, label, witness)
) STRICT;
INSERT INTO outcome VALUES(1,1,'0:r0=1; 1:r1=1;',0);
INSERT INTO outcome VALUES(2,1,'0:r0=0; 1:r1=0;',1);
INSERT INTO outcome VALUES(3,1,'0:r0=0; 1:r1=1;',0);
CREATE TABLE outcome_count (
    batch_id INTEGER NOT NULL REFERENCES batch (id),
    outcome_id INTEGER NOT NULL REFERENCES outcome (id),
    count INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (batch_id, outcome_id)
) STRICT, WITHOUT ROWID;
INSERT INTO outcome_count VALUES(1,1,1000);
INSERT INTO outcome_count VALUES(1,2,3);
INSERT INTO outcome_count VALUES(1,3,500);
INSERT INTO outcome_count VALUES(2,1,1001);
INSERT INTO outcome_count VALUES(2,2,3);
INSERT INTO outcome_count VALUES(2,3,500);
INSERT INTO outcome_count VALUES(3,1,1002);
INSERT INTO outcome_count VALUES(3,2,3);
INSERT INTO outcome_count VALUES(3,3,500);
INSERT INTO outcome_count VALUES(4,1,1003);
INSERT INTO outcome_count VALUES(4,2,3);
INSERT INTO outcome_count VALUES(4,3,500);
INSERT INTO outcome_count VALUES(5,1,1000);
INSERT INTO outcome_count VALUES(5,2,3);
INSERT INTO outcome_count VALUES(5,3,500);
CREATE TABLE void_count (
    batch_id INTEGER NOT NULL REFERENCES batch (id),
    reason TEXT NOT NULL CHECK (reason <> ''),
    count INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (batch_id, reason)
) STRICT, WITHOUT ROWID;
INSERT INTO void_count VALUES(1,'gave_up',2);
INSERT INTO void_count VALUES(2,'gave_up',3);
INSERT INTO void_count VALUES(3,'gave_up',4);
INSERT INTO void_count VALUES(4,'gave_up',5);
INSERT INTO void_count VALUES(5,'gave_up',2);
CREATE INDEX job_of_run ON job (run_id);
CREATE INDEX job_by_key ON job (key);
CREATE INDEX job_of_test ON job (test_id, driver_id);
CREATE VIEW v_batch AS
SELECT b.job_id AS job, b.number AS batch, b.valid AS valid, b.instances AS instances,
    coalesce((SELECT sum(v.count) FROM void_count v WHERE v.batch_id = b.id), 0) AS voids,
    coalesce((SELECT sum(c.count) FROM outcome_count c JOIN outcome o ON o.id = c.outcome_id
        WHERE c.batch_id = b.id AND o.witness), 0) AS witnesses,
    b.started AS started, b.seconds AS seconds, b.draw AS draw, b.liveness AS liveness
FROM batch b;
CREATE VIEW v_job AS
SELECT *, instances / nullif(seconds, 0.0) AS instances_per_second,
    witnesses / nullif(seconds, 0.0) AS witnesses_per_second
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
    JOIN device d ON d.id = p.device_id JOIN environment e ON e.id = j.environment_id);
CREATE VIEW v_outcome AS
SELECT s.job AS job, j.run_id AS run, t.name AS test, t.dialect AS dialect, t.hash AS test_hash,
    p.backend AS backend, d.name AS device, d.uuid AS device_uuid, p.version AS driver,
    e.hash AS environment_hash, o.label AS outcome, o.witness AS witness, s.count AS count,
    n.counted AS counted, s.count * 1.0 / n.counted AS rate
FROM (SELECT b.job_id AS job, c.outcome_id AS outcome_id, sum(c.count) AS count
        FROM batch b JOIN outcome_count c ON c.batch_id = b.id WHERE b.valid GROUP BY 1, 2) s
    JOIN (SELECT job, sum(instances) - sum(voids) AS counted FROM v_batch WHERE valid GROUP BY 1) n
        ON n.job = s.job
    JOIN outcome o ON o.id = s.outcome_id JOIN job j ON j.id = s.job JOIN test t ON t.id = j.test_id
    JOIN driver p ON p.id = j.driver_id JOIN device d ON d.id = p.device_id
    JOIN environment e ON e.id = j.environment_id;
CREATE VIEW v_void AS
SELECT b.job_id AS job, v.reason AS reason, sum(v.count) AS count
FROM batch b JOIN void_count v ON v.batch_id = b.id WHERE b.valid GROUP BY 1, 2;
COMMIT;
PRAGMA application_id = 0x6f726368;
PRAGMA user_version = 1;
