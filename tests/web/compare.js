// SPDX-License-Identifier: Apache-2.0
// Makes the draws that the program web_draws prints again, as the page PAGE does, and compares them.
// usage: web_draws PROFILE COUNT TEST... | node remake.js PAGE DRAW.JS
'use strict';
const fs = require('fs');
const vm = require('vm');

const [page, script] = process.argv.slice(2).map((path) => fs.readFileSync(path, 'utf8'));
const plan = JSON.parse(page.match(/<script type="application\/json" id="plan">([^]*?)<\/script>/)[1]);
vm.runInThisContext(script); // its functions become global

// The line that web_draws prints for a draw with these arguments.
function remake([test, seed, key, batch, ...numbers]) {
    const [resident_groups, max_group_size, sub_group_size, local_bytes, batch_instances] = numbers.map(Number);
    const limits = { resident_groups, max_group_size, sub_group_size, local_bytes, batch_instances };
    try {
        const draw = drawMake(
            plan.layout,
            plan.environments.gpu,
            plan.tests[test].kernel,
            limits,
            drawBase(seed, key),
            Number(batch)
        );
        return [
            drawHash(draw.words),
            draw.words.length,
            draw.groups,
            draw.groupSize,
            draw.memoryWords,
            draw.scratchWords,
            draw.counterWords,
            draw.localBytes,
            draw.instances,
            Number(draw.detached)
        ].join(' ');
    } catch (error) {
        return 'error';
    }
}

let equal = 0,
    errors = 0;
const started = Date.now();
for (const line of fs
    .readFileSync(0, 'utf8')
    .split('\n')
    .filter((one) => one !== '')) {
    const words = line.split(' ');
    const expected = words.slice(9).join(' '),
        found = remake(words.slice(0, 9));
    if (found !== expected) {
        console.log(`arguments ${words.slice(0, 9).join(' ')}\nexpected ${expected}\nfound    ${found}`);
        process.exit(1);
    }
    equal++;
    errors += expected === 'error';
}
console.error(`${((Date.now() - started) / equal).toFixed(3)} ms a draw, ${errors} refused`);
console.log(`${equal} draws are equal`);
