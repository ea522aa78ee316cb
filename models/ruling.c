// SPDX-License-Identifier: Apache-2.0
/* The one rule for what fails. */
#include "models/ruling.h"

const char *ruling_word(enum ruling_kind kind)
{
#define RULING_WORD(name, word) [RULING_##name] = word,
    static const char *const words[RULING_COUNT] = {RULING_LIST(RULING_WORD)};
    return words[kind];
}

bool ruling_condemns(enum ruling_kind kind)
{
    return kind >= RULING_CLAIM;
}

static enum ruling_kind ruling_kind_of(const struct sighting *sighting)
{
    if (sighting->target == VERDICT_FORBIDDEN)
        return RULING_FORBIDDEN;
    if (sighting->source == VERDICT_FORBIDDEN)
        return sighting->target == VERDICT_NONE ? RULING_FORBIDDEN : RULING_LIMIT;
    if (sighting->witness && sighting->control)
        return RULING_CONTROL;
    return sighting->witness && sighting->claimed ? RULING_CLAIM : RULING_NONE;
}

struct ruling ruling_of(const struct sighting *sighting)
{
    const enum ruling_kind kind = ruling_kind_of(sighting);
    const bool promised = sighting->strict || !(sighting->marks & MARK_UNDECLARED);
    return (struct ruling){.kind = kind, .fails = promised && ruling_condemns(kind)};
}

uint64_t ruling_shown(unsigned marks, uint64_t witnesses)
{
    return marks & MARK_NOT_OVERLAPPED ? 0 : witnesses;
}
