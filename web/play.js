// SPDX-License-Identifier: Apache-2.0
// Playing: kernels on the device of WebGPU, batch after batch. Knows nothing of the page.
'use strict';

const playBindings = ['draw', 'memory', 'scratch', 'counters', 'plain'];
const playWantedLimits = [
    'maxComputeInvocationsPerWorkgroup',
    'maxComputeWorkgroupSizeX',
    'maxComputeWorkgroupStorageSize',
    'maxStorageBufferBindingSize',
    'maxBufferSize'
];
// The groups of a probe. A CPU runs as many as it has cores, and may start the last one late; a GPU is offered more
// than it can hold.
const playProbeGroups = 8192;
const playProbePolls = 1 << 13;
const playProbePollsCpu = 1 << 24;
// Browsers and drivers end launches that take seconds. A batch, and batches that are submitted together, take less.
const playMilliseconds = 100;
const playMostTogether = 64;

// Whether more work fits into a submission. Some browsers take a tenth of a second to answer any: so what counts is
// whether the last increase, before which it took `before`, made it longer.
function playHasRoom(milliseconds, before) {
    return milliseconds < playMilliseconds / 3 || (milliseconds < 3 * playMilliseconds && milliseconds < 1.5 * before);
}

// Why a test cannot be played, in words for the person at the page.
class PlayError extends Error {}

// The device was lost: a driver was restarted, a phone was locked, a tab was hidden.
class PlayLost extends Error {}

// What was counted in a job, with all that is needed to make its launches again.
class PlayJob {
    constructor(test, residentGroups) {
        Object.assign(this, {
            test,
            residentGroups,
            batchInstances: 0,
            next: 0,
            together: 1,
            before: Infinity,
            ended: 'stopped',
            drawn: null,
            batches: [],
            seconds: 0,
            instances: 0,
            counts: new Array(test.bins.length).fill(0),
            other: 0,
            voids: { gave_up: 0, stale: 0, unmet: 0, unrecorded: 0 },
            filtered: 0,
            invalid: 0
        });
    }

    // Adds a batch. counters: as the device counted them.
    add(layout, draw, seconds, counters) {
        const { kernel, bins } = this.test;
        const word = (name) => counters[layout.counters.indexOf(name)];
        const voids = {
            gave_up: word('GAVE_UP'),
            stale: word('STALE'),
            unmet: word('UNMET'),
            unrecorded: word('UNRECORDED')
        };
        if (word('LEFT') > 0) {
            // groups that missed their partners left results of an earlier batch
            voids.unmet += voids.stale;
            voids.stale = 0;
        }
        const first = layout.counters.length,
            table = first + kernel.histogram_words,
            size = kernel.words + 2;
        const counted = bins.map((bin, place) => counters[first + place]);
        let other = 0;
        for (let entry = 0; entry < kernel.table_entries; entry++) other += counters[table + entry * size + 1];
        const sum = [...counted, ...Object.values(voids), other].reduce((a, b) => a + b, 0);
        this.keep(draw, seconds, counters);
        if (sum !== draw.instances || voids.stale > 0) {
            this.invalid++;
            return;
        }
        counted.forEach((count, place) => {
            if (bins[place].filtered) this.filtered += count;
            else this.counts[place] += count;
        });
        for (const reason in voids) this.voids[reason] += voids[reason];
        this.other += other;
    }

    keep(draw, seconds, counters) {
        const words = [];
        counters.forEach((value, place) => {
            if (value !== 0) words.push(place, value);
        });
        this.batches.push({ number: draw.batch, seconds, draw: drawHash(draw.words), counters: words });
        this.seconds += seconds;
        this.instances += draw.instances;
    }

    // Batches that were launched and not counted are played again, in memory that has none of their results.
    drop() {
        this.next = this.batches.length;
        this.drawn = null;
    }

    toJSON() {
        const { name, text, hash, kernel_hash } = this.test;
        return {
            name,
            text,
            hash,
            key: this.key,
            kernel_hash,
            resident_groups: this.residentGroups,
            batch_instances: this.batchInstances,
            ended: this.ended,
            batches: this.batches
        };
    }
}

// An open device.
class Player {
    // Opens the browser's device. PlayError if it has none.
    static async open(plan) {
        const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
        if (!adapter) throw new PlayError('this browser offers no device');
        const requiredLimits = Object.fromEntries(playWantedLimits.map((name) => [name, adapter.limits[name]]));
        return new Player(plan, adapter, await adapter.requestDevice({ requiredLimits }));
    }

