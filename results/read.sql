-- SPDX-License-Identifier: Apache-2.0
-- What results/read.c reads. A statement is below its name, the kinds of its columns (columns_expect in
-- results/soundness.h; none for a view) and what completes "reading ... failed", in which # is the id. ?1 is the id.
-- {plausible} is a condition: of jobs whose counts may be true.

-- runs ibbbbittT its runs
SELECT id, tool_version, command_line, host, environment_variables, seed, state, started_at, finished_at
FROM run
WHERE ?1 = 0 OR id = ?1
ORDER BY id;

-- jobs iitttttttttttbttbtttnnnnnrtbbtttTBtttu its jobs
SELECT job, run, test, dialect, condition, test_hash, backend, device, device_uuid, platform, driver, compiler,
    environment_hash, profile, key, controls, reason, state, marks, seed, replicate, batches, invalid_batches,
    instances, voids, seconds, run_uuid,
    (SELECT tool_version FROM run WHERE id = v_job.run) AS tool_version,
    (SELECT host FROM run WHERE id = v_job.run) AS host,
    started_at, kernel_hash, circumstances, kept, kept_reason, lowering,
    (SELECT printf('%s with %d compute units', iif(d.gpu, 'a GPU', 'a processor'), d.compute_units)
        FROM job j JOIN driver p ON p.id = j.driver_id JOIN device d ON d.id = p.device_id
        WHERE j.id = v_job.job) AS hardware,
    (SELECT state FROM run WHERE id = v_job.run) AS run_state,
    coalesce((SELECT resident_groups FROM build WHERE job_id = v_job.job), 0) AS resident_groups
FROM v_job
WHERE ?1 = 0 OR run = ?1
ORDER BY job;

-- facts ttnubBUnnR the build and the device of job #
SELECT d.vendor, d.architecture, d.gpu, d.compute_units, j.detail, l.text, b.resident_groups,
    j.target_instances, j.batch_instances, b.seconds
FROM job j JOIN driver p ON p.id = j.driver_id JOIN device d ON d.id = p.device_id
    LEFT JOIN build b ON b.job_id = j.id LEFT JOIN content l ON l.id = b.log_id
WHERE j.id = ?1;

-- outcomes tnnn the outcomes of job #
SELECT outcome, count, witness, 0
FROM v_outcome
WHERE job = ?1 {plausible}
ORDER BY count DESC, outcome, witness;

-- voids tnnn the voids of job #
SELECT reason, count, 0, 0
FROM v_void
WHERE job = ?1 {plausible}
ORDER BY reason;

-- batches ....r the batches of job #
SELECT batch, arguments, instances, voids, seconds
FROM v_batch
WHERE job = ?1 AND valid {plausible}
ORDER BY batch;

-- homes tnn the homes of job #
SELECT (SELECT group_concat(key || '=' || value, ',') FROM json_each(draw, '$.homes')),
    sum(max(instances - voids, 0)), sum(witnesses)
FROM v_batch
WHERE job = ?1 AND valid AND instr(draw, '"homes"') > 0 AND json_valid(draw)
    AND json_type(draw, '$.homes') = 'object' AND json_extract(draw, '$.homes') <> '{}' {plausible}
GROUP BY 1
ORDER BY 1;

-- batch_outcomes t... the outcomes of the batches of job #
SELECT o.label, c.count, o.witness, b.number
FROM batch b JOIN outcome_count c ON c.batch_id = b.id LEFT JOIN outcome o ON o.id = c.outcome_id
WHERE b.job_id = ?1 AND b.valid {plausible}
ORDER BY b.number, c.outcome_id;

-- batch_voids tnnn the voids of the batches of job #
SELECT v.reason, v.count, 0, b.number
FROM batch b JOIN void_count v ON v.batch_id = b.id
WHERE b.job_id = ?1 AND b.valid {plausible}
ORDER BY b.number, v.reason;

