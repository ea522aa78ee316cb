// SPDX-License-Identifier: Apache-2.0
// Draws: the arguments of one batch's launch, a function of environment, seed, job key, batch number and limits. The
// same numbers as runner/environment/draw.c makes, for what a browser plays: one device, batches of a single round
// whose initialising, playing and counting are launches of their own, no clusters, no bulk copies and no ticks. The
// plan's layout gives the names of the words and of the parameters.
'use strict';

// ---- random numbers: base/random.c ----

const drawPurposes = { VALUES: 0, SHUFFLE: 256, TEAMS: 257, LANES: 258, CELLS: 259, LINES: 260, DELAYS: 262 };

// The upper half of the product of two numbers of 32 bits.
function drawProductHigh(a, b) {
    const a0 = a & 0xffff,
        a1 = a >>> 16,
        b0 = b & 0xffff,
        b1 = b >>> 16;
    const middle = a1 * b0 + ((a0 * b0) >>> 16);
    const low = a0 * b1 + (middle & 0xffff);
    return (a1 * b1 + (middle >>> 16) + (low >>> 16)) >>> 0;
}

// A number of 64 bits, in two halves: BigInt is a hundred times as slow.
class DrawNumber {
    constructor(high, low) {
        this.high = high >>> 0;
        this.low = low >>> 0;
    }

    static from(decimal) {
        const number = BigInt(decimal);
        return new DrawNumber(Number(number >> 32n), Number(number & 0xffffffffn));
    }

    xor(other) {
        return new DrawNumber(this.high ^ other.high, this.low ^ other.low);
    }

    plus(other) {
        const low = this.low + other.low;
        return new DrawNumber(this.high + other.high + (low > 0xffffffff ? 1 : 0), low);
    }

    times(other) {
        const high =
            drawProductHigh(this.low, other.low) + Math.imul(this.low, other.high) + Math.imul(this.high, other.low);
        return new DrawNumber(high, Math.imul(this.low, other.low));
    }

    // This xor this shifted right by fewer than 32 bits.
    fold(bits) {
        return new DrawNumber(
            this.high ^ (this.high >>> bits),
            this.low ^ ((this.low >>> bits) | (this.high << (32 - bits)))
        );
    }

    // A step of splitmix64.
    mix() {
        return this.plus(drawGamma).fold(30).times(drawFirst).fold(27).times(drawSecond).fold(31);
    }
}

const drawGamma = new DrawNumber(0x9e3779b9, 0x7f4a7c15);
const drawFirst = new DrawNumber(0xbf58476d, 0x1ce4e5b9);
const drawSecond = new DrawNumber(0x94d049bb, 0x133111eb);

// The sequence of numbers of one purpose.
class DrawRandom {
    constructor(base, purpose) {
        this.state = base.xor(new DrawNumber(0, purpose)).mix();
    }

    next() {
        const number = this.state.mix();
        this.state = this.state.plus(drawGamma);
        return number;
    }

    // Uniform from 0 to bound - 1.
    below(bound) {
        const reject = (0x100000000 - bound) % bound;
        for (;;) {
            const { high } = this.next();
            if (Math.imul(high, bound) >>> 0 >= reject) return drawProductHigh(high, bound);
        }
    }

    between(low, high) {
        const span = high - low + 1;
        return span > 0xffffffff ? this.next().low : low + this.below(span);
    }
}

// ---- environments: runner/environment/environment.c ----

// The environment of a batch: the member of a portfolio whose turn it is, or the environment itself.
function drawMember(environment, batch) {
    const members = environment.others ? [environment, ...environment.others] : [environment];
    const turn = members.reduce((sum, member) => sum + (member.batches ?? 1), 0);
    let place = batch % turn,
        number = 0;
    while (members.length > 1 && place >= members[number].batches) place -= members[number++].batches;
    return members[number];
}

function drawRange(environment, parameter) {
    return environment[parameter.name] ?? [parameter.unnamed, parameter.unnamed];
}

// The highest value of a parameter that any batch can draw.
function drawHighest(layout, environment, name) {
    const parameter = layout.parameters.find((one) => one.name === name);
    return Math.max(...[environment, ...(environment.others ?? [])].map((member) => drawRange(member, parameter)[1]));
}

function drawPattern(number) {
    let length = 1;
    for (let ofLength = 2; number >= ofLength && length < 5; length++, ofLength *= 2) number -= ofLength;
    return { bits: number, length };
}

// ---- one draw: runner/environment/draw.c ----

const drawMaximumGroups = 65535;
const drawDetachedGroups = 1024;
const drawMaximumSlots = 16;
const drawStressLimit = 1 << 24;
const drawMaximumMemory = 2 ** 30; // words

function drawLocalWords(kernel, groupSize, stride) {
    return kernel.local_words + Math.floor(groupSize / kernel.width) * kernel.local_cells * stride;
}

