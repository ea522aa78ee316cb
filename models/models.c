// SPDX-License-Identifier: Apache-2.0
/* The models: built in, or from a file. */
#include "base/tool.h"
#include "models/model.h"
#include "models/models_lists.h"

#define DECLARE(name, symbol) extern const char symbol[];
MODEL_LIST(DECLARE)
INCLUDED_LIST(DECLARE)
extern const char cat_text_prelude[];

#define NAME(name, symbol) name,
const char *const model_names[] = {MODEL_LIST(NAME) NULL};
#undef NAME

static const struct {
    const char *name, *text;
} texts[] = {MODEL_LIST(ROW_OF) INCLUDED_LIST(ROW_OF)};

/* Files of herd that define what orchil already defines, or the words of an architecture: files with these names next
 * to a model are ignored. */
static const char own_names[] =
    "cos.cat c11_cos.cat c11_los.cat cross.cat stdlib.cat x86fences.cat aarch64fences.cat aarch64deps.cat "
    "aarch64bbm.cat";

static const char suffix[] = ".cat";

/* The text called name, which may end in ".cat"; or NULL. */
static const char *built_in(const char *name)
{
    for (size_t i = 0; i < COUNT(texts); i++) {
        const size_t size = strlen(texts[i].name);
        if (strncmp(texts[i].name, name, size) == 0 && (name[size] == '\0' || strcmp(name + size, suffix) == 0))
            return texts[i].text;
    }
    return NULL;
}

/* The texts from which a model is read. */
struct model_reading {
    const char *path;   /* the model's, or NULL for a built-in one */
    struct text *whole; /* all texts that were read, in order, each after its size: the input of the model's hash */
};

static void note_text(struct text *whole, const char *text)
{
    text_add(whole, "%zu:%s", strlen(text), text);
}

/* Reads a file in the folder of another, or below that; NULL if there is none. */
static char *read_beside(const char *other, const char *below, const char *name, struct text *folders)
{
    const char *slash = strrchr(other, '/');
    LOCAL(text) path = {0}, found = {0};
    text_add(&path, "%.*s%s", slash ? (int)(slash + 1 - other) : 2, slash ? other : "./", below);
    text_add(folders, "%s in %s", folders->size > 0 ? "," : "", text_string(&path));
    text_add(&path, "%s", name);
    const enum status status = file_read_whole(text_string(&path), CAT_MAXIMUM_FILE, &found, NULL);
    return status == STATUS_OK ? memory_copy(text_string(&found)) : NULL;
}

/* An included file: one of orchil's own names, else a file next to the model or in herd7's library, else a built-in
 * one. The library that is merely installed gives no model another meaning: it comes after built-in files. context: a
 * struct model_reading. */
static char *read_include(const char *name, const void *context, struct text *folders)
{
    const struct model_reading *reading = context;
    const char *embedded = built_in(name), *library = getenv("HERDLIB");
    char *text = NULL, herd7[PATH_MAX];
    if (reading->path && !text_has_word(own_names, name, strlen(name)) && name[0] != '/' && !strstr(name, "..")) {
        text = read_beside(reading->path, "", name, folders);
        if (!text && library)
            text = read_beside(PRINTED(PATH_MAX, "%s/", library), "", name, folders);
        if (!text && (!embedded || embedded == cat_text_nothing) && tool_is_on_path("herd7", herd7))
            text = read_beside(herd7, "../share/herdtools7/herd/", name, folders);
    }
    if (!text && embedded)
        text = memory_copy(embedded);
    if (text)
        note_text(reading->whole, text);
    return text;
}

static enum status load_file(const char *path, struct model *model, struct text *whole, struct error *error)
{
    const struct model_reading reading = {path, whole};
    const char *slash = strrchr(path, '/');
    struct text id = {0};
    LOCAL(text) found = {0};
    char hex[HASH_HEX_SIZE];
    const enum status read = file_read_input(path, CAT_MAXIMUM_FILE, &found, error);
    if (read != STATUS_OK)
        return read;
    const char *text = text_string(&found);
    if (strlen(text) != found.size)
        return error_set(error, STATUS_SYNTAX, "%s: expected text, found NUL bytes", path);
    hash_hex(text, strlen(text), hex);
    text_add(&id, "%s:%.12s", slash ? slash + 1 : path, hex);
    model->id = text_take(&id);
    note_text(whole, text);
    return cat_parse(path, text, read_include, &reading, &model->cat, error);
}

static enum status load_text(const char *name, const char *content, struct model *model, struct text *whole,
                             struct error *error)
{
    const struct model_reading reading = {NULL, whole};
    LOCAL(text) file = {0};
    text_add(&file, "%s%s", name, suffix);
    model->id = memory_copy(name);
    note_text(whole, content);
    return cat_parse(text_string(&file), content, read_include, &reading, &model->cat, error);
}

/* The built-in model of that name, in any case; or NULL. */
static const char *find_model_name(const char *name)
{
    for (size_t i = 0; model_names[i]; i++)
        if (strcasecmp(model_names[i], name) == 0)
            return model_names[i];
    return NULL;
}

enum status model_read(const char *name, const char *content, struct model **result, struct error *error)
{
    struct model *model = memory_take(1, sizeof *model);
    LOCAL(text) whole = {0};
    text_add(&whole, "%d:", MODEL_MEANING);
    note_text(&whole, cat_text_prelude);
    note_text(&whole, cat_text_sc);
    enum status status =
        content ? load_text(name, content, model, &whole, error) : load_file(name, model, &whole, error);
    hash_hex(text_string(&whole), whole.size, model->hash);
    THEN(status, cat_parse("sc.cat", cat_text_sc, NULL, NULL, &model->sc, error));
    if (status == STATUS_OK)
        *result = model;
    else
        model_release(model);
    return status;
}

enum status model_load(const char *name_or_path, struct model **result, struct error *error)
{
    *result = NULL;
    const size_t size = strlen(name_or_path);
    const bool file = size > strlen(suffix) && strcmp(name_or_path + size - strlen(suffix), suffix) == 0;
    const char *name = file ? NULL : find_model_name(name_or_path);
    if (!file && !name) {
        LOCAL(text) names = {0};
        for (size_t i = 0; model_names[i]; i++)
            text_add(&names, "%s%s", i ? ", " : "", model_names[i]);
        return error_set(error, STATUS_USAGE,
                         "unknown model '%s': expected one of %s, or a file whose name ends in .cat", name_or_path,
                         text_string(&names));
    }
    return model_read(file ? name_or_path : name, file ? NULL : built_in(name), result, error);
}

void model_release(struct model *model)
{
    if (!model)
        return;
    cat_release(model->cat);
    cat_release(model->sc);
    free(model->id);
    free(model);
}

const char *model_id(const struct model *model)
{
    return model->id;
}

const char *model_hash(const struct model *model)
{
    return model->hash;
}

WORDS_OF(model_default, enum litmus_dialect, [LITMUS_OPENCL] = "opencl", [LITMUS_PTX] = "ptx", [LITMUS_CUDA] = "ptx",
         [LITMUS_C] = "rc11", [LITMUS_VULKAN] = "vulkan")
