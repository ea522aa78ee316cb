-- SPDX-License-Identifier: Apache-2.0
-- The draws that showed a witness most often: a parameter of the launch and the rate that its values gave.
SELECT json_extract(draw, '$.stride') AS stride, count(*) AS batches, sum(b.witnesses) AS witnesses,
       printf('%.2e', 1.0 * sum(b.witnesses) / sum(b.instances - b.voids)) AS rate
FROM v_batch AS b JOIN v_job USING (job)
WHERE valid AND controls = ''
GROUP BY stride
ORDER BY 1.0 * sum(b.witnesses) / sum(b.instances - b.voids) DESC
LIMIT 10;
