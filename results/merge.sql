-- SPDX-License-Identifier: Apache-2.0
-- How a run of one file gets into another. results/merge.c runs these statements in this order for each run, in one
-- transaction: "source" is the file that it comes from, "main" the one that it goes to. Rows are matched by what they
-- contain, never by their ids. A line before a statement may say what its first row is for:
--
--   -- set NAME           the number is :NAME in all statements after it; 0 without a row
--   -- refuse STATUS      the text is why the run cannot be merged, after the name of the source
--
-- :from_run is the run of the source, :one_run the run that all are to become (or 0), :into the target's name,
-- :left_out a JSON array of the parts that are not copied, and :changes how many rows of the target have changed.

-- Jobs that both files have, at different times.
CREATE TEMP VIEW IF NOT EXISTS both AS
SELECT f.run_id AS run, f.id AS f, t.id AS t,
    coalesce(f.finished_at, '') > coalesce(t.finished_at, '') AS later,
    coalesce(f.finished_at, '') < coalesce(t.finished_at, '') AS older
FROM source.job f JOIN main.job t ON t.uuid = f.uuid;

CREATE TEMP VIEW IF NOT EXISTS both_tests AS
SELECT f.id AS f, t.id AS t
FROM source.test f JOIN source.content s ON s.id = f.text_id JOIN main.content c ON c.hash = s.hash
    JOIN main.test t ON t.hash = f.hash AND t.dialect = f.dialect AND t.name = f.name AND t.text_id = c.id
        AND t.condition = f.condition AND t.doc = f.doc;

CREATE TEMP VIEW IF NOT EXISTS both_devices AS
SELECT f.id AS f, t.id AS t
FROM source.device f JOIN main.device t USING (uuid, name, vendor, architecture, gpu, compute_units);

CREATE TEMP VIEW IF NOT EXISTS both_drivers AS
SELECT f.id AS f, t.id AS t
FROM source.driver f JOIN both_devices d ON d.f = f.device_id
    JOIN main.driver t ON t.device_id = d.t AND t.backend = f.backend AND t.platform = f.platform
        AND t.version = f.version AND t.compiler = f.compiler AND t.capabilities = f.capabilities;

-- The last known event of a run: its own start or end, or a job's. At equal times, the end of the run is later.
CREATE TEMP VIEW IF NOT EXISTS last_events AS
SELECT 'source' AS file, r.id AS run,
    max(r.started_at, coalesce(r.finished_at, ''),
        coalesce((SELECT max(coalesce(finished_at, started_at)) FROM source.job WHERE run_id = r.id), ''))
    || iif(r.finished_at IS NULL, '', '+') AS event
FROM source.run r
UNION ALL
SELECT 'main', r.id,
    max(r.started_at, coalesce(r.finished_at, ''),
        coalesce((SELECT max(coalesce(finished_at, started_at)) FROM main.job WHERE run_id = r.id), ''))
    || iif(r.finished_at IS NULL, '', '+')
FROM main.run r;

-- ---- what is refused ----

-- It is still being written, or its process was killed; the file does not show which.
-- refuse usage
SELECT printf('run %d has not ended, or was killed: wait for it, or use --unfinished to merge what it has', id)
FROM source.run WHERE id = :from_run AND state = 'started' AND NOT :unfinished;

-- refuse database
SELECT printf('is damaged: a batch of job %d does not add up', b.job_id)
FROM source.job j JOIN source.batch b ON b.job_id = j.id
WHERE j.run_id = :from_run
    AND b.instances <> coalesce((SELECT sum(c.count) FROM source.outcome_count c
            JOIN source.outcome o ON o.id = c.outcome_id WHERE c.batch_id = b.id), 0)
        + coalesce((SELECT sum(count) FROM source.void_count WHERE batch_id = b.id), 0) LIMIT 1;

-- refuse database
SELECT printf('is damaged: job %d has more than 2^60 instances', b.job_id)
FROM source.job j JOIN source.batch b ON b.job_id = j.id
WHERE j.run_id = :from_run GROUP BY b.job_id HAVING sum(b.instances) > :most_instances LIMIT 1;

