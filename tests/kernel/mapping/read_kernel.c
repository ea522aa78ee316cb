// SPDX-License-Identifier: Apache-2.0
/* Functions line by line, and the statements of threads word by word. */
#include "tests/kernel/mapping/read_kernel.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernel/mapping/reader.h"

/* ---- words ---- */

void reader_fail(struct reader *reader, const char *why)
{
    if (!reader->why)
        reader->why = why;
}

bool reader_sees(struct reader *reader, const char *words)
{
    reader->at += strspn(reader->at, " \n");
    return !reader->why && strncmp(reader->at, words, strlen(words)) == 0;
}

bool reader_takes(struct reader *reader, const char *words)
{
    if (!reader_sees(reader, words))
        return false;
    reader->at += strlen(words);
    return true;
}

void reader_expects(struct reader *reader, const char *words)
{
    if (!reader_takes(reader, words))
        reader_fail(reader, "text of another form than the reader expects");
}

void reader_word(struct reader *reader, char word[160])
{
    size_t size = 0;
    for (reader->at += strspn(reader->at, " \n"); isalnum((unsigned char)*reader->at) || *reader->at == '_';
         reader->at++)
        if (size < 159)
            word[size++] = *reader->at;
    word[size] = '\0';
}

int reader_name(struct reader *reader, char letter)
{
    unsigned body, number;
    char found;
    int size = 0;
    reader->at += strspn(reader->at, " \n");
    if (reader->why || sscanf(reader->at, "p%u_%c%u%n", &body, &found, &number, &size) != 3 || found != letter)
        return LITMUS_NONE;
    if (body != reader->body)
        reader_fail(reader, "a name of another thread");
    reader->at += size;
    return (int)number;
}

void reader_skip_group(struct reader *reader)
{
    for (int depth = 1; *reader->at && depth > 0; reader->at++)
        depth += *reader->at == '(' || *reader->at == '{' ? 1 : *reader->at == ')' || *reader->at == '}' ? -1 : 0;
}

const struct read_helper *reader_helper(const struct reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->helper_count; i++)
        if (strcmp(reader->helpers[i].name, name) == 0)
            return &reader->helpers[i];
    return NULL;
}

/* ---- statements ---- */

static struct litmus_statement *add(struct reader *reader, enum litmus_statement_kind kind)
{
    struct litmus_statement *statement = &ARENA_ADD(reader->arena, reader->block->statements, reader->block->count);
    *statement = (struct litmus_statement){.kind = kind, .target = LITMUS_NONE, .label = LITMUS_NONE};
    return statement;
}

static void start(struct reader *reader)
{
    reader->accesses = reader->before_count = reader->after_count = 0;
    reader->fence_of_choice = false;
    reader->vector = NULL;
}

static void add_before(struct reader *reader)
{
    if (reader->accesses > 1 && reader->before_count + reader->after_count > 0 && !reader->vector)
        reader_fail(reader, "a fence beside another access in one expression");
    if (reader->fence_of_choice)
        reader_fail(reader, "a fence to the right of && or ||");
    for (unsigned i = 0; i < reader->before_count; i++)
        add(reader, LITMUS_FENCE)->fence = reader->before[i];
}

static void add_after(struct reader *reader)
{
    for (unsigned i = 0; i < reader->after_count; i++)
        add(reader, LITMUS_FENCE)->fence = reader->after[i];
}

static void read_statements(struct reader *reader);

static struct litmus_block read_block(struct reader *reader)
{
    struct litmus_block *outer = reader->block, inner = {0};
    reader->block = &inner;
    read_statements(reader);
    reader_expects(reader, "}");
    reader->block = outer;
    return inner;
}

/* A condition in parentheses, which are past already at the left. */
static struct litmus_expression *read_condition(struct reader *reader)
{
    start(reader);
    struct litmus_expression *condition = read_expression(reader);
    reader_expects(reader, ")");
    if (reader->after_count > 0)
        reader_fail(reader, "a fence after the access of a condition");
    return read_truth(reader, condition);
}

