// SPDX-License-Identifier: Apache-2.0
/* Shared by the checks of the finished test. */
#pragma once

#include "litmus/language/walk.h"
#include "litmus/parse/parser.h"

/* A check while it visits a thread. */
struct checker {
    struct parser *parser;
    const struct litmus_thread *thread;
    enum status status; /* of the first refusal */
};

/* The location that an address names, or NULL if it depends on the run. */
const struct litmus_location *checker_location(const struct checker *checker, const struct litmus_expression *address);