-- ---- the run ----
-- Two copies of a run may show it at different times; the copy that saw more determines the state. Runs that became
-- one run of the target are its parts: each keeps its row, and together they determine the state of that run.

-- set last_job
SELECT max(id) FROM main.job;

-- The target's run that it is, or is a part of.
-- set to_run
SELECT t.id FROM source.run f JOIN main.run t ON t.uuid = f.uuid WHERE f.id = :from_run
UNION ALL SELECT t.run_id FROM source.run f JOIN main.part t ON t.uuid = f.uuid WHERE f.id = :from_run;

-- set is_new
SELECT :to_run = 0;

-- refuse usage
SELECT printf('run %d was merged before as run %d of %s, and the others as run %d: they cannot become one run',
    :from_run, :to_run, :into, :one_run)
WHERE NOT :is_new AND :one_run AND :to_run <> :one_run;

-- refuse usage
SELECT printf('run %d and run %d of %s have different seeds or versions of orchil, so they are not shards of one run',
    f.id, t.id, :into)
FROM source.run f JOIN main.run t ON t.id = :one_run AND (t.seed <> f.seed OR t.tool_version <> f.tool_version)
WHERE f.id = :from_run AND :is_new;

INSERT INTO main.run (uuid, tool_version, command_line, host, environment_variables, seed, state, started_at,
    finished_at)
SELECT uuid, tool_version, command_line, host, environment_variables, seed, state, started_at, finished_at
FROM source.run WHERE id = :from_run AND :is_new AND NOT :one_run;

-- set to_run
SELECT iif(NOT :is_new, :to_run, iif(:one_run, :one_run, last_insert_rowid()));

-- A run that others join becomes the first of its own parts.
INSERT INTO main.part (run_id, uuid, tool_version, command_line, host, environment_variables, seed, state, started_at,
    finished_at)
SELECT id, uuid, tool_version, command_line, host, environment_variables, seed, state, started_at, finished_at
FROM main.run
WHERE id = :to_run AND :is_new AND :one_run AND NOT EXISTS (SELECT 1 FROM main.part WHERE run_id = :to_run);

-- set has_parts
SELECT EXISTS (SELECT 1 FROM source.part WHERE run_id = :from_run)
    OR EXISTS (SELECT 1 FROM main.part WHERE run_id = :to_run);

-- The parts of the source's run, or itself. A run of the target that is not a part stays one.
INSERT INTO main.part (run_id, uuid, tool_version, command_line, host, environment_variables, seed, state, started_at,
    finished_at)
SELECT :to_run, uuid, tool_version, command_line, host, environment_variables, seed, state, started_at, finished_at
FROM (SELECT * FROM source.part WHERE run_id = :from_run
    UNION ALL SELECT id, id, uuid, tool_version, command_line, host, environment_variables, seed, state, started_at,
        finished_at FROM source.run
    WHERE id = :from_run AND NOT EXISTS (SELECT 1 FROM source.part WHERE run_id = :from_run)) f
WHERE :has_parts AND NOT EXISTS (SELECT 1 FROM main.run WHERE uuid = f.uuid AND id <> :to_run)
ON CONFLICT (uuid) DO UPDATE SET state = excluded.state, finished_at = excluded.finished_at
WHERE coalesce(excluded.finished_at, '') > coalesce(part.finished_at, '');

-- A run with parts gets its state from them, and lasts from their first start to their last end.
UPDATE main.run AS t SET (state, started_at, finished_at) = (s.state, s.started_at, s.finished_at)
FROM (SELECT CASE WHEN max(state = 'started') THEN 'started' WHEN max(state = 'failed') THEN 'failed'
        WHEN max(state = 'interrupted') THEN 'interrupted' ELSE 'completed' END AS state,
    min(started_at) AS started_at, iif(max(state = 'started'), NULL, max(finished_at)) AS finished_at
    FROM main.part WHERE run_id = :to_run) s
WHERE t.id = :to_run AND :has_parts
    AND (t.state <> s.state OR t.started_at <> s.started_at OR t.finished_at IS NOT s.finished_at);

UPDATE main.run AS t
SET (uuid, tool_version, command_line, host, environment_variables, seed, state, started_at, finished_at)
    = (f.uuid, f.tool_version, f.command_line, f.host, f.environment_variables, f.seed, f.state, f.started_at,
        f.finished_at)