static void read_if(struct reader *reader)
{
    char budget[32];
    unsigned thread, number;
    (void)snprintf(budget, sizeof budget, "p%u_spins == 0)", reader->body);
    if (reader_takes(reader, budget)) {
        reader_expects(reader, "{");
        reader_skip_group(reader);
        return;
    }
    if (sscanf(reader->at, "p%u_next == %u", &thread, &number) == 2) { /* a part, in a language without jumps */
        reader_skip_group(reader);
        reader_expects(reader, "{");
        if (number > 0)
            add(reader, LITMUS_LABEL)->label = (int)number - 1;
        read_statements(reader);
        reader_expects(reader, "}");
        return;
    }
    struct litmus_expression *condition = read_condition(reader);
    add_before(reader);
    if (reader_takes(reader, "goto")) {
        struct litmus_statement *jump = add(reader, LITMUS_GOTO);
        jump->value = condition;
        jump->label = reader_name(reader, 'l');
        reader_expects(reader, ";");
        return;
    }
    reader_expects(reader, "{");
    const struct litmus_block body = read_block(reader);
    const struct litmus_block otherwise =
        reader_takes(reader, "else {") ? read_block(reader) : (struct litmus_block){0};
    struct litmus_statement *statement = add(reader, LITMUS_IF);
    statement->value = condition;
    statement->body = body;
    statement->otherwise = otherwise;
}

/* The fences before a condition, at the end of the body after which it is evaluated again. */
static void add_again(struct reader *reader, struct litmus_block *body, const struct litmus_fence *fences,
                      unsigned count)
{
    struct litmus_block *outer = reader->block;
    reader->block = body;
    for (unsigned i = 0; i < count; i++)
        add(reader, LITMUS_FENCE)->fence = fences[i];
    reader->block = outer;
}

static void read_while(struct reader *reader)
{
    struct litmus_fence fences[MOST_FENCES];
    char parts[32];
    (void)snprintf(parts, sizeof parts, "p%u_next != 65535u) {", reader->body);
    if (reader_takes(reader, parts)) {
        read_statements(reader);
        reader_expects(reader, "}");
        return;
    }
    struct litmus_expression *condition = read_condition(reader);
    const unsigned count = reader->before_count;
    memcpy(fences, reader->before, sizeof fences);
    add_before(reader);
    reader_expects(reader, "{");
    struct litmus_block body = read_block(reader);
    add_again(reader, &body, fences, count);
    struct litmus_statement *statement = add(reader, LITMUS_WHILE);
    statement->value = condition;
    statement->body = body;
}

static void read_do(struct reader *reader)
{
    struct litmus_block body = read_block(reader), *outer = reader->block;
    reader_expects(reader, "while (");
    struct litmus_expression *condition = read_condition(reader);
    reader_expects(reader, ";");
    reader->block = &body;
    add_before(reader);
    reader->block = outer;
    struct litmus_statement *statement = add(reader, LITMUS_DO_WHILE);
    statement->value = condition;
    statement->body = body;
}

/* "p0_next = 2u; continue;" is a jump; without `continue` the next part is the one that follows. */
static bool reads_next(struct reader *reader)
{
    unsigned body, number;
    int size = 0;
    if (sscanf(reader->at, "p%u_next = %uu;%n", &body, &number, &size) != 2 || size == 0)
        return false;
    reader->at += size;
    if (reader_takes(reader, "continue;"))
        add(reader, LITMUS_GOTO)->label = (int)number - 1;
    return true;
}

static void read_assignment(struct reader *reader, int target)
{
    start(reader);
    reader_expects(reader, "=");
    struct litmus_expression *value = read_expression(reader);
    reader_expects(reader, ";");
    add_before(reader);
    if (reader->why)
        return;
    struct litmus_statement *statement = add(reader, LITMUS_ASSIGN);
    statement->target = target;
    statement->value = read_as(reader, value, reader->test->threads[reader->body].registers[target].type);
    add_after(reader);
}

static void read_perform(struct reader *reader, const struct read_helper *helper)
{
    start(reader);
    struct litmus_expression *value = read_call(reader, helper);
    reader_expects(reader, ";");
    add_before(reader);
    if (reader->vector)
        add(reader, LITMUS_VECTOR)->vector = *reader->vector;
    else if (value)
        add(reader, LITMUS_PERFORM)->value = value;
    add_after(reader);
}

