#compdef orchil
# SPDX-License-Identifier: Apache-2.0
# Completion of orchil's command lines in zsh. orchil itself computes the completions.

_orchil()
{
    local answer
    local -a words_there options_there kinds
    while IFS= read -r answer; do
        case $answer in
        :*) kinds+=($answer) ;;
        *=$'\t'*) options_there+=("${${answer%%$'\t'*}//:/\\:}:${answer#*$'\t'}") ;;
        *$'\t') words_there+=("${${answer%$'\t'}//:/\\:}") ;;
        *) words_there+=("${${answer%%$'\t'*}//:/\\:}:${answer#*$'\t'}") ;;
        esac
    done < <("${(Q)words[1]}" completion --answer -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
    (( ! $#words_there )) || _describe -t words 'word' words_there
    (( ! $#options_there )) || _describe -t options 'option' options_there -S ''
    [[ $PREFIX != --*=* ]] || compset -P '*='
    for answer in $kinds; do
        case $answer in
        :files) _files ;;
        :folders) _files -/ ;;
        :tests) _files -g '*.litmus' ;;
        esac
    done
}

if [[ ${funcstack[1]} == _orchil ]]; then
    _orchil "$@"
else
    compdef _orchil orchil
fi
