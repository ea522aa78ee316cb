// SPDX-License-Identifier: Apache-2.0
/* Replacing calls of one-statement functions by the statement. */
#include "runner/hunt/reproduce/inline.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "runner/hunt/reproduce/template.h"

enum { MAXIMUM_ARGUMENTS = 3 }; /* p, expected, value */

/* A function of the form "FUNCTION TYPE NAME(PARAMETERS)\n{\n    STATEMENT;\n}\n\n". The statement may be
 * "TYPE result; asm volatile(...); return result;". */
struct small_function {
    struct text name, expression;              /* without return and semicolon */
    struct text parameters[MAXIMUM_ARGUMENTS]; /* their names */
    struct text types[MAXIMUM_ARGUMENTS];      /* of the parameters */
    size_t parameter_count;
    bool sets_result; /* an asm statement that sets `result`: for calls of the form NAME = f(...); */
    struct text type;
};

static void release(struct small_function *function)
{
    text_release(&function->name);
    text_release(&function->expression);
    text_release(&function->type);
    for (size_t i = 0; i < MAXIMUM_ARGUMENTS; i++) {
        text_release(&function->parameters[i]);
        text_release(&function->types[i]);
    }
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Sets the name that ends at `end`. */
static void last_name(const char *start, const char *end, struct text *name)
{
    const char *from = end;
    while (from > start && is_name(from[-1]))
        from--;
    text_add_bytes(name, from, (size_t)(end - from));
}

/* The end of the argument at `argument`: a comma or the closing bracket. */
static const char *argument_end(const char *argument)
{
    int depth = 0;
    while (*argument && (depth > 0 || (*argument != ',' && *argument != ')'))) {
        depth += (*argument == '(') - (*argument == ')');
        argument++;
    }
    return argument;
}

/* The semicolon that ends the statement at body; NULL if there is none before end. */
static const char *statement_end(const char *body, const char *end)
{
    bool quoted = false;
    for (; body < end; body++) {
        quoted ^= *body == '"';
        if (*body == ';' && !quoted)
            return body;
    }
    return NULL;
}

/* Reads a body that is one statement, or one asm statement that sets a result. */
static bool take_statement(const char *body, const char *end, struct small_function *function)
{
    static const char returns[] = " return result;";
    char declared[64];
    (void)snprintf(declared, sizeof declared, "%s result; asm ", text_string(&function->type));
    function->sets_result = strncmp(body, declared, strlen(declared)) == 0;
    if (function->sets_result)
        body += strlen(declared) - strlen("asm ");
    const char *stop = statement_end(body, end);
    if (!stop || memchr(body, '\n', (size_t)(end - body)) || memchr(body, '{', (size_t)(end - body)))
        return false;
    const size_t rest = (size_t)(end - stop) - 1;
    if (function->sets_result ? rest != strlen(returns) || strncmp(stop + 1, returns, rest) != 0 : rest != 0)
        return false;
    body += strncmp(body, "return ", 7) == 0 ? 7 : 0;
    text_add_bytes(&function->expression, body, (size_t)(stop - body));
    return true;
}

/* Adds a parameter, "int value" or "GLOBAL u32 *p". */
static void add_parameter(const char *start, const char *end, struct small_function *function)
{
    struct text *name = &function->parameters[function->parameter_count];
    last_name(start, end, name);
    text_add_bytes(&function->types[function->parameter_count++], start + (*start == ' '),
                   (size_t)(end - start) - (*start == ' ') - name->size);
}

/* Reads the function from start to end; false if it does not have this form. */
static bool read_small(const char *start, const char *end, struct small_function *function)
{
    const char *open = memchr(start, '(', (size_t)(end - start));
    const char *body = strstr(start, "\n{\n    ");
    if (!open || !body || body > end)
        return false;
    body += strlen("\n{\n    ");
    const char *body_end = strstr(body, "\n}");
    if (!body_end || body_end > end)
        return false;
    last_name(start, open, &function->name);
    text_add_bytes(&function->type, start + strlen("FUNCTION "),
                   (size_t)(open - start) - strlen("FUNCTION ") - function->name.size - 1);
    for (const char *at = open + 1; *at != '{' && function->parameter_count < MAXIMUM_ARGUMENTS;) {
        const char *stop = argument_end(at);
        if (strncmp(at, "void)", 5) != 0)
            add_parameter(at, stop, function);
        if (*stop != ',')
            break;
        at = stop + 1;
    }
    return take_statement(body, body_end, function);
}

/* One call: its function, arguments and target. */
struct call {
    const struct small_function *function;
    const char *result; /* the variable that the call is assigned to; or NULL */
    inline_fits *fits;
    const void *context; /* of fits */
    struct text arguments[MAXIMUM_ARGUMENTS];
};

/* Whether an argument can replace the parameter without a cast. Inline PTX and overloaded functions
 * (PoCL's atomic_fetch_xor_explicit) need exactly the parameter's type. */
static bool is_of_type(const struct call *call, size_t i)
{
    const char *argument = text_string(&call->arguments[i]), *type = text_string(&call->function->types[i]);
    size_t digits = argument[0] == '-';
    char plain[32];
    if (strchr(type, '*'))
        return true;
    (void)snprintf(plain, sizeof plain, "%.*s", (int)strcspn(type, " "), type);
    while (isdigit((unsigned char)argument[digits]))
        digits++;
    return (strcmp(plain, "int") == 0 && argument[digits] == '\0') || call->fits(argument, plain, call->context);
}

static bool add_argument(const char *word, struct text *out, const void *context)
{
    const struct call *call = context;
    if (call->result && strcmp(word, "result") == 0) {
        text_add(out, "%s", call->result);
        return true;
    }
    for (size_t i = 0; i < call->function->parameter_count; i++) {
        const char *argument = text_string(&call->arguments[i]), *type = text_string(&call->function->types[i]);
        size_t plain = argument[0] == '&' || argument[0] == '-';
        if (strcmp(text_string(&call->function->parameters[i]), word) != 0)
            continue;
        while (is_name(argument[plain]))
            plain++;
        if (!is_of_type(call, i))
            text_add(out, "(%.*s)", (int)strcspn(type, " "), type);
        text_add(out, argument[plain] == '\0' ? "%s" : "(%s)", argument);
        return true;
    }
    return false;
}

/* Writes the call's replacement; returns the text after its closing bracket. */
static const char *write_call(struct call call, const char *open, struct text *out)
{
    const struct small_function *function = call.function;
    const char *at = open + 1;
    for (size_t i = 0; i < function->parameter_count; i++) {
        const char *stop;
        at += *at == ' ';
        stop = argument_end(at);
        text_add_bytes(&call.arguments[i], at, (size_t)(stop - at));
        at = stop + (*stop == ',');
    }
    at += *at == ')' && function->parameter_count == 0;
    static const struct template_word none[] = {{0}};
    words_replace(text_string(&function->expression), none, add_argument, &call, out);
    for (size_t i = 0; i < MAXIMUM_ARGUMENTS; i++)
        text_release(&call.arguments[i]);
    return function->parameter_count == 0 ? at : at + (*at == ')');
}

/* Whether there is a call of the name at `at`, in the text that begins at start. */
static bool is_call(const char *start, const char *at, const struct text *name)
{
    return strncmp(at, text_string(name), name->size) == 0 && at[name->size] == '(' &&
           (at == start || !is_name(at[-1]));
}

/* Moves the name of a final "NAME = ", which must begin a statement, from out to target; else
 * false. */
static bool take_target(struct text *out, struct text *target)
{
    const char *start = text_string(out), *end = start + out->size;
    if (out->size < 4 || strncmp(end - 3, " = ", 3) != 0)
        return false;
    last_name(start, end - 3, target);
    const size_t left = out->size - 3 - target->size;
    if (left == 0 || (start[left - 1] != ' ' && start[left - 1] != '\n'))
        return false;
    out->data[left] = '\0';
    out->size = left;
    return true;
}

/* Replaces the calls of one function. Arguments may be calls themselves, so the caller repeats
 * this. A function that sets a result is replaced only if the call is assigned to a variable as a
 * whole statement. */
static void inline_calls(const struct small_function *function, inline_fits *fits, const void *context,
                         struct text *calling)
{
    struct text out = {0};
    const char *start = text_string(calling);
    for (const char *at = start; *at;) {
        struct text target = {0};
        const char *open = at + function->name.size;
        if (!is_call(start, at, &function->name) || (function->sets_result && !take_target(&out, &target))) {
            text_add_bytes(&out, at++, 1);
        } else if (function->sets_result && !fits(text_string(&target), text_string(&function->type), context)) {
            text_add(&out, "%s = ", text_string(&target));
            text_add_bytes(&out, at++, 1);
        } else {
            const struct call call = {
                function, function->sets_result ? text_string(&target) : NULL, fits, context, {{0}}};
            at = write_call(call, open, &out);
        }
        text_release(&target);
    }
    text_release(calling);
    *calling = out;
}

void inline_functions(const char *functions, inline_fits *fits, const void *context, struct text *calling,
                      struct text *kept)
{
    while (*functions) {
        struct small_function function = {0};
        const char *end = strstr(functions, "\n}\n");
        end = end ? end + strlen("\n}\n") : functions + strlen(functions);
        if (read_small(functions, end, &function))
            for (int nested = 0; nested < 4; nested++)
                inline_calls(&function, fits, context, calling);
        if (words_have(text_string(calling), text_string(&function.name)) || function.name.size == 0)
            text_add_bytes(kept, functions, (size_t)(end - functions) + (*end == '\n'));
        release(&function);
        functions = end + (*end == '\n');
    }
}

void inline_replace(struct text *text, const char *from, const char *to)
{
    const size_t length = strlen(from);
    struct text out = {0};
    for (const char *at = text_string(text), *found; *at; at = found) {
        found = strstr(at, from);
        if (!found) {
            text_add(&out, "%s", at);
            break;
        }
        text_add_bytes(&out, at, (size_t)(found - at));
        text_add(&out, "%s", to);
        found += length;
    }
    text_release(text);
    *text = out;
}
