// SPDX-License-Identifier: Apache-2.0
/* A ring's number is written in digits, one for each thread; a digit is one access or two. */
#include "tests/kernel/mapping/ring_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/text.h"

enum { MOST_THREADS = 4, ACCESSES = 6, DIGITS = ACCESSES + ACCESSES * ACCESSES };

/* The forms of an access: its function, its argument, and the weaker order. Even ones are seq_cst. */
enum form { LOAD, STORE, FETCH_ADD };

struct thread {
    unsigned count, accesses[2];
};

static enum form form_of(unsigned access)
{
    return (enum form)(access / 2);
}

static bool is_seq_cst(unsigned access)
{
    return access % 2 == 0;
}

static struct thread thread_of(unsigned digit)
{
    if (digit < ACCESSES)
        return (struct thread){1, {digit, digit}};
    digit -= ACCESSES;
    return (struct thread){2, {digit / ACCESSES, digit % ACCESSES}};
}

uint64_t ring_count(unsigned threads)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < threads; i++)
        count *= DIGITS;
    return count;
}

/* Whether no rotation of the ring has a smaller number. */
static bool is_first(const unsigned *digits, unsigned threads)
{
    for (unsigned turn = 1; turn < threads; turn++)
        for (unsigned i = 0; i < threads; i++) {
            const unsigned here = digits[i], there = digits[(i + turn) % threads];
            if (there < here)
                return false;
            if (there > here)
                break;
        }
    return true;
}

static bool is_wanted(const struct thread *ring, unsigned threads, unsigned *locations)
{
    unsigned accesses = 0, seq_cst = 0;
    *locations = 0;
    for (unsigned i = 0; i < threads; i++) {
        const struct thread *next = &ring[(i + 1) % threads];
        if (form_of(ring[i].accesses[1]) == LOAD && form_of(next->accesses[0]) == LOAD)
            return false;
        for (unsigned k = 0; k < ring[i].count; k++)
            seq_cst += is_seq_cst(ring[i].accesses[k]);
        accesses += ring[i].count;
        *locations += ring[i].count == 2;
    }
    return *locations >= 2 && seq_cst >= 2 && seq_cst < accesses;
}

/* What a ring's text needs to go on. */
struct draft {
    struct text text, condition;
    enum litmus_dialect dialect;
    unsigned thread, registers, value;
};

static void add_access(struct draft *draft, unsigned access, unsigned location)
{
    static const char *const functions[] = {"atomic_load", "atomic_store", "atomic_fetch_add"};
    static const char *const weaker[] = {"acquire", "release", "acq_rel"};
    const enum form form = form_of(access);
    text_add(&draft->text, "  ");
    if (form != STORE) {
        text_add(&draft->condition, " /\\ %u:r%u=0", draft->thread, draft->registers);
        text_add(&draft->text, "int r%u = ", draft->registers++);
    }
    text_add(&draft->text, "%s_explicit(%c", functions[form], "xyza"[location]);
    if (form != LOAD)
        text_add(&draft->text, ", %u", ++draft->value);
    text_add(&draft->text, ", memory_order_%s%s);\n", is_seq_cst(access) ? "seq_cst" : weaker[form],
             draft->dialect == LITMUS_OPENCL ? ", memory_scope_device" : "");
}

static void add_thread(struct draft *draft, const struct thread *thread, unsigned location, unsigned locations)
{
    const char *space = draft->dialect == LITMUS_OPENCL ? "global " : "";
    draft->registers = 0;
    text_add(&draft->text, "\nP%u", draft->thread);
    if (draft->dialect == LITMUS_OPENCL)
        text_add(&draft->text, "@wg %u, dev 0", draft->thread);
    for (unsigned i = 0; i < locations; i++)
        text_add(&draft->text, "%s%satomic_int* %c", i == 0 ? " (" : ", ", space, "xyza"[i]);
    text_add(&draft->text, ") {\n");
    for (unsigned i = 0; i < thread->count; i++)
        add_access(draft, thread->accesses[i], (location + i) % locations);
    text_add(&draft->text, "}\n");
}

struct litmus_test *ring_test(enum litmus_dialect dialect, unsigned threads, uint64_t number)
{
    struct draft draft = {.dialect = dialect};
    struct thread ring[MOST_THREADS];
    unsigned digits[MOST_THREADS], locations, location = 0;
    struct litmus_test *test;
    struct error error;
    char name[64];
    for (uint64_t i = 0, rest = number; i < threads; i++, rest /= DIGITS) {
        digits[i] = (unsigned)(rest % DIGITS);
        ring[i] = thread_of(digits[i]);
    }
    if (!is_first(digits, threads) || !is_wanted(ring, threads, &locations))
        return NULL;
    (void)snprintf(name, sizeof name, "ring-%u-%llu", threads, (unsigned long long)number);
    text_add(&draft.text, "%s %s\n{ ", litmus_dialect_name(dialect), name);
    for (unsigned i = 0; i < locations; i++) {
        text_add(&draft.text, "%c=0; ", "xyza"[i]);
        text_add(&draft.condition, "%s%c=0", i == 0 ? "" : " /\\ ", "xyza"[i]);
    }
    text_add(&draft.text, "}\n");
    for (; draft.thread < threads; draft.thread++) {
        add_thread(&draft, &ring[draft.thread], location, locations);
        location += ring[draft.thread].count - 1;
    }
    text_add(&draft.text, "\nexists (%s)\n", text_string(&draft.condition));
    if (litmus_parse(name, text_string(&draft.text), draft.text.size, &test, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text_string(&draft.text));
    text_release(&draft.text);
    text_release(&draft.condition);
    return test;
}
