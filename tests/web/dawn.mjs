// SPDX-License-Identifier: Apache-2.0
// Plays a page of `orchil web` without a browser, by Dawn for Node.js: the same plan and the same scripts.
// usage: node tests/web/dawn.mjs FOLDER_OF_THE_NPM_PACKAGE_webgpu PAGE RESULTS SECONDS MODEL
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const [, script, package_, page, results, seconds, model] = process.argv;
const { create, globals } = await import(path.resolve(package_, 'index.js'));
Object.assign(globalThis, globals);
const navigator = { gpu: create(['backend=vulkan']), hardwareConcurrency: 2, userAgent: 'Dawn for Node.js' };
Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });
const plan = JSON.parse(/id="plan">\n([\s\S]*?)<\/script>/.exec(fs.readFileSync(page, 'utf8'))[1]);
const web = path.join(path.dirname(script), '../../web');
const source = ['draw.js', 'play.js'].map((name) => fs.readFileSync(path.join(web, name), 'utf8')).join('\n');
const Player = vm.runInThisContext(`${source}\nPlayer`);

const player = await Player.open(plan);
const { vendor = '', architecture = '', device = '', description = '' } = player.adapter.info ?? {};
const began = new Date().toISOString(), jobs = [];
let groups = Infinity; // of the last test, the most that its controls get
for (const test of plan.tests) {
    const job = await player.begin(test, test.role === 'control' ? groups : Infinity);
    groups = test.role === 'control' ? groups : job.residentGroups;
    for (const end = performance.now() + 1000 * seconds; performance.now() < end;) await player.step(job, () => false);
    job.ended = 'completed';
    jobs.push(job);
    console.log(`${test.name}: ${job.instances} instances, ${(job.instances / job.seconds).toExponential(2)} per second`);
}
const about = { browser: navigator.userAgent, vendor, architecture, device, description, model, fallback: player.isCpu,
    max_group_size: player.maxGroupSize, local_bytes: player.localBytes };
fs.writeFileSync(results, JSON.stringify({ format: plan.format, orchil: plan.orchil, seed: plan.seed,
    environment: player.environmentName, ranges: player.environment, score: plan.score, began, device: about, jobs }));
process.exit(0);