    constructor(plan, adapter, device) {
        Object.assign(this, {
            plan,
            adapter,
            device,
            buffers: {},
            kernels: new Map(),
            lost: false,
            failure: null,
            cpuGroups: 0
        });
        device.lost.then(() => {
            this.lost = true;
        });
        device.addEventListener('uncapturederror', (event) => {
            this.failure ??= event.error.message;
        });
        const info = adapter.info ?? {};
        this.isCpu =
            Boolean(info.isFallbackAdapter ?? adapter.isFallbackAdapter) ||
            /swiftshader|llvmpipe|cpu/i.test(`${info.architecture} ${info.device} ${info.description}`);
        this.environmentName = this.isCpu ? 'cpu' : 'gpu';
        this.environment = plan.environments[this.environmentName];
        this.bindGroupLayout = device.createBindGroupLayout({
            entries: playBindings.map((name, binding) => ({
                binding,
                visibility: GPUShaderStage.COMPUTE,
                buffer: { type: name === 'draw' ? 'read-only-storage' : 'storage' }
            }))
        });
        this.pipelineLayout = device.createPipelineLayout({ bindGroupLayouts: [this.bindGroupLayout] });
        const { INITIALISE, PLAY, MEET, COUNT, PROBE } = plan.layout.steps;
        this.steps = [INITIALISE, PLAY, PLAY | MEET, COUNT, PROBE];
        const bytes = new Uint32Array(this.steps);
        device.queue.writeBuffer(this.buffer('steps', bytes.byteLength), 0, bytes);
    }

    // The largest work-groups that any of the plan's tests can use here.
    get maxGroupSize() {
        const { limits } = this.device;
        const drawn = drawHighest(this.plan.layout, this.environment, 'group_size');
        const needed = this.plan.tests.map(({ kernel }) => drawUnit(kernel, { sub_group_size: 1 }));
        return Math.min(
            limits.maxComputeInvocationsPerWorkgroup,
            limits.maxComputeWorkgroupSizeX,
            Math.max(drawn, ...needed)
        );
    }

    get localBytes() {
        return this.device.limits.maxComputeWorkgroupStorageSize;
    }

    // A buffer of at least this size, which is kept from batch to batch.
    buffer(name, bytes) {
        const usage =
            name === 'read'
                ? GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST
                : GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
        const size = Math.max(16, Math.ceil(bytes / 16) * 16),
            old = this.buffers[name];
        if (old?.size >= size) return old;
        if (size > this.device.limits.maxBufferSize)
            throw new PlayError(`a batch needs ${Math.ceil(size / 2 ** 20)} MiB of memory, more than the device gives`);
        old?.destroy();
        return (this.buffers[name] = this.device.createBuffer({ size, usage }));
    }

    // Memory starts as zeros again, so that no batch takes results for its own that another one left.
    forget() {
        for (const name of ['memory', 'plain', 'scratch']) {
            this.buffers[name]?.destroy();
            delete this.buffers[name];
        }
    }

    close() {
        this.device.destroy();
    }

    check() {
        if (this.lost) throw new PlayLost();
        if (this.failure) {
            const { failure } = this;
            this.failure = null;
            throw new PlayError(`the browser reports an error: ${failure}`);
        }
    }

    // ---- launches ----

    // The compiled kernel for groups of the draw's size.
    async pipeline(test, draw) {
        const key = `${draw.groupSize} ${draw.localBytes}`;
        if (!this.kernels.has(test)) this.kernels.set(test, { module: this.module(test), pipelines: new Map() });
        const { module, pipelines } = this.kernels.get(test);
        if (!pipelines.has(key))
            pipelines.set(
                key,
                await this.compile(module, { GROUP_SIZE: draw.groupSize, LOCAL_WORDS: draw.localBytes / 4 })
            );
        return pipelines.get(key);
    }

    // Errors of the text are told when it is compiled.
    module(test) {
        this.device.pushErrorScope('validation');
        const module = this.device.createShaderModule({ code: test.wgsl, label: test.name });
        void this.device.popErrorScope().catch(() => null);
        return module;
    }

    async compile(module, constants) {
        try {
            return await this.device.createComputePipelineAsync({
                layout: this.pipelineLayout,
                compute: { module, entryPoint: 'main', constants }
            });
        } catch (error) {
            const { messages } = await module.getCompilationInfo();
            const first = messages.find((message) => message.type === 'error');
            if (this.lost) throw new PlayLost();
            const reason = first ? `line ${first.lineNum}: ${first.message}` : error.message;
            throw new PlayError(`the browser does not compile the kernel: ${reason}`);
        }
    }

