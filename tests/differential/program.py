# SPDX-License-Identifier: Apache-2.0
"""Small programs of the differential test, and their litmus tests in each dialect."""

from collections import namedtuple

import program_async

# A value: register (or None) plus constant; false means that the register is written as r ^ r, which is 0.
Value = namedtuple("Value", "register constant false", defaults=(None, 0, False))

# An instruction. 'kind' is load, store, rmw, fence, proxy_fence, barrier or if.
#   load     register, place, order, scope
#   store    place, value, order, scope
#   rmw      register (None: a reduction), place, operation (add or exch cas), value, order, scope; for cas also expected and
#            failure, the order if it fails. A cas returns what the dialect returns: PTX the old value, the others success.
#   fence    order, scope, flags; for PTX also proxy (async or tensormap: of one direction) and restriction (shared::cta,
#            shared::cluster or tensormap; for an acquire of the last, place is the map)
#   proxy_fence  proxy: alias, surface, texture, constant or async; for async also flags: its memory, or None (PTX)
#   barrier  flags
#   if       register, equals (a constant), body (instructions without if): taken if they are equal
#   vector   words: the load, store or rmw of each word, at an element of one array; whole: one access of 128 bits,
#            otherwise accesses in no order (PTX)
# Asynchronous operations of PTX (program_async.py has their syntax). source, mbarrier: names of places.
#   copy           place, source, operation (cp.async, bulk, reduce, or tensor: one of the places is a tensor map; order and scope: a
#                  relaxed copy, of 128 bits at once), mbarrier or None: the thread's groups; also: the place and the
#                  mbarrier in another CTA, to which the same copy goes (multicast), or None
#   replace        place (a tensor map), source: what it names from now on
#   copy_map       place, source (tensor maps), scope: tensormap.cp_fenceproxy
#   put            place, value, operation (st.async or red.async), mbarrier; or None: a release of that scope
#   multiply       register, place: wgmma.mma_async, which is in the thread's groups of kind matrix
#   matrix_fence   wgmma.fence, which orders no memory
#   commit         operation (cp.async, bulk or matrix): makes a group of the thread's copies of that kind
#   wait_group     operation, count: how many groups may be open; read: only their reads must be done
#   wait_all       for all cp.async
#   arrive_copies  place (an mbarrier), operation (noinc or None)
#   mbarrier       place, operation (arrive, expect_tx, arrive.expect_tx or complete_tx), count, order, scope
#   init           place (an mbarrier), count: mbarrier.init
#   test_wait      register, place, count (the parity), operation (test_wait or try_wait), order, scope
#   cluster        operation (arrive, arrive.relaxed or wait)
FIELDS = ("kind register place operation value expected order failure scope flags equals body proxy source mbarrier "
          "count read words whole restriction also")
Instruction = namedtuple("Instruction", FIELDS, defaults=(None,) * 20)

# VULKAN: the orders are plain, relaxed, acquire, release, acq_rel; flags are all other words of an instruction but its scope.
#   device         operation: avdevice or visdevice

# A thread: where it runs, and its instructions. In VULKAN, group is the numbers of the sub-group, the work-group and the queue
# family.
Thread = namedtuple("Thread", "group cluster device code")

# places: name -> Place. region is global, local, or in PTX shared or mbarrier: memory of CTA `home`; atomic is how it is
# declared. A PTX place may be another way to the memory of the place `of`: another virtual address of it (proxy generic), or its
# address through another proxy. initial is its value, for an mbarrier the number of arrivals that end a phase or None, for a tensor map the
# name of a place. An array is a place for each element: a[0], a[1]. type is a PTX word, or None: int.
Place = namedtuple("Place", "region atomic proxy of home initial type",
                   defaults=("global", True, "generic", None, None, 0, None))
# ssw (VULKAN): pairs of threads' numbers, the first of which system-synchronises with the second.
Program = namedtuple("Program", "name dialect places threads ssw", defaults=((),))


def locations(program):
    """The names of the places that have their own memory."""
    return [name for name, place in program.places.items() if place.of is None]


def location(program, name):
    """The name of the memory that a place reaches."""
    while program.places[name].of is not None:
        name = program.places[name].of
    return name


def address(program, name):
    """The name of the virtual address that a place has."""
    while program.places[name].proxy != "generic":
        name = program.places[name].of
    return name


def elements(program, name):
    """The places of an array's elements, or the place itself."""
    return [name] if name in program.places else [place for place in program.places if place.startswith(name + "[")]


def is_map(program, name):
    return name in program.places and program.places[name].type == "tensormap"