// Items of the least group that can play the test.
function drawUnit(kernel, limits) {
    if (kernel.sub_groups > 0) return kernel.sub_groups * limits.sub_group_size;
    return Math.max(kernel.width, ...kernel.sub_group_of.map((place) => (place + 1) * limits.sub_group_size));
}

function drawReciprocal(n) {
    return Math.floor(0xffffffff / n);
}

// The inverse of a modulo n; 0 if they have a common divisor.
function drawInverse(a, n) {
    let r0 = n,
        r1 = a % n,
        t0 = 0,
        t1 = 1;
    while (r1 !== 0) {
        const quotient = Math.floor(r0 / r1);
        [r0, r1] = [r1, r0 - quotient * r1];
        [t0, t1] = [t1, t0 - quotient * t1];
    }
    return r0 === 1 ? (t0 < 0 ? t0 + n : t0) : 0;
}

// A multiplier coprime to n, with its inverse; modulo 1, both are 0.
function drawCoprime(random, n) {
    let multiplier = 0,
        inverse = 0;
    while (n > 1 && inverse === 0) {
        multiplier = random.below(n);
        inverse = drawInverse(multiplier, n);
    }
    return { multiplier, inverse };
}

// A draw while it is made.
class Drawing {
    constructor(layout, environment, kernel, limits, base, batch) {
        Object.assign(this, { layout, environment, kernel, limits, base, batch });
        this.word = Object.fromEntries(layout.draw.map((name, place) => [name, place]));
        this.values = {};
        this.used = layout.draw.length;
    }

    random(purpose) {
        return new DrawRandom(this.base, purpose);
    }

    drawValues() {
        const member = drawMember(this.environment, this.batch);
        this.layout.parameters.forEach((parameter, number) => {
            const random = this.random(drawPurposes.VALUES + number);
            const value = random.between(...drawRange(member, parameter));
            this.values[parameter.name] = parameter.chance ? Number(random.below(100) < value) : value;
        });
        // Clusters, copies, ticks and warmed caches need what a browser does not have.
        for (const name of [
            'warm_chance',
            'cluster_chance',
            'cluster_partners_chance',
            'stress_copy_chance',
            'tick_chance'
        ])
            this.values[name] = 0;
        if (!this.kernel.repeats) this.values.item_instances = 1;
    }

    // As drawn, cut to the device and to the number of instances that are wanted.
    sizeGroup() {
        const { kernel, limits, values } = this;
        const fits = () => 4 * drawLocalWords(kernel, size, values.local_stride) <= limits.local_bytes;
        let size = Math.min(values.group_size, limits.max_group_size);
        if (limits.batch_instances > 0) {
            const wanted = Math.ceil(limits.batch_instances / kernel.slots) * kernel.width;
            const least = Math.min(size, 32);
            size = wanted < least ? least : Math.min(size, Math.floor(wanted / 32) * 32 + (wanted < 32 ? 32 : 0));
        }
        const unit = drawUnit(kernel, limits);
        size = size < unit ? unit : Math.floor(size / unit) * unit;
        if (size > limits.max_group_size)
            throw new Error(
                `the test needs work-groups of ${size}, but the device has at most ${limits.max_group_size}`
            );
        while (values.local_stride > 1 && !fits()) values.local_stride--;
        while (size > unit && !fits()) size = Math.ceil(Math.floor(size / 2) / unit) * unit;
        if (!fits())
            throw new Error(
                `the test needs ${4 * drawLocalWords(kernel, size, values.local_stride)} bytes of ` +
                    `work-group memory, but a work-group has ${limits.local_bytes}`
            );
        this.groupSize = size;
        this.ofGroup = Math.floor(size / kernel.width); // instances
    }

    // How many groups test, how many stress, and how many instances an item plays.
    sizeBatch() {
        const { kernel, limits, values } = this;
        const wanted = limits.batch_instances;
        const resident = Math.min(limits.resident_groups, drawMaximumGroups);
        this.detached = kernel.slots > resident || (values.no_meeting_chance !== 0 && kernel.slots > 1);
        const room = kernel.slots > resident ? drawDetachedGroups : resident;
        let testing = this.detached ? room : Math.floor((room * values.testing_percent) / 100);
        if (wanted > 0) testing = Math.min(testing, Math.floor(wanted / this.ofGroup));
        testing = Math.max(Math.floor(testing / kernel.slots) * kernel.slots, kernel.slots);
        let repeats = this.detached ? 1 : values.item_instances;
        if (wanted > 0) repeats = Math.min(repeats, Math.floor(wanted / (testing * this.ofGroup)));
        this.repeats = values.item_instances = Math.max(repeats, 1);
        this.testing = testing;
        this.instances = testing * this.ofGroup * this.repeats;
        this.groups =
            testing + (this.detached ? 0 : Math.min(Math.floor((room * values.stress_percent) / 100), room - testing));
    }

