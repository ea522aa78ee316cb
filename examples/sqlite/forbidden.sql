-- SPDX-License-Identifier: Apache-2.0
-- Everything that must never appear: forbidden outcomes, and witnesses of controls.
SELECT job, test, device, driver, outcome, count, coalesce(axiom, '') AS axiom
FROM v_outcome
JOIN v_job USING (job, test, device, driver)
WHERE coalesce(target_verdict, source_verdict) = 'forbidden' OR (controls <> '' AND witness)
ORDER BY count DESC;
