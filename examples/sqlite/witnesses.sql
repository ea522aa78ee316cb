-- SPDX-License-Identifier: Apache-2.0
-- The tests that showed their witness, most frequent per second first.
SELECT test, device, driver, witnesses, instances - voids AS counted, printf('%.3g', witnesses_per_second) AS per_second
FROM v_job
WHERE controls = '' AND witnesses > 0
ORDER BY witnesses_per_second DESC;
