// SPDX-License-Identifier: Apache-2.0
/* The request of `orchil synthesise`, shared by its parts. Private to this folder. */
#ifndef ORCHIL_CLI_VERBS_VERB_SYNTHESISE_H
#define ORCHIL_CLI_VERBS_VERB_SYNTHESISE_H

#include "base/json.h"
#include "cli/options.h"
#include "cli/test_folder.h"
#include "synthesis/synthesis.h"

struct synthesise_request {
    const char *model, *allow, *forbid, *folder, *seen, *run;
    int dialect;
    struct synthesis_bound bound;
    unsigned shard, shards;
    bool json, force, fresh;
    struct verb_arguments tests;
};

/* --seen: what the database says of the models, which --model lists, and the next test; --run: runs tests until they split no
 * more models. Prints to standard output. */
enum status synthesise_seen(const struct synthesise_request *request, struct error *error);

/*
 * The state of an unfinished search: the file DIR/unfinished.json, replaced as a whole. It says which search it is (the
 * bound, the models and their hashes, orchil's version), where the search is, and which tests it found so far. Starts as
 * {0}; memory is released by synthesise_state_release, also after an error.
 */
struct synthesise_state {
    const char *folder;
    char *path;
    json_t *search, *document; /* what must be equal; the file, or NULL */
    bool found;                /* there is a position of this search, and the rest is set: */
    struct synthesis_position from;
    const char **held, **tests; /* of tests: the lines of the index */
    size_t test_count;
    uint64_t new_tests; /* not in the catalogue; also to be saved, as the seconds */
    double seconds;
    double saved; /* when the file was last written */
};

/* USAGE, with what differs, if the folder has the state of another search, unless --force is given: then nothing is found. */
enum status synthesise_state_open(const struct synthesise_request *request, const struct model *forbid,
                                  const struct model *allow, struct synthesise_state *state, struct error *error);

/* Is it time to save? */
bool synthesise_state_due(const struct synthesise_state *state);
enum status synthesise_state_save(struct synthesise_state *state, const struct synthesis_position *position,
                                  const struct test_folder *folder, struct error *error);

/* The search is complete. */
enum status synthesise_state_remove(const struct synthesise_state *state, struct error *error);
void synthesise_state_release(struct synthesise_state *state);

#endif