    // Grows what the launches need, and binds it.
    bind(test, draws) {
        const most = (size) => 4 * Math.max(...draws.map(size));
        const memory = most((draw) => draw.memoryWords);
        if (memory > this.device.limits.maxStorageBufferBindingSize)
            throw new PlayError(
                `a batch needs ${Math.ceil(memory / 2 ** 20)} MiB of memory, more than the device gives`
            );
        const usesPlain = test.wgsl.split(/\bplain\b/).length > 2; // more than its declaration
        const sizes = {
            draw: most((draw) => draw.words.length),
            memory,
            scratch: most((draw) => draw.scratchWords),
            counters: most((draw) => draw.counterWords),
            plain: usesPlain ? memory : 0
        };
        return this.device.createBindGroup({
            layout: this.bindGroupLayout,
            entries: playBindings.map((name, binding) => ({
                binding,
                resource: { buffer: this.buffer(name, sizes[name]) }
            }))
        });
    }

    // Adds a launch: with its own word for the steps, and perhaps with counters that start at zero.
    launch(encoder, draw, pipeline, group, steps, clears) {
        const { counters, draw: words, steps: all } = this.buffers;
        if (clears) encoder.clearBuffer(counters);
        encoder.copyBufferToBuffer(
            all,
            4 * this.steps.indexOf(steps),
            words,
            4 * this.plan.layout.draw.indexOf('STEPS'),
            4
        );
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(draw.groups);
        pass.end();
    }

    async pipelines(test, draws) {
        const pipelines = [];
        for (const draw of draws)
            // those of one shape share one
            pipelines.push(await this.pipeline(test, draw));
        return pipelines;
    }

    // Adds a batch: it initialises, plays and counts. Stressing groups run until all groups of their launch have ended,
    // so counters start again before they play; a batch without meetings has no such groups.
    launchBatch(encoder, draw, pipeline, group) {
        const { INITIALISE, PLAY, MEET, COUNT } = this.plan.layout.steps;
        this.launch(encoder, draw, pipeline, group, INITIALISE, true);
        this.launch(encoder, draw, pipeline, group, draw.detached ? PLAY : PLAY | MEET, !draw.detached);
        this.launch(encoder, draw, pipeline, group, COUNT, false);
    }

    // Launches draws in one submission, at once. Promises the counters of each.
    submit(test, draws, pipelines, add) {
        const words = test.kernel.counter_words;
        const group = this.bind(test, draws),
            read = this.buffer('read', 4 * words * draws.length);
        const upload = new Uint32Array(draws.reduce((sum, draw) => sum + draw.words.length, 0));
        const source = this.buffer('upload', upload.byteLength);
        const encoder = this.device.createCommandEncoder();
        let place = 0;
        draws.forEach((draw, number) => {
            upload.set(draw.words, place);
            encoder.copyBufferToBuffer(source, 4 * place, this.buffers.draw, 0, 4 * draw.words.length);
            place += draw.words.length;
            add(encoder, draw, pipelines[number], group);
            encoder.copyBufferToBuffer(this.buffers.counters, 0, read, 4 * words * number, 4 * words);
        });
        this.device.queue.writeBuffer(source, 0, upload);
        this.device.queue.submit([encoder.finish()]);
        return this.read(read, words, draws.length);
    }

    async read(buffer, words, count) {
        try {
            await buffer.mapAsync(GPUMapMode.READ);
        } catch (error) {
            // because the device was lost, or refused the submission
            await Promise.race([this.device.lost, new Promise((done) => setTimeout(done, 100))]);
            this.check();
            throw error;
        }
        const all = new Uint32Array(buffer.getMappedRange()).slice(0, words * count);
        buffer.unmap();
        this.check();
        return Array.from({ length: count }, (_, number) => all.subarray(words * number, words * (number + 1)));
    }

    // ---- jobs ----

    // Builds a test's kernel, finds how many of its groups run at once, and how large a batch may be. most: as many
    // groups as a control's test has, or Infinity.
    async begin(test, most) {
        this.forget();
        const job = new PlayJob(test, await this.findResident(test, most));
        job.key = test.keys[this.environmentName];
        await this.pilot(job);
        return job;
    }

