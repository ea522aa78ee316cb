// SPDX-License-Identifier: Apache-2.0
/* Tests of files. */
#include <sys/stat.h>

#include "base/whole_file.h"
#include "catalogue/selection_parts.h"

static enum status add_instance(struct maker *maker, const char *path, const struct template *template, size_t instance)
{
    struct litmus_test *test;
    TRY(template_test(template, instance, &test, maker->error));
    (void)selection_add(maker, test, path, template_is_family(template) ? template_title(template) : NULL);
    return STATUS_OK;
}

/* With many files, adds the instances that can be read; the first that cannot is listed for its
 * file. */
static enum status add_instances(struct maker *maker, const char *path, const struct template *template, size_t size,
                                 bool of_many)
{
    bool listed = false;
    for (size_t i = 0; i < template_count(template); i++) {
        TRY(selection_count(maker, 1, size)); /* an instance is parsed as a file of about this size */
        enum status status = add_instance(maker, path, template, i);
        const bool fault = of_many && selection_is_fault(status);
        if (fault)
            status = listed ? STATUS_OK : selection_pass_over(maker, status);
        listed |= fault;
        TRY(status);
    }
    return STATUS_OK;
}

/* Only a file that the command line names may be a pipe. */
static enum status read_test(struct maker *maker, const char *path, bool of_many, struct text *text)
{
    TRY(of_many ? file_read_whole(path, LITMUS_MAXIMUM_FILE, text, maker->error)
                : litmus_read_file(path, text, maker->error));
    return selection_count(maker, 0, text->size);
}

enum status selection_add_file(struct maker *maker, const char *path, bool of_many)
{
    struct text text = {0};
    struct template *template = NULL;
    enum status status = read_test(maker, path, of_many, &text);
    if (status == STATUS_OK)
        status = template_parse(path, text_string(&text), text.size, &template, maker->error);
    if (status == STATUS_OK)
        status = add_instances(maker, path, template, text.size, of_many);
    template_release(template);
    text_release(&text);
    return status;
}

enum status selection_add_path(struct maker *maker, const char *path, bool of_many)
{
    struct stat what;
    return stat(path, &what) == 0 && S_ISDIR(what.st_mode) ? selection_add_folder(maker, path, &what)
                                                           : selection_add_file(maker, path, of_many);
}
