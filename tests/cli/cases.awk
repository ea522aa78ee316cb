# SPDX-License-Identifier: Apache-2.0
# Runs the cases of files; `run` says what they look like and sets their environment.
# usage: awk -v scratch=FOLDER -v update=0|1 -f cases.awk FILE [CASE...] [FILE [CASE...]]...

BEGIN {
    for (word = 1; word < ARGC; word++) {
        if (ARGV[word] ~ /\.cases$/) {
            path[++path_count] = ARGV[word]
        } else if (path_count) {
            chosen[path_count, ++chosen_count[path_count]] = ARGV[word]
        } else {
            complain(ARGV[word] ": a file of cases has a name that ends with .cases")
        }
    }
    for (number = 1; number <= path_count; number++)
        run_file(path[number], number)
    if (passed + failed + skipped != 1)
        print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"
    exit failed ? 1 : skipped == 1 && !passed ? 77 : 0
}

function complain(text) {
    print text >"/dev/stderr"
    failed++
}

# ---- Files

# The file's lines in `line`. Of each case, from 1: its `title`; of its parts (0 commands, 1 stdout, 2 stderr, 3 exit) the
# line of the mark (`from`) and the last line (`to`).
function run_file(file, number,    i, any_rewritten, before) {
    before = failed
    read_cases(file)
    if (failed > before)
        return
    if (!chosen_count[number]) {
        for (i = 1; i <= case_count; i++)
            run_case(file, i)
    }
    for (i = 1; i <= chosen_count[number]; i++) {
        if (chosen[number, i] in case_of)
            run_case(file, case_of[chosen[number, i]])
        else
            complain(file ": no case " chosen[number, i])
    }
    for (any_rewritten in rewritten) {
        rewrite_file(file)
        break
    }
}

function read_cases(file,    n, mark, part, text) {
    split("", line); split("", title); split("", case_of); split("", from); split("", to); split("", wanted)
    split("", rewritten)
    line_count = read_lines(file, line)
    case_count = 0
    part = 0
    for (n = 1; n <= line_count; n++) {
        text = line[n]
        if (text !~ /^(====|----)/)
            continue
        split(text, mark, " ")
        if (text ~ /^==== [a-z0-9][a-z0-9-]*$/) {
            if (n == 1 || line[n - 1] != "")
                complain(file ":" n ": expected an empty line before the title of a case")
            if (mark[2] in case_of)
                complain(file ":" n ": a second case " mark[2])
            end_part(file, part, n - 2)
            case_of[mark[2]] = ++case_count
            title[case_count] = mark[2]
            part = 0
        } else if (case_count && text ~ /^---- (stdout|stderr|exit [1-9][0-9]*)$/) {
            end_part(file, part, n - 1)
            if (part >= part_number(mark[2]))
                complain(file ":" n ": expected stdout, stderr and exit once each, in this order")
            part = part_number(mark[2])
            wanted[case_count] = mark[3] # the last part is exit, if there is one
        } else {
            complain(file ":" n ": expected ==== NAME, ---- stdout, ---- stderr or ---- exit CODE, found " text \
                " (other lines that begin so have a \\ before it)")
        }
        from[case_count, part] = n
    }
    end_part(file, part, line_count)
    if (case_count == 0)
        complain(file ": no cases, or no such file")
}

function part_number(name) {
    return name == "stdout" ? 1 : name == "stderr" ? 2 : 3
}

function end_part(file, part, last) {
    to[case_count, part] = last
    if (part == 3 && last > from[case_count, part])
        complain(file ":" last ": expected the next case after the exit code, which is the last part")
}

function read_lines(file, lines,    count, text) {
    count = 0
    while ((getline text <file) > 0)
        lines[++count] = text
    close(file)
    return count
}

# A line of a part as it is printed, and the way back.
function plain(text) {
    return text ~ /^\\+(====|----)/ ? substr(text, 2) : text
}

function marked(text) {
    return text ~ /^\\*(====|----)/ ? "\\" text : text
}

