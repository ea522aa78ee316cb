# SPDX-License-Identifier: Apache-2.0
# Completion of orchil's command lines in bash. orchil itself computes the completions.

_orchil()
{
    local line=${COMP_LINE:0:COMP_POINT} words=() answer files='' tests=''

    # Not COMP_WORDS, which bash splits at each ':' and '=' too: opencl:0 is one word.
    read -a words <<<"$line"
    while [[ ${#words[@]} -gt 1 && ${words[0]} != "$1" ]]; do
        words=("${words[@]:1}")
    done
    [[ $line != *[[:space:]] ]] || words+=('')
    [[ ${#words[@]} -gt 1 ]] || return 0
    local last=$((${#words[@]} - 1))
    words[last]=${words[last]#[\'\"]}

    # Bash keeps what it has split off: an answer leaves that out.
    local typed=${words[last]} start
    start=${typed%"$2"}
    COMPREPLY=()
    while IFS= read -r answer; do
        case $answer in
        :tests) tests=1 ;;
        :files)
            files=1
            compopt -o filenames 2>/dev/null
            while IFS= read -r answer; do COMPREPLY+=("$answer"); done < <(compgen -f -- "$2")
            ;;
        :folders)
            compopt -o filenames 2>/dev/null
            while IFS= read -r answer; do COMPREPLY+=("$answer"); done < <(compgen -d -- "$2")
            ;;
        *)
            answer=${answer%%$'\t'*}
            COMPREPLY+=("${answer#"$start"}")
            ;;
        esac
    done < <("$1" completion --answer -- "${words[@]:1}" 2>/dev/null)
    # Bash quotes names of files only if all answers are such names. A name may have any character.
    if [[ $tests && ! $files ]]; then
        while IFS= read -r answer; do
            printf -v answer %q "$answer"
            COMPREPLY+=("$answer")
        done < <(
            compgen -d -S / -- "$2"
            compgen -f -X '!*.litmus' -- "$2"
        )
    fi
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *[=/] ]] || compopt -o nospace 2>/dev/null
}

complete -F _orchil orchil