/* What follows a vector's load in its block: "p0_r1 = word0;". */
static void read_words(struct reader *reader)
{
    while (!reader->why && !reader_takes(reader, "}")) {
        const int target = reader_name(reader, 'r');
        struct litmus_block *block = reader->block;
        unsigned lane;
        if (target == LITMUS_NONE) {
            reader->at += strcspn(reader->at, ";"); /* a word that no register keeps */
            reader_expects(reader, ";");
            continue;
        }
        reader_expects(reader, "= word");
        lane = (unsigned)strtoul(reader->at, (char **)(uintptr_t)&reader->at, 10);
        reader_expects(reader, ";");
        if (block->count == 0 || lane >= LITMUS_MAXIMUM_LANES) {
            reader_fail(reader, "a word without its vector");
            return;
        }
        for (size_t i = block->count; i-- > 0;)
            if (block->statements[i].kind == LITMUS_VECTOR) {
                block->statements[i].vector.registers[lane] = target;
                break;
            }
    }
}

/* Statements that start with a word. */
static void read_worded(struct reader *reader)
{
    char word[160];
    unsigned body;
    int size = 0;
    reader_word(reader, word);
    const struct read_helper *helper = reader_helper(reader, word);
    if (!*word)
        reader_fail(reader, "a statement that the reader does not know");
    else if (strcmp(word, "goto") == 0) {
        add(reader, LITMUS_GOTO)->label = reader_name(reader, 'l');
        reader_expects(reader, ";");
    } else if (sscanf(word, "p%u_end%n", &body, &size) == 1 && size > 0)
        reader_expects(reader, ":;");
    else if (sscanf(word, "p%u_spins%n", &body, &size) == 1 && size > 0)
        reader_expects(reader, "--;");
    else if (helper && strncmp(word, "use_", 4) != 0) {
        reader_expects(reader, "(");
        read_perform(reader, helper);
    } else { /* a declaration of a word, or its use */
        reader->at += strcspn(reader->at, ";");
        reader_expects(reader, ";");
    }
}

static void read_statement(struct reader *reader)
{
    const int label = reader_name(reader, 'l');
    const int target = label == LITMUS_NONE ? reader_name(reader, 'r') : LITMUS_NONE;
    if (label != LITMUS_NONE) {
        reader_expects(reader, ":;");
        add(reader, LITMUS_LABEL)->label = label;
    } else if (target != LITMUS_NONE)
        read_assignment(reader, target);
    else if (reader_takes(reader, "if ("))
        read_if(reader);
    else if (reader_takes(reader, "while ("))
        read_while(reader);
    else if (reader_takes(reader, "do {"))
        read_do(reader);
    else if (reader_takes(reader, "{")) {
        reader->at += strcspn(reader->at, ";"); /* "int word0, word1" */
        reader_expects(reader, ";");
        read_statement(reader);
        read_words(reader);
    } else {
        (void)reader_takes(reader, "(void)");
        if (!reads_next(reader))
            read_worded(reader);
    }
}

static void read_statements(struct reader *reader)
{
    while (!reader->why && *reader->at && !reader_sees(reader, "}"))
        read_statement(reader);
}

/* ---- functions ---- */

/* Past a block of a thread, "{ // P0" or "if (p0_plays != 0u) { // P0 to P3"; the thread's bit. */
static unsigned long long read_thread(struct reader *reader)
{
    unsigned first;
    reader->at = strchr(reader->at, '{');
    if (sscanf(reader->at, "{ // P%u", &first) != 1) {
        reader_fail(reader, "a block that names no thread");
        return 0;
    }
    reader->at += strcspn(reader->at, "\n");
    for (size_t body = 0; body < reader->test->body_count; body++) {
        if (reader->test->threads[body].first != first)
            continue;
        reader->body = (unsigned)body;
        reader->block = &reader->test->threads[body].body;
        read_statements(reader);
        reader_expects(reader, "}");
        return 1ULL << body;
    }
    reader_fail(reader, "a thread that the test has not");
    return 0;
}

/* A line that all threads of the function come to. */
static void read_barrier(struct reader *reader, unsigned long long bodies)
{
    struct instructions found;
    char *line = arena_copy_part(reader->arena, reader->at, strcspn(reader->at, "\n"));
    const char *why = read_instructions(reader->target, line, &found);
    if (why)
        reader_fail(reader, why);
    reader->at += strlen(line);
    for (size_t body = 0; body < reader->test->body_count; body++) {
        if (!(bodies >> body & 1))
            continue;
        reader->block = &reader->test->threads[body].body;
        start(reader);
        memcpy(reader->before, found.before, sizeof found.before);
        memcpy(reader->after, found.after, sizeof found.after);
        reader->before_count = found.before_count;
        reader->after_count = found.after_count;
        add_before(reader);
        if (found.barriers)
            add(reader, LITMUS_BARRIER)->barrier = found.barrier;
        add_after(reader);
    }
}