def is_shown(program, name):
    """Whether outcomes have the value of a place."""
    return program.places[name].region != "mbarrier" and not is_map(program, name)


def instructions(code):
    """All instructions, including branches and the words of vectors."""
    for instruction in code:
        yield instruction
        yield from instruction.words or ()
        if instruction.kind == "if":
            yield from instructions(instruction.body)


def meeting(program, thread):
    """The work-group, whose threads meet at a barrier."""
    return thread.group[1:] if program.dialect == "vulkan" else (thread.device, thread.group)


def registers(thread):
    """The registers that a thread's accesses set."""
    given = {i.register for i in instructions(thread.code) if i.kind in ("load", "rmw", "test_wait", "multiply")}
    return sorted(given - {None})


def text(program):
    """The litmus test. All registers that accesses set and all places are observed."""
    lines = {"ptx": _ptx, "opencl": _opencl, "c": _c, "vulkan": _vulkan}[program.dialect](program)
    observed = "".join(f" {place};" for place in locations(program) if is_shown(program, place))
    for number, thread in enumerate(program.threads):
        observed += "".join(f" {number}:r{register};" for register in registers(thread))
    return "\n".join(lines + [f"locations [{observed} ]", ""])


def _heading(program):
    word = {"ptx": "PTX", "opencl": "OPENCL", "c": "C", "vulkan": "VULKAN"}[program.dialect]
    places = [_declaration(program, name, place) for name, place in program.places.items()]
    return [f"{word} {program.name}", "{ " + " ".join(filter(None, places)) + " }"]


def _declaration(program, name, place):
    if place.of and program.dialect == "vulkan":
        return f"{name} aliases {place.of};"
    if place.of:
        return f"{name} @ {place.proxy} aliases {place.of};"
    base, _, number = name.partition("[")
    if number and number != "0]":
        return ""  # declared with the first element
    initial = f"[{len(elements(program, base))}]" if number else "" if place.initial is None else f"={place.initial}"
    if place.type:
        base = f"{place.type} {base}"
    return f"{base}{initial};" if place.home is None else f"{place.region} {base}@cta {place.home}{initial};"


# The names of PTX instructions of a proxy.
PTX_NAMES = {"generic": {"load": "ld", "store": "st", "atom": "atom", "red": "red"}, "texture": {"load": "tld"},
             "surface": {"load": "suld", "store": "sust", "atom": "suatom", "red": "sured"},
             "constant": {"load": "cold"}}


def _vector_cell(i):
    """An access of several words. The values of the words are not computed."""
    first = i.words[0]
    order = first.order if first.scope is None else f"{first.order}.{first.scope}"
    kind = "b128" if i.whole else f"v{len(i.words)}.u64"
    kept = "{" + ", ".join("_" if w.register is None else f"r{w.register}" for w in i.words) + "}"
    place = f"[{first.place}]" if not first.place.endswith("[0]") else f"[{first.place[:-3]}]"
    if first.kind == "load":
        return f"ld.{order}.{kind} {kept}, {place}"
    values = "{" + ", ".join(str(w.value.constant) if w.value.register is None else f"r{w.value.register}"
                             for w in i.words) + "}"
    if first.kind == "store":
        return f"st.{order}.{kind} {place}, {values}"
    expected = "{" + ", ".join(str(w.expected) for w in i.words) + "}, " if first.operation == "cas" else ""
    return f"atom.{order}.{first.operation}.{kind} {kept}, {place}, {expected}{values}"