    allocate() {
        const { kernel, values } = this;
        this.words = new Uint32Array(
            this.used +
                this.groups +
                3 * values.teams +
                this.layout.lane_map_words * kernel.bodies +
                3 * kernel.locations +
                values.stress_lines
        );
    }

    // A table of the draw, whose place the word gets.
    reserve(word, size) {
        const place = this.used;
        this.used += size;
        this.words[this.word[word]] = place;
        return this.words.subarray(place, place + size);
    }

    fillShuffle() {
        const random = this.random(drawPurposes.SHUFFLE);
        const table = this.reserve('SHUFFLE', this.groups);
        for (let i = 0; i < this.groups; i++) table[i] = i;
        for (let i = this.groups; this.values.shuffle_chance && i > 1; i--) {
            const k = random.below(i);
            [table[i - 1], table[k]] = [table[k], table[i - 1]];
        }
    }

    fillTeams() {
        const random = this.random(drawPurposes.TEAMS);
        const table = this.reserve('TEAM_MAPS', 3 * this.values.teams);
        for (let i = 0; i < this.values.teams; i++) {
            const { multiplier, inverse } = drawCoprime(random, this.testing);
            table.set([multiplier, random.below(this.testing), inverse], 3 * i);
        }
    }

    // Which instance each item plays of a body.
    fillLane(random, table, body) {
        const { kernel, limits, values, groupSize } = this;
        const size = this.layout.lane_map_words;
        const subGroup = kernel.sub_groups > 0 ? 0 : kernel.sub_group_of[body];
        const width = subGroup < 0 ? groupSize : limits.sub_group_size;
        const first = kernel.slot_of.indexOf(kernel.slot_of[body]);
        const rank = kernel.slot_of.slice(first, body).filter((slot) => slot === kernel.slot_of[body]).length;
        const { multiplier } = drawCoprime(random, width);
        const offset = random.below(width);
        const map = table.subarray(size * body, size * (body + 1));
        map[0] = values.lane_chance ? multiplier : 1 % width;
        map[1] = values.lane_chance ? offset : body > 0 ? values.lane_offset % width : 0;
        map[2] = width;
        map[3] = drawReciprocal(width);
        map[4] = subGroup < 0 ? 0 : (subGroup * width) % groupSize;
        if (rank > 0 && table[size * first + 2] === width) {
            const gap = kernel.bodies < width ? Math.floor(width / kernel.bodies) : 1;
            map[0] = table[size * first];
            map[1] = (table[size * first + 1] + rank * gap - random.below(gap)) % width;
        }
    }

    fillLanes() {
        const random = this.random(drawPurposes.LANES);
        const table = this.reserve('LANE_MAPS', this.layout.lane_map_words * this.kernel.bodies);
        for (let body = 0; body < this.kernel.bodies; body++) this.fillLane(random, table, body);
    }

    fillCells() {
        const random = this.random(drawPurposes.CELLS);
        const table = this.reserve('CELL_MAPS', 3 * this.kernel.locations);
        for (let location = 0; location < this.kernel.locations; location++) {
            const { multiplier } = drawCoprime(random, this.ofGroup);
            const offset = random.below(this.ofGroup),
                shift = random.below(this.testing * this.repeats);
            const apart = this.values.cell_chance && location > 0;
            table.set(apart ? [multiplier, offset, shift] : [1 % this.ofGroup, 0, 0], 3 * location);
        }
    }

    fillLines() {
        const random = this.random(drawPurposes.LINES);
        const { stress_lines: lines, stress_line_words: size } = this.values;
        const table = this.reserve('STRESS_LINES', lines);
        for (let line = 0; line < lines; line++) table[line] = line * 4 * size + random.below(4) * size;
        this.scratchWords = lines * 4 * size;
    }

    fillDelays() {
        const { kernel, values } = this;
        const random = this.random(drawPurposes.DELAYS);
        const sites = kernel.delays ? kernel.delay_sites : 0;
        values.delay_chance &= sites > 0;
        if (!values.delay_chance) return;
        values.delay_sites = Math.min(values.delay_sites, sites);
        for (let site = 0, left = values.delay_sites; left > 0; site++)
            if (random.below(sites - site) < left) {
                this.words[this.word.DELAY_SITES] |= 1 << site;
                left--;
            }
    }

    // The words that are values of parameters: 0 for what is switched off.
    fillParameters() {
        const { parameters } = this.layout;
        const off = ({ chance, name }) => chance && this.values[name] === 0;
        for (const parameter of parameters) {
            parameter.needed ??= parameters.filter((_, bit) => Math.floor(parameter.needs / 2 ** bit) % 2 === 1);
            const { name, word, needed } = parameter;
            if (word !== 0) this.words[word] = needed.length > 0 && needed.every(off) ? 0 : this.values[name];
        }
    }