static void read_play(struct reader *reader, const char *end)
{
    unsigned long long bodies = 0;
    while (!reader->why && reader->at < end) {
        const char *line = reader->at;
        const char *mark = strstr(line, "{ // P");
        if (mark && mark < line + strcspn(line, "\n"))
            bodies |= read_thread(reader);
        else if (strncmp(line, "    asm ", 8) == 0 || strncmp(line, "    controlBarrier(", 19) == 0)
            read_barrier(reader, bodies);
        reader->at += strcspn(reader->at, "\n");
        reader->at += *reader->at == '\n';
    }
}

/* "FUNCTION void NAME(PARAMETERS)\n{\n    BODY\n}\n" */
static void read_function(struct reader *reader, const char *at, const char *end)
{
    const char *open = strchr(at, '('), *brace = strstr(at, ")\n{\n"), *name = open;
    if (!open || !brace || brace > end)
        return;
    while (name[-1] != ' ')
        name--;
    if (strncmp(name, "play_", 5) == 0) {
        reader->at = brace + 4;
        read_play(reader, end);
    } else {
        ARENA_ADD(reader->arena, reader->helpers, reader->helper_count) =
            (struct read_helper){.name = arena_copy_part(reader->arena, name, (size_t)(open - name)),
                                 .parameters = arena_copy_part(reader->arena, open + 1, (size_t)(brace - open - 1)),
                                 .body = arena_copy_part(reader->arena, brace + 4, (size_t)(end - brace - 4))};
        struct read_helper *helper = &reader->helpers[reader->helper_count - 1];
        if (strcmp(helper->parameters, "void") == 0)
            helper->parameters = "";
    }
}

static void read_functions(struct reader *reader, const struct kernel *kernel)
{
    static const char opening[] = "FUNCTION ";
    const char *text = arena_copy_part(reader->arena, kernel->source + kernel->body, kernel->body_size);
    for (const char *at = strstr(text, opening); at && !reader->why;) {
        const char *end = strstr(at, "\n}\n");
        if (!end) {
            reader_fail(reader, "a function without an end");
            return;
        }
        read_function(reader, at, end);
        at = strstr(end, opening);
    }
}

/* The host makes what a launch of VULKAN wrote available, and what it reads visible. */
static void add_operations_of_host(struct reader *reader)
{
    for (size_t body = 0; body < reader->test->body_count; body++) {
        struct litmus_block *block = &reader->test->threads[body].body, whole = {0};
        reader->block = &whole;
        add(reader, LITMUS_FENCE)->fence = (struct litmus_fence){.semantics = LITMUS_VISIBLE_DEVICE};
        for (size_t i = 0; i < block->count; i++)
            *add(reader, LITMUS_FENCE) = block->statements[i];
        add(reader, LITMUS_FENCE)->fence = (struct litmus_fence){.semantics = LITMUS_AVAILABLE_DEVICE};
        *block = whole;
    }
}

const char *read_kernel(const struct litmus_test *source, enum litmus_dialect target, const struct kernel *kernels,
                        unsigned agents, struct read_test *read)
{
    struct text text = {0};
    struct error error;
    *read = (struct read_test){0};
    litmus_print(source, &text);
    struct reader reader = {.target = target, .arena = &read->arena};
    if (litmus_parse(source->name, text_string(&text), text.size, &read->test, &error) != STATUS_OK)
        reader_fail(&reader, "the source cannot be parsed again");
    text_release(&text);
    reader.test = read->test;
    for (size_t body = 0; !reader.why && body < reader.test->body_count; body++)
        reader.test->threads[body].body = (struct litmus_block){0};
    for (size_t body = 0; body < source->body_count; body++)
        if (source->threads[body].placement.host)
            reader_fail(&reader, "a thread of the host, whose instructions are OpenCL C");
    for (unsigned agent = 0; agent < agents && !reader.why; agent++) {
        reader.helper_count = 0;
        reader.helpers = NULL;
        if (!kernel_is_shared(&kernels[agent]))
            read_functions(&reader, &kernels[agent]);
    }
    if (!reader.why && target == LITMUS_VULKAN && source->edge_count > 0)
        add_operations_of_host(&reader);
    if (reader.why)
        read_test_release(read);
    else
        read->test->dialect = target;
    return reader.why;
}

void read_test_release(struct read_test *read)
{
    litmus_release(read->test);
    arena_release(&read->arena);
    *read = (struct read_test){0};
}
