-- SPDX-License-Identifier: Apache-2.0
-- One line per test, a column for the rate under each of the last two drivers of a device.
WITH recent(device, driver, place) AS (
    SELECT device, driver, row_number() OVER (PARTITION BY device ORDER BY max(started_at) DESC)
    FROM v_job GROUP BY device, driver)
SELECT test, device,
       printf('%.2e', sum(witnesses) FILTER (WHERE place = 2) * 1.0 / sum(instances - voids) FILTER (WHERE place = 2)) AS before,
       printf('%.2e', sum(witnesses) FILTER (WHERE place = 1) * 1.0 / sum(instances - voids) FILTER (WHERE place = 1)) AS now
FROM v_job JOIN recent USING (device, driver)
WHERE place <= 2 AND state = 'completed'
GROUP BY test, device
ORDER BY test;