FROM source.run f
WHERE t.id = :to_run AND f.id = :from_run AND NOT :is_new AND NOT :has_parts
    AND (SELECT event FROM last_events WHERE file = 'source' AND run = f.id)
        > (SELECT event FROM last_events WHERE file = 'main' AND run = t.id);

-- Who resumed the run.
INSERT INTO main.resumption (run_id, tool_version, command_line, host, environment_variables, started_at)
SELECT :to_run, tool_version, command_line, host, environment_variables, started_at
FROM source.resumption f
WHERE run_id = :from_run AND NOT EXISTS (SELECT 1 FROM main.resumption t WHERE t.run_id = :to_run
    AND t.started_at = f.started_at AND t.host = f.host AND t.command_line = f.command_line)
ORDER BY id;

-- ---- what its jobs refer to ----

-- set last_content
SELECT max(id) FROM main.content;

INSERT INTO main.content (hash, text)
SELECT hash, text FROM source.content
WHERE id IN (SELECT t.text_id FROM source.job j JOIN source.test t ON t.id = j.test_id WHERE j.run_id = :from_run
    UNION SELECT b.kernel_id FROM source.job j JOIN source.build b ON b.job_id = j.id
        WHERE j.run_id = :from_run AND NOT instr(:left_out, 'kernels')
    UNION SELECT b.binary_id FROM source.job j JOIN source.build b ON b.job_id = j.id
        WHERE j.run_id = :from_run AND NOT instr(:left_out, 'binaries')
    UNION SELECT b.log_id FROM source.job j JOIN source.build b ON b.job_id = j.id
        WHERE j.run_id = :from_run AND NOT instr(:left_out, 'logs'))
ORDER BY id
ON CONFLICT (hash) DO NOTHING;

-- A text that was damaged on a bad disk, so that it does not match its hash, must not spread.
-- refuse database
SELECT printf('is damaged: the text %s does not have that hash', hash)
FROM main.content WHERE id > :last_content AND hash <> sha256(text) LIMIT 1;

-- The empty text is in place of what is left out.
INSERT INTO main.content (hash, text)
SELECT sha256(''), '' FROM source.job j JOIN source.build b ON b.job_id = j.id
WHERE j.run_id = :from_run AND :left_out NOT IN ('[]', '["draws"]') AND j.uuid NOT IN (SELECT uuid FROM main.job) LIMIT 1
ON CONFLICT (hash) DO NOTHING;

INSERT INTO main.test (text_id, hash, dialect, name, condition, doc)
SELECT c.id, f.hash, f.dialect, f.name, f.condition, f.doc
FROM source.test f JOIN source.content s ON s.id = f.text_id JOIN main.content c ON c.hash = s.hash
WHERE f.id IN (SELECT test_id FROM source.job WHERE run_id = :from_run)
ORDER BY f.id
ON CONFLICT DO NOTHING;

-- refuse database
SELECT printf('an environment has the hash of another one in ''%s''', :into)
FROM source.job j JOIN source.environment f ON f.id = j.environment_id
    JOIN main.environment t ON t.hash = f.hash AND t.text <> f.text
WHERE j.run_id = :from_run AND j.uuid NOT IN (SELECT uuid FROM main.job) LIMIT 1;

INSERT INTO main.environment (hash, text)
SELECT hash, text FROM source.environment
WHERE id IN (SELECT environment_id FROM source.job
    WHERE run_id = :from_run AND uuid NOT IN (SELECT uuid FROM main.job))
ORDER BY id
ON CONFLICT (hash) DO NOTHING;

-- The drivers of new jobs, and of those that were resumed since, maybe with another driver.
CREATE TEMP VIEW IF NOT EXISTS new_drivers AS
SELECT j.run_id AS run, p.* FROM source.job j JOIN source.driver p ON p.id = j.driver_id
    LEFT JOIN both ON both.f = j.id
WHERE coalesce(both.later, 1);