    async findResident(test, most) {
        const { kernel } = test;
        const unit = drawUnit(kernel, { sub_group_size: 1 });
        const groupSize = Math.max(Math.floor(this.maxGroupSize / unit), 1) * unit;
        const cores = navigator.hardwareConcurrency || 1;
        let resident = this.cpuGroups;
        if (resident === 0) {
            const probe = this.isCpu
                ? drawProbe(this.plan.layout, kernel, cores, cores, groupSize, playProbePollsCpu)
                : drawProbe(this.plan.layout, kernel, playProbeGroups, 0xffffffff, groupSize, playProbePolls);
            const [counters] = await this.submit(
                test,
                [probe],
                await this.pipelines(test, [probe]),
                (encoder, draw, pipeline, group) =>
                    this.launch(encoder, draw, pipeline, group, this.plan.layout.steps.PROBE, true)
            );
            resident = counters[this.plan.layout.counters.indexOf('PROBE_JOINED')];
        }
        if (resident === 0) throw new PlayError('the device ran no work-group');
        if (this.isCpu) this.cpuGroups = resident;
        return Math.min(resident, most, this.roomFor(kernel));
    }

    // For how many groups the largest buffer of memory has room, whatever is drawn.
    roomFor(kernel) {
        const highest = (name) => drawHighest(this.plan.layout, this.environment, name);
        const instances =
            Math.floor(this.maxGroupSize / kernel.width) * (kernel.repeats ? highest('item_instances') : 1);
        const words =
            this.device.limits.maxStorageBufferBindingSize / 4 - drawMaximumSlots * instances * kernel.result_words;
        return Math.max(
            1,
            Math.floor(words / (instances * (kernel.result_words + kernel.cell_words * highest('stride'))))
        );
    }

    limitsOf(job) {
        return {
            resident_groups: job.residentGroups,
            max_group_size: this.maxGroupSize,
            sub_group_size: 1,
            local_bytes: this.localBytes,
            batch_instances: job.batchInstances
        };
    }

    draw(job, batch) {
        try {
            return drawMake(
                this.plan.layout,
                this.environment,
                job.test.kernel,
                this.limitsOf(job),
                drawBase(this.plan.seed, job.key),
                batch
            );
        } catch (error) {
            throw new PlayError(error.message);
        }
    }

    // Doubles the batch until it takes long, or the device has no room for more. What these batches count is not kept.
    async pilot(job) {
        const { kernel } = job.test;
        const ofGroup = Math.floor(this.maxGroupSize / kernel.width);
        const repeats = kernel.repeats ? drawHighest(this.plan.layout, this.environment, 'item_instances') : 1;
        const full =
            Math.max(job.residentGroups, kernel.slots > job.residentGroups ? drawDetachedGroups : 0) *
            ofGroup *
            repeats;
        let size = kernel.slots * ofGroup;
        for (let number = 0, room = true, before = Infinity; room; number++, size *= 2) {
            job.batchInstances = size;
            const draw = this.draw(job, number);
            const pipelines = await this.pipelines(job.test, [draw]);
            const play = () => this.submit(job.test, [draw], pipelines, this.launchBatch.bind(this));
            await play(); // some drivers compile at the first launch of a shape
            const start = performance.now();
            await play();
            const milliseconds = performance.now() - start;
            room = size < full && playHasRoom(milliseconds, before);
            before = milliseconds;
        }
        this.forget();
    }

    // The next draws of a job.
    drawNext(job) {
        const draws = Array.from({ length: job.together }, (_, number) => this.draw(job, job.next + number));
        job.next += draws.length;
        return draws;
    }

    // Plays the next batches of a job, as many as fit into one submission; the draws after them are made meanwhile.
    // Drops what was counted if `disturbed` says afterwards that the browser held it up.
    async step(job, disturbed) {
        const draws = job.drawn ?? this.drawNext(job);
        job.drawn = null;
        const pipelines = await this.pipelines(job.test, draws);
        const start = performance.now();
        const counting = this.submit(job.test, draws, pipelines, this.launchBatch.bind(this));
        job.drawn = this.drawNext(job);
        const counters = await counting;
        const milliseconds = performance.now() - start;
        if (disturbed()) {
            job.drop();
            this.forget();
            return;
        }
        const instances = draws.reduce((sum, draw) => sum + draw.instances, 0);
        draws.forEach((draw, number) =>
            job.add(this.plan.layout, draw, ((milliseconds / 1000) * draw.instances) / instances, counters[number])
        );
        if (milliseconds > 3 * playMilliseconds) {
            job.together = Math.max(Math.floor(job.together / 2), 1);
        } else if (job.together < playMostTogether && playHasRoom(milliseconds, job.before)) {
            job.together *= 2;
            job.before = milliseconds;
        }
    }
}
