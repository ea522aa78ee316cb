# SPDX-License-Identifier: Apache-2.0
# Completion of orchil's command lines in fish. orchil itself computes the completions.

function __orchil_answer
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    set -l before (string match -r -- '^--[^=]*=' "$typed")
    set -l start (string replace -r -- '^--[^=]*=' '' "$typed")
    for answer in ($program completion --answer -- $words "$typed" 2>/dev/null)
        switch $answer
            case ':files' ':tests'
                __fish_complete_path "$start" | string replace -r '^' -- "$before"
            case ':folders'
                __fish_complete_directories "$start" | string replace -r '^' -- "$before"
            case '*'
                echo $answer
        end
    end
end

complete -c orchil -f -a '(__orchil_answer)'
