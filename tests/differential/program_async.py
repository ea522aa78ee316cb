# SPDX-License-Identifier: Apache-2.0
"""The cells of a litmus test for PTX's asynchronous operations, mbarriers and cluster barriers.

All locations have 4 bytes, arrays 2 elements. A bulk copy moves 16 bytes: the location and its padding."""


def space(program, thread, name):
    """The state space that a place is in, as a thread sees it."""
    home = program.places[name if name in program.places else name + "[0]"].home
    return "global" if home is None else "shared::cta" if home == thread.group else "shared::cluster"


def _copy(program, thread, i):
    to, source = space(program, thread, i.place), space(program, thread, i.source)
    if i.operation == "cp.async":
        return f"cp.async.ca.shared.global [{i.place}], [{i.source}], {4 if i.place in program.places else 8}"
    if i.operation == "tensor" and i.mbarrier is None:
        return f"cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [{i.place}, {{0}}], [{i.source}]"
    if i.operation == "tensor":
        return f"cp.async.bulk.tensor.1d.{to}.global.tile.mbarrier::complete_tx::bytes [{i.place}], [{i.source}, {{0}}], [{i.mbarrier}]"
    start, end = ("cp.reduce.async.bulk", ".add.u32") if i.operation == "reduce" else ("cp.async.bulk", "")
    if i.order:
        start, end = f"{start}.{i.order}.{i.scope}", ".b128"
    if i.mbarrier is None:
        return f"{start}.{to}.{source}.bulk_group{end} [{i.place}], [{i.source}], 16"
    if i.also is not None:
        place, mbarrier = i.also  # in CTAs 0 and 1, so the mask is 3
        return f"{start}.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [{{{i.place}, {place}}}], [{i.source}], 16, " \
            f"[{{{i.mbarrier}, {mbarrier}}}], 3"
    return f"{start}.{to}.{source}.mbarrier::complete_tx::bytes{end} [{i.place}], [{i.source}], 16, [{i.mbarrier}]"


def _put(program, thread, i):
    if i.mbarrier is None:
        end = ".add.u32" if i.operation == "red.async" else ".u32"
        return f"{i.operation}.release.{i.scope}.global{end} [{i.place}], {i.value.constant}"
    order, end = ("relaxed.cluster", ".add.u32") if i.operation == "red.async" else ("weak", ".u32")
    return f"{i.operation}.{order}.shared::cluster.mbarrier::complete_tx::bytes{end} [{i.place}], {i.value.constant}, " \
        f"[{i.mbarrier}]"


def _replace(program, thread, i):
    return f"tensormap.replace.tile.global_address.{space(program, thread, i.place)}.b1024.b64 [{i.place}], {i.source}"


def _copy_map(program, thread, i):
    return f"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.{i.scope}.sync.aligned [{i.place}], [{i.source}], 128"


def _multiply(program, thread, i):
    return f"wgmma.mma_async.sync.aligned r{i.register}, [{i.place}]"


def _matrix_fence(program, thread, i):
    return "wgmma.fence.sync.aligned"


def _of_groups(i, action):
    start, end = {"cp.async": ("cp.async", ""), "bulk": ("cp.async.bulk", ""), "matrix": ("wgmma", ".sync.aligned")}[i.operation]
    return f"{start}.{action}{end}"


def _commit(program, thread, i):
    return _of_groups(i, "commit_group")


def _wait_group(program, thread, i):
    return f"{_of_groups(i, 'wait_group')}{'.read' if i.read else ''} {i.count}"


def _wait_all(program, thread, i):
    return "cp.async.wait_all"


def _arrive_copies(program, thread, i):
    return f"cp.async.mbarrier.arrive{'.noinc' if i.operation else ''}.shared.b64 [{i.place}]"


def _mbarrier(program, thread, i):
    sink = "_, " if i.operation.startswith("arrive") else ""
    count = "" if i.count is None else f", {i.count}"
    return f"mbarrier.{i.operation}.{i.order}.{i.scope}.{space(program, thread, i.place)}.b64 {sink}[{i.place}]{count}"


def _init(program, thread, i):
    return f"mbarrier.init.shared.b64 [{i.place}], {i.count}"


def _test_wait(program, thread, i):
    return f"mbarrier.{i.operation}.parity.{i.order}.{i.scope}.shared::cta.b64 r{i.register}, [{i.place}], {i.count}"


def _cluster(program, thread, i):
    return f"barrier.cluster.{i.operation}"


CELLS = {"copy": _copy, "put": _put, "commit": _commit, "wait_group": _wait_group, "wait_all": _wait_all,
         "arrive_copies": _arrive_copies, "mbarrier": _mbarrier, "test_wait": _test_wait, "cluster": _cluster, "replace": _replace,
         "copy_map": _copy_map, "init": _init, "multiply": _multiply, "matrix_fence": _matrix_fence}


def asynchronous(program):
    """Whether a program has any of these, or an mbarrier."""
    return any(place.region == "mbarrier" for place in program.places.values()) or \
        any(i.kind in CELLS for thread in program.threads for i in thread.code)