INSERT INTO main.device (uuid, name, vendor, architecture, gpu, compute_units)
SELECT uuid, name, vendor, architecture, gpu, compute_units FROM source.device
WHERE id IN (SELECT device_id FROM new_drivers WHERE run = :from_run)
ORDER BY id
ON CONFLICT DO NOTHING;

INSERT INTO main.driver (device_id, backend, platform, version, compiler, capabilities)
SELECT d.t, f.backend, f.platform, f.version, f.compiler, f.capabilities
FROM source.driver f JOIN both_devices d ON d.f = f.device_id
WHERE f.id IN (SELECT id FROM new_drivers WHERE run = :from_run)
ORDER BY f.id
ON CONFLICT DO NOTHING;

-- ---- jobs that the target has ----
-- Jobs with the same UUID are the same job at different times. A job only gains batches, a build, judgements and an
-- end, so what the target lacks is added. Nothing else changes except what was open or left out, and the judgements,
-- which a resumed job gets again.

-- refuse database
SELECT printf('job %d has the UUID of another job, %d of %s: one of them was changed', f.id, t.id, :into)
FROM both JOIN source.job f ON f.id = both.f JOIN main.job t ON t.id = both.t
WHERE both.run = :from_run
    AND (t.key <> f.key OR t.seed <> f.seed OR t.replicate <> f.replicate OR t.controls <> f.controls
        OR t.lowering <> f.lowering OR t.test_id IS NOT (SELECT b.t FROM both_tests b WHERE b.f = f.test_id))
LIMIT 1;

-- refuse database
SELECT printf('batch %d of job %d differs from the same batch of job %d in %s: the job was resumed in two copies of a '
    || 'database, and only one of them can be merged', f.number, both.f, both.t, :into)
FROM both JOIN source.batch f ON f.job_id = both.f JOIN main.batch t ON t.job_id = both.t AND t.number = f.number
WHERE both.run = :from_run
    AND (t.instances <> f.instances OR t.valid <> f.valid OR t.started <> f.started OR t.seconds <> f.seconds)
ORDER BY both.f, f.number LIMIT 1;

-- The later end wins: it ends a job that was open, or that was stopped and resumed. The other columns of a build stay:
-- a resumed job keeps its first one.
DELETE FROM main.verdict WHERE judgement_id IN (SELECT g.id FROM both JOIN main.judgement g ON g.job_id = both.t
    WHERE both.run = :from_run AND both.later);
DELETE FROM main.judgement WHERE job_id IN (SELECT t FROM both WHERE run = :from_run AND later);
UPDATE main.build AS t SET kept = f.kept, kept_reason = f.kept_reason, marks = f.marks
FROM both JOIN source.build f ON f.job_id = both.f
WHERE both.run = :from_run AND both.later AND t.job_id = both.t;
UPDATE main.job AS t SET (driver_id, profile, state, reason, detail, seconds, started_at, finished_at, circumstances,
        target_instances, batch_instances)
    = (d.t, f.profile, f.state, f.reason, f.detail, f.seconds, f.started_at, f.finished_at, f.circumstances,
        f.target_instances, f.batch_instances)
FROM both JOIN source.job f ON f.id = both.f JOIN both_drivers d ON d.f = f.driver_id
WHERE both.run = :from_run AND both.later AND t.id = both.t;

-- Draws and texts that an earlier merge left out.
UPDATE main.batch AS t SET draw = f.draw
FROM both JOIN source.batch f ON f.job_id = both.f AND f.draw <> '{}'
WHERE both.run = :from_run AND t.job_id = both.t AND t.number = f.number AND t.draw = '{}'
    AND NOT instr(:left_out, 'draws');
UPDATE main.build AS t SET kernel_id = c.id
FROM both JOIN source.build f ON f.job_id = both.f JOIN source.content s ON s.id = f.kernel_id AND s.text <> ''
    JOIN main.content c ON c.hash = s.hash
WHERE both.run = :from_run AND t.job_id = both.t AND NOT instr(:left_out, 'kernels')
    AND t.kernel_id = (SELECT id FROM main.content WHERE hash = sha256(''));
UPDATE main.build AS t SET binary_id = c.id
FROM both JOIN source.build f ON f.job_id = both.f JOIN source.content s ON s.id = f.binary_id AND s.text <> ''
    JOIN main.content c ON c.hash = s.hash
