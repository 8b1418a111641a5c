# SPDX-License-Identifier: Apache-2.0
"""Completions for bash, zsh and fish of a command tree (command_tree.py).

Each shell is told the same: which command the line is at, which options that has, and what their values are. From a client's name on, the line is
the client's, and completed as the client's own.
"""


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def place(command):
    """How a command is called inside the scripts: the words behind the program's name."""
    return " ".join(command.path[1:])


def summary(text):
    """The first sentence of a help text, short enough to stand beside an option."""
    return text.split(". ")[0].split(": ")[0].rstrip(".")


def kind(option):
    return " ".join(option.values) if option.values else f"<{option.completes}>" if option.completes else "<any>"


def argument_values(command):
    """Those of the only argument, where these are known: the rules of `explain`."""
    return command.arguments[0].values if len(command.arguments) == 1 else []


def rest(command):
    """What stands where there is no option."""
    if command.runs_client:
        return "<client>"
    return next((f"<{argument.completes}>" for argument in command.arguments if argument.completes), "<any>")


def tables(tree, case):
    """Three tables in a shell's own words: options of a place, the value of an option, and what else is there."""
    options, values, words = [], [], []
    for command in tree.all():
        names = [name for option in command.options for name in option.names]
        options.append(case(place(command), " ".join(names)))
        others = [other.path[-1] for other in command.commands] + argument_values(command)
        words.append(case(place(command), " ".join(others + [rest(command)])))
        for option in command.options:
            if option.value:
                values.append(case([f"{place(command)} {name}" for name in option.names], kind(option)))
    return "\n".join(options), "\n".join(values), "\n".join(words)


BASH = r"""# bash completion for @PROGRAM@, made by scripts/lib/completions.py
__@PROGRAM@_options() { case $1 in
@OPTIONS@
esac; }
__@PROGRAM@_value() { case "$1 $2" in
@VALUES@
*) return 1 ;;
esac; }
__@PROGRAM@_words() { case $1 in
@WORDS@
esac; }

_@PROGRAM@() {
    local current=${COMP_WORDS[COMP_CWORD]} at='' option='' index word kinds='' words
    COMPREPLY=()
    # Where the line is: past options and their values, down the commands. `--name=value` comes as three words.
    for ((index = 1; index < COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if [[ $word = '=' ]]; then continue; fi
        if [[ -n $option ]]; then option=; continue; fi
        if [[ $word = -- ]]; then at=' --'; continue; fi
        if [[ $word = -* && $at != ' --' ]]; then
            ! __@PROGRAM@_value "$at" "$word" >/dev/null || option=$word
            continue
        fi
        words=" $(__@PROGRAM@_words "$at") "
        if [[ $at != ' --' && $words = *" $word "* ]]; then
            at=${at:+$at }$word
        elif [[ $at = ' --' || $words = *'<client>'* ]]; then
            # The rest is the client's.
            if declare -F _command_offset >/dev/null; then _command_offset "$index"; else COMPREPLY=($(compgen -f -- "$current")); fi
            return
        fi
    done
    [[ $current != '=' ]] || current=
    if [[ -n $option ]]; then
        kinds=$(__@PROGRAM@_value "$at" "$option")
    elif [[ $current = -* ]]; then
        COMPREPLY=($(compgen -W "$(__@PROGRAM@_options "$at")" -- "$current"))
        return
    elif [[ $at = ' --' ]]; then
        kinds='<client>'
    else
        kinds=$(__@PROGRAM@_words "$at")
    fi
    local IFS=$'\n'
    case $kinds in *'<folders>'*)
        compopt -o filenames
        COMPREPLY+=($(compgen -d -- "$current")) ;;
    *'<files>'*)
        compopt -o filenames
        COMPREPLY+=($(compgen -f -- "$current")) ;;
    *'<client>'*)
        compopt -o filenames
        COMPREPLY+=($(compgen -c -- "$current") $(compgen -f -- "$current")) ;;
    esac
    COMPREPLY+=($(IFS=' '; for word in $kinds; do [[ $word = '<'* ]] || compgen -W "$word" -- "$current"; done))
}
complete -F _@PROGRAM@ @PROGRAM@
"""