def _ptx_code(program, thread, code, labels):
    """The cells of a thread. A computed value goes through register r90."""
    cells = []
    for i in code:
        names = PTX_NAMES[program.places[i.place].proxy] if i.place in program.places else None
        if i.value is None or i.value.register is None:
            value = None if i.value is None else str(i.value.constant)
        elif not i.value.false and i.value.constant == 0:
            value = f"r{i.value.register}"
        else:
            source = i.value.register
            if i.value.false:
                cells.append(f"xor r90, r{source}, r{source}")
                source = 90
            cells.append(f"add r90, r{source}, {i.value.constant}")
            value = "r90"
        order = i.order if i.order in ("weak", "volatile") else f"{i.order}.{i.scope}"
        if i.kind == "load":
            cells.append(f"{names['load']}.{order} r{i.register}, {i.place}")
        elif i.kind == "store":
            cells.append(f"{names['store']}.{order} {i.place}, {value}")
        elif i.kind == "fence":
            restriction = f"{i.order}.sync_restrict::{i.restriction}.cluster" if i.restriction else order
            if i.restriction == "init":
                restriction = f"mbarrier_init.{order}"
            if i.restriction == "tensormap":
                restriction = f"{order} [{i.place}], 128" if i.place else order
            cells.append(f"fence.{f'proxy.{i.proxy}::generic.' if i.proxy else ''}{restriction}")
        elif i.kind == "proxy_fence":
            cells.append(f"fence.proxy.{i.proxy}" + (f".{i.flags}" if i.flags else ""))
        elif i.kind in program_async.CELLS:
            cells.append(program_async.CELLS[i.kind](program, thread, i))
        elif i.kind == "vector":
            cells.append(_vector_cell(i))
        elif i.kind == "barrier":
            cells.append("bar.cta.sync 0")
        elif i.kind == "rmw" and i.register is None:
            cells.append(f"{names['red']}.{order}.{i.operation} {i.place}, {value}")
        elif i.kind == "rmw":
            old = f"{i.expected}, " if i.operation == "cas" else ""
            cells.append(f"{names['atom']}.{order}.{i.operation} r{i.register}, {i.place}, {old}{value}")
        else:
            label = f"LC{labels.pop(0):02}"
            cells.append(f"bne r{i.register}, {i.equals}, {label}")
            cells += _ptx_code(program, thread, i.body, labels)
            cells.append(f"{label}:")
    return cells


def _ptx(program):
    columns = []
    for number, thread in enumerate(program.threads):
        cluster = "" if thread.cluster is None else f"cluster {thread.cluster},"
        head = f"P{number}@cta {thread.group},{cluster}gpu {thread.device}"
        columns.append([head] + _ptx_code(program, thread, thread.code, [10 * number + i for i in range(10)]))
    return _heading(program) + _rows(columns)


VULKAN_ORDERS = {"relaxed": ["atom"], "acquire": ["atom", "acq"], "release": ["atom", "rel"], "acq_rel": ["atom", "acq_rel"]}


def _vulkan_code(code, labels):
    cells = []
    for i in code:
        words = [*VULKAN_ORDERS.get(i.order, []), *(i.flags or ()), *([i.scope] if i.scope else [])]
        if i.kind in ("fence", "barrier"):
            words = [word for word in words if word != "atom"]
        value = None if i.value is None else str(i.value.constant) if i.value.register is None else f"r{i.value.register}"
        if i.kind == "load":
            cells.append(".".join(["ld"] + words) + f" r{i.register}, {i.place}")
        elif i.kind == "store":
            cells.append(".".join(["st"] + words) + f" {i.place}, {value}")
        elif i.kind == "rmw":
            words += [i.operation] if i.operation != "exch" else []
            old = f"{i.expected}, " if i.operation == "cas" else ""
            cells.append(".".join(["rmw"] + words) + f" r{i.register}, {i.place}, {old}{value}")
        elif i.kind == "fence":
            cells.append(".".join(["membar"] + words))
        elif i.kind == "barrier":
            cells.append(".".join(["cbar"] + words) + " 0")
        elif i.kind == "device":
            cells.append(i.operation)
        else:
            label = f"LC{labels.pop(0):02}"
            cells.append(f"bne r{i.register}, {i.equals}, {label}")
            cells += _vulkan_code(i.body, labels)
            cells.append(f"{label}:")
    return cells


def _vulkan(program):
    columns = []
    for number, thread in enumerate(program.threads):
        head = "P{}@sg {}, wg {}, qf {}".format(number, *thread.group)
        columns.append([head] + _vulkan_code(thread.code, [10 * number + i for i in range(10)]))
    ssw = ["{ " + " ".join(f"ssw {a} {b};" for a, b in program.ssw) + " }"] if program.ssw else []
    return _heading(program) + ssw + _rows(columns)


def _rows(columns):
    widths = [max(len(cell) for cell in column) for column in columns]
    rows = []
    for row in range(max(len(column) for column in columns)):
        cells = [column[row] if row < len(column) else "" for column in columns]
        rows.append(" " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths)) + " ;")
    return rows


def _c_value(value):
    if value.register is None:
        return str(value.constant)
    term = f"(r{value.register} ^ r{value.register})" if value.false else f"r{value.register}"
    return f"{term} + {value.constant}" if value.constant else term


def _c_suffix(orders, scope, spelling):
    """The end of the name of an atomic function and of its arguments, by `spelling`: 0 with orders and scope, 1 without the scope
    if it is the device, 2 without both if all orders are seq_cst."""
    if spelling > 0 and scope == "device":
        scope = None
        if spelling > 1 and set(orders) == {"seq_cst"}:
            return "", ""
    arguments = [f"memory_order_{order}" for order in orders] + ([f"memory_scope_{scope}"] if scope else [])
    return "_explicit", "".join(f", {argument}" for argument in arguments)