function quoted(text) {
    gsub(/'/, "'\\''", text)
    return "'" text "'"
}

# ---- Cases

function run_case(file, i,    script, folder, code, ok, differs) {
    script = scratch "/" file_name(file)
    write_script(script, i)
    folder = file ~ /\// ? substr(file, 1, length(file) - length(file_name(file)) - 1) : "."
    if (folder == "")
        folder = "/"
    # The data of GROUP.cases are in GROUP; GROUP/SUBJECT.cases is next to its own.
    code = system("cd " quoted(substr(file, 1, length(file) - length(".cases"))) " 2>/dev/null || cd " quoted(folder) " || exit\n" \
        "export TEST_DIR=\"$PWD\"\n" \
        "cd " quoted(scratch) "\n" \
        "[ ! -d work ] || rm -rf work home\n" \
        "mkdir work home\n" \
        "cd work && exec sh -eu " quoted(script) " </dev/null >../stdout 2>../stderr")
    differs = code != wanted[i] + 0
    if (code == 77 && differs) {
        read_lines(scratch "/stderr", found)
        print "skipped " title[i] ": " found[1]
        skipped++
        return
    }
    ok = 1
    if (differs && update) {
        rewritten[i, 3] = code ? "---- exit " code "\n" : ""
        print "updated " title[i] ": exit code"
    } else if (differs) {
        print file ":" from[i, 0] ": " title[i] ": exit code " code ", expected " wanted[i] + 0
        ok = 0
    }
    ok = compare(file, i, "stdout") && ok
    ok = compare(file, i, "stderr") && ok
    if (ok) {
        passed++
        print "passed " title[i]
    } else {
        failed++
    }
}

function file_name(path) {
    sub(/.*\//, "", path)
    return path
}

# The commands before the first case and those of case i, each in its line of the file.
function write_script(script, i,    n) {
    printf "" >script
    for (n = 1; n <= to[i, 0]; n++) {
        if (n < from[1, 0] || from[i, 0] < n)
            print plain(line[n]) >script
        else
            print "" >script
    }
    close(script)
}

# Whether what was found is what is expected; otherwise prints the difference or, for --update, makes a new part.
function compare(file, i, name,    part, n) {
    part = part_number(name)
    split("", expected)
    split("", found)
    expected_count = 0
    if ((i, part) in from)
        for (n = from[i, part] + 1; n <= to[i, part]; n++)
            expected[++expected_count] = plain(line[n])
    found_count = read_lines(scratch "/" name, found)
    if (matches())
        return 1
    if (update) {
        rewritten[i, part] = found_count ? "---- " name "\n" merged() : ""
        print "updated " title[i] ": " name
        return 1
    }
    print file ":" ((i, part) in from ? from[i, part] : from[i, 0]) ": " title[i] ": " name " differs (- expected, + found):"
    fflush()
    printf "" >(scratch "/expected")
    for (n = 1; n <= expected_count; n++)
        print expected[n] >(scratch "/expected")
    close(scratch "/expected")
    system("cd " quoted(scratch) " && diff -u --label expected --label found expected " name)
    return 0
}

# ---- Matching

# Whether the found lines are what the expected ones describe.
function matches(    e, f, star, retry) {
    e = f = 1
    while (f <= found_count) {
        if (e <= expected_count && expected[e] == "[...]") {
            star = e++
            retry = f
        } else if (e <= expected_count && like(expected[e], found[f])) {
            e++
            f++
        } else if (star) {
            e = star + 1
            f = ++retry
        } else
            return 0
    }
    while (e <= expected_count && expected[e] == "[...]")
        e++
    return e > expected_count
}

# Whether a line has the form of the pattern, whose pieces are between the wildcards.
function like(pattern, text,    pieces, count, i, at, rest) {
    if (index(pattern, "[...]") == 0)
        return pattern == text
    count = 0
    while ((at = index(pattern, "[...]")) > 0) {
        pieces[++count] = substr(pattern, 1, at - 1)
        pattern = substr(pattern, at + 5)
    }
    if (substr(text, 1, length(pieces[1])) != pieces[1])
        return 0
    rest = substr(text, length(pieces[1]) + 1)
    for (i = 2; i <= count; i++) {
        if (pieces[i] == "")
            continue
        if ((at = index(rest, pieces[i])) == 0)
            return 0
        rest = substr(rest, at + length(pieces[i]))
    }
    return length(rest) >= length(pattern) && substr(rest, length(rest) - length(pattern) + 1) == pattern
}

# The found lines, each as the expected line that it matches, if there is one in the order of both. A line `[...]` stays if
# what follows it is found later.
function merged(    e, f, next_one, text) {
    e = f = 1
    while (f <= found_count) {
        if (expected[e] == "[...]") {
            next_one = f
            while (e < expected_count && next_one <= found_count && !like(expected[e + 1], found[next_one]))
                next_one++
            if (e == expected_count || next_one <= found_count) {
                text = text "[...]\n"
                f = e == expected_count ? found_count + 1 : next_one
            }
            e++
            continue
        }
        next_one = e
        while (next_one <= expected_count && (expected[next_one] == "[...]" || !like(expected[next_one], found[f])))
            next_one++
        if (next_one <= expected_count) {
            text = text marked(expected[next_one]) "\n"
            e = next_one + 1
        } else {
            text = text marked(found[f]) "\n"
        }
        f++
    }
    return text
}

function rewrite_file(file,    new, i, part, n) {
    new = scratch "/" file_name(file)
    for (n = 1; n < from[1, 0]; n++)
        print line[n] >new
    for (i = 1; i <= case_count; i++) {
        if (i > 1)
            print "" >new
        for (part = 0; part <= 3; part++) {
            if ((i, part) in rewritten)
                printf "%s", rewritten[i, part] >new
            else if ((i, part) in from)
                for (n = from[i, part]; n <= to[i, part]; n++)
                    print line[n] >new
        }
    }
    close(new)
    system("cat " quoted(new) " >" quoted(file))
}