FISH = r"""# fish completion for @PROGRAM@, made by scripts/lib/completions.py
function __@PROGRAM@_value
    switch "$argv[1] $argv[2]"
@VALUES@
        case '*'
            return 1
    end
end
function __@PROGRAM@_words
    switch "$argv[1]"
@WORDS@
    end
end
# Where the line is: the commands, and `--` where the rest is a client's.
function __@PROGRAM@_place
    set -l at ''
    set -l skip 0
    for word in (commandline -opc)[2..]
        if test $skip = 1
            set skip 0
        else if test "$word" = --
            echo client; return
        else if string match -q -- '-*' $word
            __@PROGRAM@_value "$at" $word >/dev/null; and set skip 1
        else if contains -- $word (string split ' ' -- (__@PROGRAM@_words "$at"))
            set at (string trim -- "$at $word")
        else if string match -q -- '*<client>*' (__@PROGRAM@_words "$at")
            echo client; return
        end
    end
    echo "$at"
end
function __@PROGRAM@_at
    test (__@PROGRAM@_place) = "$argv[1]"
end
complete -c @PROGRAM@ -f
complete -c @PROGRAM@ -n '__@PROGRAM@_at client' -F
"""


def bash(tree):
    def case(keys, value):
        keys = [keys] if isinstance(keys, str) else keys
        return f"{'|'.join(map(quoted, keys))}) echo {quoted(value)} ;;"

    return filled(BASH, tree, case)


def fish(tree):
    def case(keys, value):
        keys = [keys] if isinstance(keys, str) else keys
        return f"        case {' '.join(map(quoted, keys))}\n            echo {quoted(value)}"

    program = tree.path[0]
    lines = [filled(FISH, tree, case)]
    for command in tree.all():
        at = quoted(f"__{program}_at {quoted(place(command))}")
        start = f"complete -c {program} -n {at}"
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = "" if not option.value else f" -x -a {quoted(' '.join(option.values))}" if option.values else " -r -F" \
                if option.completes else " -x"
            lines.append(f"{start} {names}{value} -d {quoted(summary(option.help))}\n")
        for other in command.commands:
            lines.append(f"{start} -a {other.path[-1]} -d {quoted(summary(other.abstract))}\n")
        if argument_values(command):
            lines.append(f"{start} -a {quoted(' '.join(argument_values(command)))}\n")
        if rest(command) == "<client>":
            lines.append(f"{start} -F\n")
        elif rest(command) != "<any>":
            lines.append(f"{start} -F\n")
    return "".join(lines)


def zsh(tree):
    program = tree.path[0]
    lines = [f"#compdef {program}\n# zsh completion for {program}, made by scripts/lib/completions.py\n"]

    def function(command):
        return "_" + "_".join(command.path).replace("-", "_")

    def escaped(text):
        return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")

    def action(option):
        return f"({' '.join(option.values)})" if option.values else "_files" if option.completes == "files" \
            else "_files -/" if option.completes else " "

    for command in reversed(list(tree.all())):
        specs = []
        for option in command.options:
            value = f":{escaped(option.value)}:{action(option)}" if option.value else ""
            for name in option.names:
                repeats = "*" if option.repeats else ""
                # The value in a word of its own, or behind the sign.
                sign = "=" if option.value and name.startswith("--") else ""
                specs.append(quoted(f"{repeats}{name}{sign}[{escaped(summary(option.help))}]{value}"))
        if command.commands or command.runs_client:
            specs += ["'1: :->word'", "'*:: :->rest'"]
        elif argument_values(command):
            specs.append(f"'1: :({' '.join(argument_values(command))})'")
        elif rest(command) == "<files>":
            specs.append("'*: :_files'")
        lines.append(f"{function(command)}() {{\n    local state line context curcontext=$curcontext\n    typeset -A opt_args\n")
        lines.append("    _arguments -C -S -A '-*' \\\n        " + " \\\n        ".join(specs) + "\n")
        if command.commands or command.runs_client:
            described = " ".join(quoted(f"{other.path[-1]}:{escaped(summary(other.abstract))}") for other in command.commands)
            lines.append(f"    case $state in\n    word)\n        local -a commands=({described})\n")
            lines.append("        (( ! $#commands )) || _describe -t commands command commands\n")
            if command.runs_client:
                lines.append("        _command_names -e\n        _files ;;\n")
            elif rest(command) == "<files>":
                lines.append("        _files ;;\n")
            else:
                lines.append("        ;;\n")
            lines.append("    rest)\n        case $words[1] in\n")
            for other in command.commands:
                lines.append(f"        {other.path[-1]}) {function(other)} ;;\n")
            if command.runs_client:
                lines.append("        *) _normal ;;\n")
            lines.append("        esac ;;\n    esac\n")
        lines.append("}\n")
    lines.append(f'{function(tree)} "$@"\n')
    return "".join(lines)


def filled(template, tree, case):
    options, values, words = tables(tree, case)
    return template.replace("@PROGRAM@", tree.path[0]).replace("@OPTIONS@", options).replace("@VALUES@", values) \
        .replace("@WORDS@", words)