def _c_object(place):
    """What a pointer points to, or an element of an array."""
    return place if "[" in place else f"*{place}"


def _c_vector(i):
    """vload2 or vstore2 of the first elements of an array. Loaded values go through a vector variable to the registers."""
    array = i.words[0].place.partition("[")[0]
    if i.words[0].kind == "store":
        values = ", ".join(str(word.value.constant) for word in i.words)
        return [f"vstore2((int2)({values}), 0, {array});"]
    kept = [(word.register, f"s{number}") for number, word in enumerate(i.words) if word.register is not None]
    name = "v" + "_".join(str(register) for register, _ in kept)
    return [f"int2 {name} = vload2(0, {array});"] + [f"r{register} = {name}.{part};" for register, part in kept]


def _c_code(program, code, indent, expected):
    """Statements of OpenCL C or C. expected counts the variables for the expected values of compare_exchange."""
    opencl = program.dialect == "opencl"
    lines = []
    for i in code:
        scope = f", memory_scope_{i.scope}" if opencl and i.scope else ""
        order = f", memory_order_{i.order}{scope}"
        orders = [i.order, i.failure] if i.operation == "cas" else [i.order]
        spelling = len(lines) % 3 if opencl else 1 + len(lines) % 2
        suffix, arguments = _c_suffix(orders, i.scope if opencl else "device", spelling)
        flags = " | ".join(f"CLK_{flag.upper()}_MEM_FENCE" for flag in i.flags or ())
        if i.kind == "if":
            lines.append(f"{indent}if (r{i.register} == {i.equals}) {{")
            lines += _c_code(program, i.body, indent + "  ", expected)
            lines.append(f"{indent}}}")
        elif i.kind == "fence":
            call = "atomic_work_item_fence(" + flags if opencl else "atomic_thread_fence("
            lines.append(f"{indent}{call}{order if opencl else order[2:]});")
        elif i.kind == "barrier":
            lines.append(f"{indent}work_group_barrier({flags}{scope});")
        elif i.kind == "vector":
            lines += [indent + line for line in _c_vector(i)]
        elif i.kind == "load" and i.order == "plain":
            lines.append(f"{indent}r{i.register} = {_c_object(i.place)};")
        elif i.kind == "store" and i.order == "plain":
            lines.append(f"{indent}{_c_object(i.place)} = {_c_value(i.value)};")
        elif i.kind == "load":
            lines.append(f"{indent}r{i.register} = atomic_load{suffix}({i.place}{arguments});")
        elif i.kind == "store":
            lines.append(f"{indent}atomic_store{suffix}({i.place}, {_c_value(i.value)}{arguments});")
        elif i.operation == "cas":
            variable = f"e{expected.pop(0)}"
            lines.append(f"{indent}int {variable} = {i.expected};")
            lines.append(
                f"{indent}r{i.register} = atomic_compare_exchange_strong{suffix}({i.place}, &{variable}, "
                f"{_c_value(i.value)}{arguments});")
        else:
            call = "atomic_exchange" if i.operation == "exch" else f"atomic_fetch_{i.operation}"
            lines.append(f"{indent}r{i.register} = {call}{suffix}({i.place}, {_c_value(i.value)}{arguments});")
    return lines


def _c_threads(program, place_of, parameter):
    lines = []
    for number, thread in enumerate(program.threads):
        used = {i.place for i in instructions(thread.code) if i.place}
        bases = {place.partition("[")[0] for place in used}
        parameters = ", ".join(parameter(place) for place in program.places
                               if place.partition("[")[0] in bases and place.partition("[")[2] in ("", "0]"))
        lines += ["", f"P{number}{place_of(thread)} ({parameters}) {{"]
        lines += [f"  int r{register} = 0;" for register in registers(thread)]
        lines += _c_code(program, thread.code, "  ", list(range(10))) + ["}"]
    return _heading(program) + lines + [""]


def _opencl(program):
    def parameter(name):
        place = program.places[name]
        return f"{place.region} {'atomic_int' if place.atomic else 'int'}* {name.partition('[')[0]}"

    return _c_threads(program, lambda thread: f"@wg {thread.group}, dev {thread.device}", parameter)


def _c(program):
    return _c_threads(program, lambda thread: "",
                      lambda name: f"{'atomic_int' if program.places[name].atomic else 'int'}* {name}")
