// SPDX-License-Identifier: Apache-2.0
// What the page shows, and what its buttons do.
'use strict';

const pagePlan = JSON.parse(document.getElementById('plan').textContent);
const pageShownOutcomes = 24;
const pageShownUnseen = 3;
const pageLostTries = 3;

function pageFind(id) {
    return document.getElementById(id);
}

// An element with a class, or '', and its children: elements and texts. Texts never become markup.
function pageMake(name, style, ...children) {
    const element = document.createElement(name);
    if (style !== '') element.className = style;
    element.append(...children);
    return element;
}

function pageCounted(count, one, many) {
    return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

function pageShare(part, whole) {
    return whole === 0 ? '' : (part / whole).toLocaleString('en', { style: 'percent', maximumSignificantDigits: 3 });
}

function pageDuration(seconds) {
    const whole = Math.ceil(seconds);
    return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

// ---- the device ----

const pageNoDevice =
    'Chrome and Edge have WebGPU on Windows, macOS, Android 12 and later and many machines with Linux; Safari from ' +
    'version 26 on; Firefox from version 141 on Windows and 145 on macOS.';

// Why there is no device.
function pageWhyNone() {
    if (!navigator.gpu && !isSecureContext)
        return `Browsers give pages from http no WebGPU. Open this page from a file, or by https. ${pageNoDevice}`;
    return navigator.gpu
        ? `This browser has WebGPU, but offers no GPU: it may be switched off, or the driver blocked. ${pageNoDevice}`
        : `This browser has no WebGPU. ${pageNoDevice}`;
}

// The language into which the browser translates tests here, if it promises less than they need.
function pageTranslation() {
    return /Windows/.test(navigator.userAgent)
        ? 'Direct3D 12'
        : /Mac OS|iPhone|iPad/.test(navigator.userAgent)
          ? 'Metal'
          : '';
}

function pageShowDevice(player) {
    const { vendor, architecture, device, description } = player.adapter.info ?? {};
    const names = [vendor, architecture, device, description].filter(Boolean).join(', ');
    pageFind('device').textContent =
        `${names || 'The browser hides which device this is'}. ` +
        (player.isCpu ? 'It is the processor, not a GPU: what the page shows is true of the processor.' : '');
    const translation = pageTranslation();
    if (translation !== '') {
        pageFind('translation').textContent =
            `On this system the browser translates tests to ${translation}, whose documents do not ` +
            'promise what WebGPU promises. If an outcome appears that must never appear, suspect the compiler of the ' +
            'browser first.';
        pageFind('translation').hidden = false;
    }
}

function pageDescribe(player) {
    const { vendor = '', architecture = '', device = '', description = '' } = player.adapter.info ?? {};
    const { brands, platform } = navigator.userAgentData ?? {};
    return {
        browser: navigator.userAgent,
        brands: brands?.map((one) => `${one.brand} ${one.version}`).join(', '),
        platform,
        vendor,
        architecture,
        device,
        description,
        model: pageFind('model').value.trim(),
        fallback: player.isCpu,
        max_group_size: player.maxGroupSize,
        local_bytes: player.localBytes
    };
}

// ---- what was counted ----

function pageMustNever(bin) {
    return ['forbidden', 'control', 'claim'].includes(bin.ruling);
}

// What the outcome means, for its row.
function pageVerdict(bin, count) {
    const seen = count > 0 ? `: seen ${pageCounted(count, 'time', 'times')}` : '';
    if (bin.ruling === 'control') return `must never appear in a control${seen}`;
    if (bin.ruling === 'claim') return `must never appear, as the test says${seen}`;
    if (bin.verdict === 'forbidden') return `must never appear${seen}`;
    return bin.verdict === 'unjudged' ? 'not judged' : bin.weak ? 'weak' : '';
}

function pageOutcomeRow(bin, count, whole, most) {
    const alarm = pageMustNever(bin) && count > 0;
    const label = pageMake('th', '', pageMake('code', '', bin.label));
    label.scope = 'row';
    if (bin.weak) label.append(' ', pageMake('span', 'mark', '*'));
    const verdict = pageVerdict(bin, count);
    if (verdict !== '') label.append(pageMake('span', 'verdict', verdict));
    const bar = pageMake('i', '');
    bar.style.width = `${(100 * count) / most}%`;
    return pageMake(
        'tr',
        alarm ? 'alarm' : bin.weak ? 'weak' : '',
        label,
        pageMake('td', 'number', count.toLocaleString('en')),
        pageMake('td', 'number', pageShare(count, whole)),
        pageMake('td', 'bar', ...(count > 0 ? [bar] : []))
    );
}

function pageTable(job) {
    const { bins } = job.test;
    const whole = job.counts.reduce((a, b) => a + b, 0) + job.other,
        most = Math.max(1, ...job.counts);
    let unseen = 0; // of the witnesses of the test's condition
    const rows = bins
        .map((bin, place) => ({ bin, count: job.counts[place] }))
        .filter(({ bin, count }) => count > 0 || (bin.witness && !bin.filtered && unseen++ < pageShownUnseen))
        .sort(
            (a, b) => pageMustNever(b.bin) * (b.count > 0) - pageMustNever(a.bin) * (a.count > 0) || b.count - a.count
        );
    const heads = [
        ['', 'outcome'],
        ['number', 'count'],
        ['number', 'share'],
        ['bar', '']
    ].map(([style, word]) => {
        const head = pageMake('th', style, word);
        head.scope = 'col';
        return head;
    });
    const table = pageMake(
        'table',
        '',
        pageMake('thead', '', pageMake('tr', '', ...heads)),
        pageMake(
            'tbody',
            '',
            ...rows.slice(0, pageShownOutcomes).map(({ bin, count }) => pageOutcomeRow(bin, count, whole, most))
        )
    );
    const notes = [table];
    if (rows.length > pageShownOutcomes)
        notes.push(
            pageMake(
                'p',
                'dim',
                `${pageCounted(rows.length - pageShownOutcomes, 'further outcome', 'further outcomes')} in the file.`
            )
        );
    return notes;
}

// Instances that gave no outcome, by the reason.
function pageVoids(job) {
    const { gave_up: gaveUp, unmet, unrecorded } = job.voids;
    const reasons = [
        [gaveUp, 'a loop reached its bound'],
        [unmet, 'the threads did not meet'],
        [unrecorded, 'no room was left to count them'],
        [job.filtered, "the test's filter leaves them out"]
    ].filter(([count]) => count > 0);
    return reasons.map(([count, reason]) =>
        pageMake('p', 'dim', `${pageCounted(count, 'instance has', 'instances have')} no outcome: ${reason}.`)
    );
}

// What was counted beside the expected outcomes.
function pageOthers(job) {
    const notes = [];
    if (job.other > 0 && job.test.other === 'forbidden')
        notes.push(
            pageMake(
                'p',
                'bad',
                pageMake('b', '', 'Values that must never appear'),
                `: seen ${pageCounted(job.other, 'time', 'times')}. The file has them.`
            )
        );
    else if (job.other > 0)
        notes.push(
            pageMake('p', 'doubt', `Other values: seen ${pageCounted(job.other, 'time', 'times')}. The file has them.`)
        );
    if (job.invalid > 0)
        notes.push(
            pageMake(
                'p',
                'doubt',
                `${pageCounted(job.invalid, 'batch does', 'batches do')} not add up and ` +
                    `${job.invalid === 1 ? 'is' : 'are'} left out: the browser, the driver or this page is wrong.`
            )
        );
    return notes;
}

function pageAlarms(job) {
    return (
        job.counts.some((count, place) => count > 0 && pageMustNever(job.test.bins[place])) ||
        (job.other > 0 && job.test.other === 'forbidden')
    );
}

function pageRole(test) {
    if (test.role === 'control') return `control of ${test.of}`;
    return test.role === 'mutant' ? `mutant of ${test.of}: shows whether the outcome could be seen` : '';
}

// The box of a test, which pageUpdateTest fills.
function pageAddTest(test) {
    const title = pageMake('h3', '', test.name, ' ', pageMake('small', '', test.dialect));
    if (pageRole(test) !== '') title.append(' ', pageMake('span', 'role', pageRole(test)));
    const text = pageMake('details', '', pageMake('summary', '', 'Text of the test'), pageMake('pre', '', test.text));
    const body = pageMake('div', '', pageMake('p', 'dim', 'not played yet'));
    const box = pageMake(
        'article',
        '',
        title,
        ...(test.title === '' ? [] : [pageMake('p', 'dim', test.title)]),
        body,
        text
    );
    pageFind('tests').append(box);
    return { box, body };
}

function pageUpdateTest({ box, body }, job, failure) {
    const parts = [];
    if (job && job.batches.length > 0) {
        parts.push(
            ...pageOthers(job),
            ...pageTable(job),
            ...pageVoids(job),
            pageMake(
                'p',
                'dim',
                `${pageCounted(job.instances, 'instance', 'instances')} in ` +
                    `${pageCounted(job.batches.length, 'batch', 'batches')}, ` +
                    `${job.seconds.toFixed(1)} s, ${pageCounted(job.residentGroups, 'group', 'groups')} at once`
            )
        );
        box.classList.toggle('alarm', pageAlarms(job));
    }
    if (failure) parts.push(pageMake('p', 'doubt', failure));
    body.replaceChildren(...parts);
}

// ---- a run of the page ----

// The jobs of one press on Start.
class PageRun {
    constructor(seconds) {
        Object.assign(this, {
            seconds,
            jobs: [],
            began: new Date().toISOString(),
            paused: false,
            stopped: false,
            hidden: false,
            shownAt: 0,
            resume: () => {},
            player: null,
            failures: 0
        });
        pageFind('tests').replaceChildren();
        pageFind('events').replaceChildren();
        this.boxes = pagePlan.tests.map(pageAddTest);
    }

    tell(event) {
        pageFind('events').append(pageMake('li', '', event));
    }

    // Waits while the person has paused, or the tab is hidden.
    async ready() {
        while (!this.stopped && (this.paused || document.hidden))
            await new Promise((resume) => {
                this.resume = resume;
            });
        this.hidden = false;
    }

    // Whether the tab was hidden since it was ready. Browsers slow hidden tabs down.
    disturbed() {
        if (this.hidden) this.tell('The tab was hidden. What was being played then is not counted.');
        return this.hidden;
    }

    async play() {
        let resident = Infinity;
        for (let number = 0; number < pagePlan.tests.length && !this.stopped; number++) {
            const test = pagePlan.tests[number];
            pageFind('state').textContent = `Test ${number + 1} of ${pagePlan.tests.length}: ${test.name}`;
            const job = await this.playTest(test, number, test.role === 'control' ? resident : Infinity);
            if (test.role !== 'control') resident = job?.residentGroups ?? Infinity;
        }
        pageFind('state').textContent = this.stopped ? 'Stopped.' : 'All tests are played.';
        this.showProgress(this.stopped ? null : pagePlan.tests.length, 0);
        this.showAnswer();
    }

    async playTest(test, number, most) {
        let job = null,
            failure = '';
        for (let tries = 0, done = false; !done; tries++)
            try {
                await this.ready();
                this.player ??= await Player.open(pagePlan);
                if (!job) this.jobs.push((job = await this.player.begin(test, most)));
                await this.playJob(job, number);
                done = true;
            } catch (error) {
                failure = await this.recover(error, job, tries);
                done = failure !== '';
            }
        this.failures += failure !== '';
        pageUpdateTest(this.boxes[number], job, failure);
        return job;
    }

    // After an error: why the test cannot go on, or '' if it can.
    async recover(error, job, tries) {
        if (!(error instanceof PlayLost) && !this.player?.lost) return `Not played: ${error.message}`;
        this.player = null;
        if (job) {
            job.ended = 'lost';
            job.drop();
        }
        if (tries >= pageLostTries) return 'The device was lost again and again while it played this test.';
        this.tell('The device was lost. One submission is not counted; the page goes on.');
        return '';
    }

    async playJob(job, number) {
        let { seconds } = job;
        for (let left = this.seconds - seconds; left > 0 && !this.stopped; left = this.seconds - seconds) {
            await this.ready();
            if (this.stopped) break;
            const start = performance.now();
            await this.player.step(job, () => this.disturbed());
            seconds += (performance.now() - start) / 1000;
            this.show(job, number, left);
        }
        job.ended = this.stopped ? 'stopped' : 'completed';
        this.show(job, number, 0);
    }

    // Four times a second, and at the end of a job.
    show(job, number, left) {
        const now = performance.now();
        if (left > 0 && now - this.shownAt < 250) return;
        this.shownAt = now;
        pageUpdateTest(this.boxes[number], job, '');
        this.showProgress(number, Math.min(left, this.seconds));
        this.showAnswer();
        pageEnableFile(true);
    }

    // number: of the test that is played, which has so many seconds left; null: no more is played.
    showProgress(number, left) {
        const count = pagePlan.tests.length;
        if (number === null) {
            pageFind('left').textContent = '';
            return;
        }
        const played = number + (left > 0 ? 1 - left / this.seconds : 0),
            seconds = (count - played) * this.seconds;
        pageFind('progress').value = played / count;
        pageFind('left').textContent = seconds > 0 && number < count ? `about ${pageDuration(seconds)} left` : '';
    }

    showAnswer() {
        const alarms = this.jobs.filter(pageAlarms),
            answer = pageFind('answer');
        const asked = this.jobs.filter((job) => job.test.bins.some(pageMustNever)).length;
        const text =
            alarms.length > 0
                ? `An outcome that must never appear was seen in ${alarms.map((job) => job.test.name).join(', ')}.`
                : asked > 0
                  ? 'No outcome was seen that must never appear.'
                  : 'None of these tests has an outcome that must never appear.';
        const style = alarms.length > 0 ? 'lead bad' : this.failures > 0 || asked === 0 ? 'lead doubt' : 'lead good';
        if (this.failures > 0)
            answer.textContent = `${text} ${pageCounted(this.failures, 'test was', 'tests were')} not played.`;
        else if (answer.textContent !== text) answer.textContent = text;
        answer.className = style;
        answer.hidden = this.jobs.length === 0 && this.failures === 0;
    }

    toJSON() {
        return {
            format: pagePlan.format,
            orchil: pagePlan.orchil,
            seed: pagePlan.seed,
            score: pagePlan.score,
            environment: this.environment,
            ranges: pagePlan.environments[this.environment],
            began: this.began,
            device: this.device,
            jobs: this.jobs.filter((job) => job.batches.length > 0)
        };
    }
}

// ---- the file ----

let pageRun = null;
let pagePlayer = null;

function pageEnableFile(enabled) {
    for (const id of ['download', 'copy', 'share', 'post']) pageFind(id).disabled = !enabled;
}

function pageResults() {
    pageRun.environment = pagePlayer.environmentName;
    pageRun.device = pageDescribe(pagePlayer);
    return JSON.stringify(pageRun) + '\n';
}

function pageDownload() {
    const link = pageMake('a', '');
    link.href = URL.createObjectURL(new Blob([pageResults()], { type: 'application/json' }));
    link.download = 'results.json';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    return 'The browser has results.json.';
}

async function pageCopy() {
    await navigator.clipboard.writeText(pageResults());
    return 'Copied.';
}

function pageFile() {
    return new File([pageResults()], 'results.json', { type: 'application/json' });
}

async function pageShareFile() {
    await navigator.share({ files: [pageFile()] });
    return 'Shared.';
}

async function pagePost() {
    const answer = await fetch(pagePlan.post, { method: 'POST', body: pageResults() });
    if (!answer.ok) throw new Error(`the server answers ${answer.status} ${answer.statusText}`);
    return 'Sent.';
}

// ---- buttons ----

function pageOnFile(id, words, action) {
    pageFind(id).addEventListener('click', async () => {
        try {
            pageFind('file-state').textContent = await action();
        } catch (error) {
            pageFind('file-state').textContent = `${words} failed: ${error.message}`;
        }
    });
}

// Keeps the screen of a phone on while tests are played, where that is possible.
async function pageStayAwake() {
    try {
        return await navigator.wakeLock?.request('screen');
    } catch {
        return null;
    }
}

async function pageStart() {
    const seconds = Number(pageFind('seconds').value);
    pageFind('start').disabled = true;
    pageFind('pause').disabled = pageFind('stop').disabled = false;
    const awake = await pageStayAwake();
    pageRun = new PageRun(seconds > 0 ? seconds : pagePlan.seconds);
    pageRun.player = pagePlayer.lost ? null : pagePlayer;
    await pageRun.play();
    if (pageRun.player) pagePlayer = pageRun.player;
    await awake?.release();
    pageFind('pause').disabled = pageFind('stop').disabled = true;
    pageFind('pause').textContent = 'Pause';
    pageFind('start').textContent = 'Run again';
    pageFind('start').disabled = false;
}

function pagePause() {
    pageRun.paused = !pageRun.paused;
    pageFind('pause').textContent = pageRun.paused ? 'Go on' : 'Pause';
    pageRun.resume();
}

function pageStop() {
    pageRun.stopped = true;
    pageRun.resume();
}

function pageNoteVisibility() {
    if (!pageRun) return;
    pageRun.hidden ||= document.hidden;
    pageRun.resume();
}

function pageDescribePlan() {
    const { tests, orchil, seed } = pagePlan;
    const controls = tests.filter((test) => test.role === 'control').length;
    const played = pageCounted(tests.length - controls, 'litmus test', 'litmus tests');
    const and = controls > 0 ? ` and ${pageCounted(controls, 'control', 'controls')}` : '';
    pageFind('subject').textContent =
        `This page plays ${played}${and} on the GPU of this device: small programs that ask in what order threads ` +
        "see each other's writes. It counts their outcomes, and says which of them the memory model of Vulkan, which " +
        'WebGPU follows, allows.';
    pageFind('origin').textContent = `orchil ${orchil}, seed ${seed}`;
    pageFind('seconds').value = pagePlan.seconds;
}

async function pageOpen() {
    pageDescribePlan();
    pagePlan.tests.forEach(pageAddTest);
    pageOnFile('download', 'The download', pageDownload);
    pageOnFile('copy', 'Copying', pageCopy);
    pageOnFile('share', 'Sharing', pageShareFile);
    pageOnFile('post', 'Sending', pagePost);
    pageFind('share').hidden = !navigator.canShare?.({
        files: [new File(['{}'], 'results.json', { type: 'application/json' })]
    });
    pageFind('post').hidden = !pagePlan.post;
    pageFind('start').addEventListener('click', pageStart);
    pageFind('pause').addEventListener('click', pagePause);
    pageFind('stop').addEventListener('click', pageStop);
    document.addEventListener('visibilitychange', pageNoteVisibility);
    try {
        pagePlayer = await Player.open(pagePlan);
        pageShowDevice(pagePlayer);
        pageFind('start').disabled = false;
    } catch (error) {
        pageFind('device').textContent =
            error instanceof PlayError ? pageWhyNone() : `The browser's device cannot be opened: ${error.message}`;
    }
}

pageOpen();