-- verdicts tttubbnTTT the verdicts on job #
SELECT g.role, g.model, g.model_hash, g.mapping, g.unjudged, g.cut, g.racy, v.label, v.verdict, v.axiom
FROM judgement g LEFT JOIN verdict v ON v.judgement_id = g.id
WHERE g.job_id = ?1
ORDER BY g.role, v.label;

-- judged iittttttun its judgements
SELECT j.id, j.run_id, t.name, t.dialect, t.hash, g.role, g.model, g.model_hash, g.mapping, g.unjudged = ''
FROM judgement g JOIN job j ON j.id = g.job_id JOIN test t ON t.id = j.test_id
WHERE ?1 IN (0, j.run_id)
ORDER BY t.dialect, t.hash, j.id, g.role;

-- test bb the test of job #
SELECT c.text, t.doc
FROM job j JOIN test t ON t.id = j.test_id JOIN content c ON c.id = t.text_id
WHERE j.id = ?1;

-- environment bt the environment of job #
SELECT e.text, ''
FROM job j JOIN environment e ON e.id = j.environment_id
WHERE j.id = ?1;

-- binary bt the compiled code of job #
SELECT c.text, ''
FROM build b JOIN content c ON c.id = b.binary_id
WHERE b.job_id = ?1;

-- capabilities bt the device of job #
SELECT p.capabilities, ''
FROM job j JOIN driver p ON p.id = j.driver_id
WHERE j.id = ?1;

-- plan bt the plan of run #
SELECT options, ''
FROM plan
WHERE run_id = ?1;

-- planned nnbtttbtbtbbiTBBTUnnNNRBTBtnnur the plan of run #
SELECT n.device_group, n.control, n.file, t.dialect, t.name, t.hash, c.text, t.condition, t.doc, e.hash,
    e.text, n.profile, coalesce(j.id, 0), j.state, j.reason, p.capabilities, b.marks, b.resident_groups,
    (SELECT count(*) FROM batch WHERE job_id = j.id AND valid),
    (SELECT count(*) FROM batch WHERE job_id = j.id AND NOT valid),
    (SELECT sum(instances) FROM batch WHERE job_id = j.id AND valid),
    (SELECT sum(instances) FROM batch WHERE job_id = j.id),
    (SELECT max(started + seconds) FROM batch WHERE job_id = j.id),
    (SELECT invalid FROM batch WHERE job_id = j.id AND NOT valid ORDER BY number LIMIT 1),
    b.kept, b.kept_reason, n.lowering, n.target_instances, n.batch_instances, n.resident_limit, n.seconds_limit
FROM planned_job n LEFT JOIN test t ON t.id = n.test_id LEFT JOIN content c ON c.id = t.text_id
    LEFT JOIN environment e ON e.id = n.environment_id LEFT JOIN job j ON j.id = n.job_id
    LEFT JOIN driver p ON p.id = j.driver_id LEFT JOIN build b ON b.job_id = j.id
WHERE n.run_id = ?1
ORDER BY n.number;

-- A view of jobs is read job by job, so that SQLite neither sorts nor collects more than one job's rows.

-- v_run - v_run
SELECT * FROM v_run WHERE ?1 IN (0, run) ORDER BY run;

-- v_job - v_job
SELECT * FROM v_job WHERE job = ?1;

-- v_outcome - v_outcome
SELECT * FROM v_outcome WHERE job = ?1 ORDER BY count DESC, outcome, witness;

-- v_batch - v_batch
SELECT * FROM v_batch WHERE job = ?1 ORDER BY batch;

-- v_void - v_void
SELECT * FROM v_void WHERE job = ?1 ORDER BY reason;

-- v_judgement - v_judgement
SELECT * FROM v_judgement WHERE job = ?1 ORDER BY role;

-- v_part - v_part
SELECT * FROM v_part WHERE ?1 IN (0, run) ORDER BY run, started_at, part_uuid;

-- v_resumption - v_resumption
SELECT * FROM v_resumption WHERE ?1 IN (0, run) ORDER BY run, started_at;

-- v_merge - v_merge
SELECT * FROM v_merge WHERE ?1 IN (0, run) ORDER BY run, merged_at, source;
