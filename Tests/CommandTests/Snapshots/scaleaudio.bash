#!/bin/bash

__scaleaudio_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__scaleaudio_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__scaleaudio_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__scaleaudio_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_scaleaudio() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __scaleaudio_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    convert|info|plot|formats|presets|help)
        # Offer subcommand argument completions
        "_scaleaudio_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'convert info plot formats presets help' -- "${cur}"))
        ;;
    esac
}

_scaleaudio_convert() {
    repeating_flags=()
    non_repeating_flags=(--single-channel --mono --salvage --allow-layout-loss --guard --keep-stale-tags --keep-mtime --keep-extension --overwrite --skip-existing --resume --no-sync --sidecars --plot -0 --null --no-recursive --follow-symlinks -n --dry-run --fail-fast --json --quiet -q --verbose -v --version -h --help)
    repeating_options=(--preset --include --exclude)
    non_repeating_options=(-f --factor --speed --duration --method --quality --pitch --formants --transients --map --format --bitrate --encoding-quality --compression-level --downmix --bits --sample-format --dither --normalize --metadata -o --output --suffix --name --files-from --track -j --jobs --threads --progress)
    __scaleaudio_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--preset')
        __scaleaudio_add_completions -W 'podcast'$'\n''practice'$'\n''tape'$'\n''dataset'
        return
        ;;
    '-f'|'--factor')
        return
        ;;
    '--speed')
        return
        ;;
    '--duration')
        return
        ;;
    '--method')
        __scaleaudio_add_completions -W 'smoothstep'$'\n''linear'$'\n''sinc'$'\n''stretch'
        return
        ;;
    '--quality')
        __scaleaudio_add_completions -W 'fast'$'\n''high'$'\n''best'
        return
        ;;
    '--pitch')
        return
        ;;
    '--formants')
        __scaleaudio_add_completions -W 'shift'$'\n''preserve'
        return
        ;;
    '--transients')
        __scaleaudio_add_completions -W 'crisp'$'\n''mixed'$'\n''smooth'
        return
        ;;
    '--map')
        return
        ;;
    '--format')
        return
        ;;
    '--bitrate')
        return
        ;;
    '--encoding-quality')
        return
        ;;
    '--compression-level')
        return
        ;;
    '--downmix')
        __scaleaudio_add_completions -W 'mean'$'\n''itu'
        return
        ;;
    '--bits')
        __scaleaudio_add_completions -W '8'$'\n''16'$'\n''24'$'\n''32'$'\n''f32'$'\n''f64'
        return
        ;;
    '--sample-format')
        __scaleaudio_add_completions -W 'int16'
        return
        ;;
    '--dither')
        __scaleaudio_add_completions -W 'auto'$'\n''none'$'\n''tpdf'
        return
        ;;
    '--normalize')
        return
        ;;
    '--metadata')
        __scaleaudio_add_completions -W 'keep'$'\n''text'$'\n''none'
        return
        ;;
    '-o'|'--output')
        return
        ;;
    '--suffix')
        return
        ;;
    '--name')
        return
        ;;
    '--files-from')
        return
        ;;
    '--include')
        return
        ;;
    '--exclude')
        return
        ;;
    '--track')
        return
        ;;
    '-j'|'--jobs')
        return
        ;;
    '--threads')
        return
        ;;
    '--progress')
        __scaleaudio_add_completions -W 'auto'$'\n''bar'$'\n''plain'$'\n''none'
        return
        ;;
    esac
}

_scaleaudio_info() {
    repeating_flags=()
    non_repeating_flags=(--exact --levels --json -0 --null --no-recursive --follow-symlinks --version -h --help)
    repeating_options=(--include --exclude)
    non_repeating_options=(--track -f --factor --speed --duration --files-from)
    __scaleaudio_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--track')
        return
        ;;
    '-f'|'--factor')
        return
        ;;
    '--speed')
        return
        ;;
    '--duration')
        return
        ;;
    '--files-from')
        return
        ;;
    '--include')
        return
        ;;
    '--exclude')
        return
        ;;
    esac
}

_scaleaudio_plot() {
    repeating_flags=()
    non_repeating_flags=(--gradient --fit --bare --no-antialias --salvage --split-channels --sheet --overwrite --skip-existing -0 --null --no-recursive --follow-symlinks -n --dry-run --fail-fast --json --quiet -q --verbose -v --version -h --help)
    repeating_options=(--include --exclude)
    non_repeating_options=(--style --width --height --scale --bar-width --bar-spacing --colors --frequency --fft --max-frequency --theme --channels --range --noise-floor --pixels-per-second --bits --terminal -o --output --format --files-from --track -j --jobs --threads --progress)
    __scaleaudio_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--style')
        __scaleaudio_add_completions -W 'bars'$'\n''envelope'$'\n''spectrogram'$'\n''both'$'\n''loudness'
        return
        ;;
    '--width')
        return
        ;;
    '--height')
        return
        ;;
    '--scale')
        return
        ;;
    '--bar-width')
        return
        ;;
    '--bar-spacing')
        return
        ;;
    '--colors')
        return
        ;;
    '--frequency')
        __scaleaudio_add_completions -W 'linear'$'\n''log'$'\n''mel'
        return
        ;;
    '--fft')
        return
        ;;
    '--max-frequency')
        return
        ;;
    '--theme')
        __scaleaudio_add_completions -W 'light'$'\n''dark'
        return
        ;;
    '--channels')
        return
        ;;
    '--range')
        return
        ;;
    '--noise-floor')
        return
        ;;
    '--pixels-per-second')
        return
        ;;
    '--bits')
        __scaleaudio_add_completions -W '8'$'\n''16'
        return
        ;;
    '--terminal')
        __scaleaudio_add_completions -W 'auto'$'\n''blocks'$'\n''braille'$'\n''sixel'$'\n''kitty'
        return
        ;;
    '-o'|'--output')
        return
        ;;
    '--format')
        __scaleaudio_add_completions -W 'png'$'\n''svg'$'\n''pdf'$'\n''json'$'\n''dat'
        return
        ;;
    '--files-from')
        return
        ;;
    '--include')
        return
        ;;
    '--exclude')
        return
        ;;
    '--track')
        return
        ;;
    '-j'|'--jobs')
        return
        ;;
    '--threads')
        return
        ;;
    '--progress')
        __scaleaudio_add_completions -W 'auto'$'\n''bar'$'\n''plain'$'\n''none'
        return
        ;;
    esac
}

_scaleaudio_formats() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __scaleaudio_offer_flags_options 0
}

_scaleaudio_presets() {
    repeating_flags=()
    non_repeating_flags=(--json --version -h --help)
    repeating_options=()
    non_repeating_options=()
    __scaleaudio_offer_flags_options 0
}

_scaleaudio_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __scaleaudio_offer_flags_options -1
}

complete -o filenames -F _scaleaudio scaleaudio