WHERE both.run = :from_run AND t.job_id = both.t AND NOT instr(:left_out, 'binaries')
    AND t.binary_id = (SELECT id FROM main.content WHERE hash = sha256(''));
UPDATE main.build AS t SET log_id = c.id
FROM both JOIN source.build f ON f.job_id = both.f JOIN source.content s ON s.id = f.log_id AND s.text <> ''
    JOIN main.content c ON c.hash = s.hash
WHERE both.run = :from_run AND t.job_id = both.t AND NOT instr(:left_out, 'logs')
    AND t.log_id = (SELECT id FROM main.content WHERE hash = sha256(''));

-- ---- jobs that are new ----

INSERT INTO main.job (run_id, driver_id, test_id, environment_id, uuid, profile, key, seed, replicate, controls,
    lowering, state, reason, detail, seconds, started_at, finished_at, circumstances, target_instances,
    batch_instances)
SELECT :to_run, d.t, b.t, e.id, f.uuid, f.profile, f.key, f.seed, f.replicate, f.controls,
    f.lowering, f.state, f.reason, f.detail, f.seconds, f.started_at, f.finished_at, f.circumstances,
    f.target_instances, f.batch_instances
FROM source.job f JOIN both_drivers d ON d.f = f.driver_id JOIN both_tests b ON b.f = f.test_id
    JOIN source.environment s ON s.id = f.environment_id JOIN main.environment e ON e.hash = s.hash
WHERE f.run_id = :from_run AND f.uuid NOT IN (SELECT uuid FROM main.job)
ORDER BY f.id;

-- If both files have the plan of the run, links the jobs to it, so that resuming the target's run does not begin them
-- again.
UPDATE main.planned_job AS t SET job_id = j.id
FROM both JOIN main.job j ON j.id = both.t JOIN source.planned_job p ON p.job_id = both.f
    JOIN source.run f ON f.id = p.run_id JOIN main.run r ON r.uuid = f.uuid AND r.id = :to_run
WHERE both.run = :from_run AND both.t > :last_job AND t.run_id = :to_run AND t.number = p.number
    AND t.job_id IS NULL AND t.test_id = j.test_id;

-- ---- what belongs to jobs ----

INSERT INTO main.build (job_id, kernel_id, binary_id, log_id, kernel_hash, seconds, resident_groups, marks, kept,
    kept_reason)
SELECT both.t, k.id, b.id, l.id, f.kernel_hash, f.seconds, f.resident_groups, f.marks, f.kept, f.kept_reason
FROM both JOIN source.build f ON f.job_id = both.f
    JOIN source.content sk ON sk.id = f.kernel_id JOIN source.content sb ON sb.id = f.binary_id
    JOIN source.content sl ON sl.id = f.log_id
    JOIN main.content k ON k.hash = iif(instr(:left_out, 'kernels'), sha256(''), sk.hash)
    JOIN main.content b ON b.hash = iif(instr(:left_out, 'binaries'), sha256(''), sb.hash)
    JOIN main.content l ON l.hash = iif(instr(:left_out, 'logs'), sha256(''), sl.hash)
WHERE both.run = :from_run
ORDER BY both.f
ON CONFLICT (job_id) DO NOTHING;

-- set last_judgement
SELECT max(id) FROM main.judgement;

-- Not those of a job that has been judged in the target since.
INSERT INTO main.judgement (job_id, role, model, model_hash, mapping, unjudged, cut, racy)
SELECT both.t, f.role, f.model, f.model_hash, f.mapping, f.unjudged, f.cut, f.racy
FROM both JOIN source.judgement f ON f.job_id = both.f
WHERE both.run = :from_run AND NOT both.older
ORDER BY f.id
ON CONFLICT (job_id, role) DO NOTHING;

INSERT INTO main.verdict (judgement_id, label, verdict, axiom)
SELECT t.id, v.label, v.verdict, v.axiom
FROM both JOIN source.judgement f ON f.job_id = both.f
    JOIN main.judgement t ON t.job_id = both.t AND t.role = f.role AND t.id > :last_judgement
    JOIN source.verdict v ON v.judgement_id = f.id
