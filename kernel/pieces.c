// SPDX-License-Identifier: Apache-2.0
/* A test's threads as kernel text, by slot, without the skeleton. */
#include "kernel/pieces.h"

enum status kernel_pieces_make(const struct litmus_test *test, const struct backend_device *device,
                               const char *lowering, bool delays, struct kernel_pieces *pieces, struct error *error)
{
    *pieces = (struct kernel_pieces){0};
    TRY(kernel_generate(test, device, lowering, delays, &pieces->kernel, error));
    pieces->laid.delays = delays;
    pieces->laid.lowering = pieces->kernel.lowering;
    pieces->laid.progress = pieces->kernel.progress;
    TRY(allocation_make(test, device, &pieces->laid, &pieces->allocation, error));
    struct writer *writer = &pieces->writer;
    *writer = (struct writer){.allocation = &pieces->allocation,
                              .lowering = pieces->kernel.lowering,
                              .arena = &pieces->kernel.arena,
                              .error = error};
    for (unsigned slot = 0; slot < pieces->kernel.slots; slot++) {
        write_threads(writer, slot);
        pieces->threads[slot] = writer->code;
        writer->code = (struct code){0};
    }
    return writer->status;
}

void kernel_pieces_release(struct kernel_pieces *pieces)
{
    for (unsigned slot = 0; slot < KERNEL_MAXIMUM_SLOTS; slot++)
        text_release(&pieces->threads[slot].text);
    allocation_release(&pieces->allocation);
    kernel_release(&pieces->kernel);
}