    // Results come first, with room for those of every batch of the job; then the cells.
    fillMemory(set) {
        const { kernel, limits } = this;
        const groups = kernel.slots > limits.resident_groups ? drawDetachedGroups : limits.resident_groups;
        const repeats = kernel.repeats ? drawHighest(this.layout, this.environment, 'item_instances') : 1;
        const room = (groups + drawMaximumSlots) * Math.floor(limits.max_group_size / kernel.width) * repeats;
        const alignment = Math.max(kernel.alignment, 2);
        const cells = Math.ceil((room * kernel.result_words) / alignment) * alignment;
        set('CELLS', cells);
        this.memoryWords = cells + this.testing * this.repeats * this.ofGroup * kernel.cell_words * this.values.stride;
        if (this.memoryWords > drawMaximumMemory)
            throw new Error(
                `a batch would need ${Math.floor(this.memoryWords / 2 ** 18)} MiB of memory, more than 4096`
            );
    }

    fillWords() {
        const { kernel, values } = this;
        const set = (name, value) => {
            this.words[this.word[name]] = value;
        };
        const preStress = drawPattern(values.pre_stress_pattern),
            stress = drawPattern(values.stress_pattern);
        set('GROUPS', this.groups);
        set('TESTING_GROUPS', this.testing);
        set('TESTING_RECIPROCAL', drawReciprocal(this.testing));
        set('REGIONS', this.testing * this.repeats);
        set('INSTANCES_RECIPROCAL', drawReciprocal(this.ofGroup));
        set('ROUNDS', 1);
        set('FIRST_STAMP', (this.batch & 0xffff) * 0x10000 + 1);
        set('PRE_STRESS_PATTERN', preStress.bits);
        set('PRE_STRESS_LENGTH', preStress.length);
        set('STRESS_PATTERN', stress.bits);
        set('STRESS_LENGTH', stress.length);
        set('STRESS_LIMIT', drawStressLimit);
        set('MEETING_POINTS', kernel.counter_words);
        this.fillMemory(set);
        this.counterWords = kernel.counter_words + (2 * this.testing) / kernel.slots;
        this.localBytes = 4 * drawLocalWords(kernel, this.groupSize, values.local_stride);
        this.fillDelays();
        this.fillParameters();
        set('MEET_ALL', values.meet_all_chance && kernel.slots > 1 && this.testing > kernel.slots && !this.detached);
    }
}

// What all draws of a job have in common: seed and key are decimal numbers of 64 bits.
function drawBase(seed, key) {
    return DrawNumber.from(seed).mix().xor(DrawNumber.from(key)).mix();
}

// The draw of a batch. limits: resident_groups, max_group_size, sub_group_size, local_bytes, batch_instances (0: by the
// environment). Throws if the test does not fit the device.
function drawMake(layout, environment, kernel, limits, base, batch) {
    const drawing = new Drawing(layout, environment, kernel, limits, base.xor(new DrawNumber(0, batch)).mix(), batch);
    drawing.drawValues();
    drawing.sizeGroup();
    drawing.sizeBatch();
    drawing.allocate();
    drawing.fillShuffle();
    drawing.fillTeams();
    drawing.fillLanes();
    drawing.fillCells();
    drawing.fillLines();
    drawing.fillWords();
    return drawing;
}

// A launch that measures how many groups run at once, up to `sought`.
function drawProbe(layout, kernel, groups, sought, groupSize, polls) {
    const zeros = layout.draw.length + groups;
    const words = new Uint32Array(zeros + 3 + layout.lane_map_words * kernel.bodies + 3 * kernel.locations);
    const values = {
        STEPS: layout.steps.PROBE,
        SHUFFLE: layout.draw.length,
        GROUPS: groups,
        TESTING_GROUPS: sought,
        MEET_POLLS: polls,
        TEAM_MAPS: zeros,
        LANE_MAPS: zeros,
        CELL_MAPS: zeros,
        STRESS_LINES: zeros,
        HOMES: zeros,
        TEAM_MAP_COUNT: 1,
        STRESS_LINE_COUNT: 1,
        STRESS_LINE_WORDS: 1
    };
    layout.draw.forEach((name, place) => {
        words[place] = values[name] ?? 0;
    });
    return {
        words,
        groups,
        groupSize,
        localBytes: 4 * drawLocalWords(kernel, groupSize, 1),
        memoryWords: 2,
        scratchWords: 1,
        counterWords: kernel.counter_words
    };
}

// A number by which two draws are compared.
function drawHash(words) {
    let hash = 2166136261;
    for (const word of words) {
        hash = Math.imul(hash ^ word, 16777619);
        hash ^= hash >>> 15;
    }
    return hash >>> 0;
}