WHERE both.run = :from_run;

-- set last_batch
SELECT max(id) FROM main.batch;

INSERT INTO main.batch (job_id, draw, number, arguments, instances, seconds, started, valid, liveness, invalid)
SELECT both.t, iif(instr(:left_out, 'draws'), '{}', f.draw), f.number, f.arguments, f.instances, f.seconds, f.started,
    f.valid, f.liveness, f.invalid
FROM both JOIN source.batch f ON f.job_id = both.f
WHERE both.run = :from_run
ORDER BY both.f, f.number
ON CONFLICT (job_id, number) DO NOTHING;

INSERT INTO main.outcome (test_id, label, witness)
SELECT DISTINCT j.test_id, o.label, o.witness
FROM both JOIN main.job j ON j.id = both.t JOIN main.batch t ON t.job_id = both.t AND t.id > :last_batch
    JOIN source.batch f ON f.job_id = both.f AND f.number = t.number
    JOIN source.outcome_count c ON c.batch_id = f.id JOIN source.outcome o ON o.id = c.outcome_id
WHERE both.run = :from_run
ORDER BY o.id
ON CONFLICT (test_id, label, witness) DO NOTHING;

INSERT INTO main.outcome_count (batch_id, outcome_id, count)
SELECT t.id, p.id, c.count
FROM both JOIN main.job j ON j.id = both.t JOIN main.batch t ON t.job_id = both.t AND t.id > :last_batch
    JOIN source.batch f ON f.job_id = both.f AND f.number = t.number
    JOIN source.outcome_count c ON c.batch_id = f.id JOIN source.outcome o ON o.id = c.outcome_id
    JOIN main.outcome p ON p.test_id = j.test_id AND p.label = o.label AND p.witness = o.witness
WHERE both.run = :from_run;

INSERT INTO main.void_count (batch_id, reason, count)
SELECT t.id, v.reason, v.count
FROM both JOIN main.batch t ON t.job_id = both.t AND t.id > :last_batch
    JOIN source.batch f ON f.job_id = both.f AND f.number = t.number JOIN source.void_count v ON v.batch_id = f.id
WHERE both.run = :from_run;

-- A job with batches from both files: the source's alone were counted above.
-- refuse database
SELECT printf('with it, job %d of %s would have more than 2^60 instances', b.job_id, :into)
FROM both JOIN main.batch b ON b.job_id = both.t
WHERE both.run = :from_run AND both.t <= :last_job
GROUP BY b.job_id HAVING sum(b.instances) > :most_instances AND max(b.id) > :last_batch LIMIT 1;

-- Shards share no job.
-- refuse usage
SELECT 'two of the runs have the same test on the same device, so they are not shards of one run'
FROM main.job b JOIN main.job a ON a.key = b.key AND a.test_id = b.test_id AND a.driver_id = b.driver_id
    AND a.controls = b.controls AND a.lowering = b.lowering AND a.replicate = b.replicate
    AND a.run_id = b.run_id AND a.id <= :last_job
WHERE b.run_id = :to_run AND b.id > :last_job AND :one_run AND :is_new LIMIT 1;

-- ---- where it came from: what the source knows about that, and the source itself ----

-- set jobs
SELECT count(*) FROM main.job WHERE id > :last_job;

-- set batches
SELECT count(*) FROM main.batch WHERE id > :last_batch;

-- set grown
SELECT :changes > 0;

INSERT INTO main.merge (run_id, source, host, tool_version, merged_at, jobs, batches, left_out)
SELECT :to_run, source, host, tool_version, merged_at, jobs, batches, left_out FROM source.merge
WHERE run_id = :from_run AND :grown
ORDER BY id
ON CONFLICT (run_id, source, host, merged_at) DO NOTHING;

INSERT INTO main.merge (run_id, source, host, tool_version, merged_at, jobs, batches, left_out)
SELECT :to_run, :from, :host, :tool_version, strftime('%Y-%m-%dT%H:%M:%fZ'), :jobs, :batches, :left_out WHERE :grown
ON CONFLICT (run_id, source, host, merged_at)
DO UPDATE SET jobs = jobs + excluded.jobs, batches = batches + excluded.batches;
