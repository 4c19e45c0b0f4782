function __scaleaudio_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __scaleaudio_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __scaleaudio_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __scaleaudio_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __scaleaudio_parse_tokens -S
    set -l unparsed_tokens (__scaleaudio_tokens -pc)
    switch $unparsed_tokens[1]
    case 'scaleaudio'
        __scaleaudio_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'convert'
            __scaleaudio_parse_subcommand -r 1 'preset=+' 'f/factor=' 'speed=' 'duration=' 'method=' 'quality=' 'pitch=' 'formants=' 'transients=' 'map=' 'single-channel' 'format=' 'bitrate=' 'encoding-quality=' 'compression-level=' 'salvage' 'downmix=' 'allow-layout-loss' 'bits=' 'sample-format=' 'dither=' 'guard' 'normalize=' 'metadata=' 'keep-stale-tags' 'keep-mtime' 'o/output=' 'suffix=' 'name=' 'keep-extension' 'overwrite' 'skip-existing' 'resume' 'no-sync' 'sidecars' 'plot' 'files-from=' '0/null' 'include=+' 'exclude=+' 'no-recursive' 'follow-symlinks' 'track=' 'j/jobs=' 'threads=' 'n/dry-run' 'fail-fast' 'progress=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'info'
            __scaleaudio_parse_subcommand -r 1 'exact' 'levels' 'json' 'track=' 'f/factor=' 'speed=' 'duration=' 'files-from=' '0/null' 'include=+' 'exclude=+' 'no-recursive' 'follow-symlinks' 'version' 'h/help'
        case 'plot'
            __scaleaudio_parse_subcommand -r 1 'style=' 'width=' 'height=' 'scale=' 'bar-width=' 'bar-spacing=' 'gradient' 'colors=' 'fit' 'frequency=' 'fft=' 'max-frequency=' 'theme=' 'bare' 'channels=' 'range=' 'noise-floor=' 'no-antialias' 'salvage' 'pixels-per-second=' 'bits=' 'split-channels' 'terminal=' 'o/output=' 'format=' 'sheet' 'overwrite' 'skip-existing' 'files-from=' '0/null' 'include=+' 'exclude=+' 'no-recursive' 'follow-symlinks' 'track=' 'j/jobs=' 'threads=' 'n/dry-run' 'fail-fast' 'progress=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'formats'
            __scaleaudio_parse_subcommand 0 'json' 'version' 'h/help'
        case 'presets'
            __scaleaudio_parse_subcommand 0 'json' 'version' 'h/help'
        case 'help'
            __scaleaudio_parse_subcommand -r 1 'version'
        end
    end
end

function __scaleaudio_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __scaleaudio_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __scaleaudio_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __scaleaudio_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__scaleaudio_tokens -p)
    if test -z "$(__scaleaudio_tokens -t)"
        set -l index (count (__scaleaudio_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens
end

complete -c 'scaleaudio' -f
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio" version' -l 'version' -d 'Show the version.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'convert' -d 'Change the length of audio files, with or without their pitch.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'info' -d 'Report what audio files contain: format, length, tags, chapters, levels.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'plot' -d 'Draw the waveforms of audio files as PNG, SVG or PDF, or in the terminal.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'formats' -d 'List the formats: which can be read and written, and what they can hold.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'presets' -d 'List the presets: the purpose and the options of each.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert"' -l 'preset' -d 'Options for a purpose: podcast, practice, tape or dataset. See scaleaudio presets.' -rfka 'podcast practice tape dataset'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" f factor' -s 'f' -l 'factor' -d 'Output length / input length, 0.01 to 100: 1.5, 3/2 or 150%.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" speed' -l 'speed' -d 'Playback speed, 1 / factor: 1.25 or 1.25x.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" duration' -l 'duration' -d 'Length of the output: seconds, 1:30 or 1:02:03.5.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" method' -l 'method' -d 'Scaling method: see METHODS. Default: smoothstep.' -rfka 'smoothstep linear sinc stretch'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" quality' -l 'quality' -d 'Quality of sinc and stretch: fast, high or best. Default: high.' -rfka 'fast high best'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" pitch' -l 'pitch' -d 'Change the pitch with stretch: -2, 0.5 or 2st semitones, +30c cents, up to 48 semitones.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" formants' -l 'formants' -d 'Formants of voices and instruments with --pitch: shift them too, or preserve them. Default: shift.' -rfka 'shift preserve'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" transients' -l 'transients' -d 'Attacks with stretch: crisp, mixed or smooth. Default: crisp.' -rfka 'crisp mixed smooth'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" map' -l 'map' -d 'Change the tempo over time, with stretch: a file of lines \'source-time output-time\'.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" mono single-channel' -l 'single-channel' -l 'mono' -d 'Mix all channels into one before scaling.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" format' -l 'format' -d 'Output format, by name or extension. Default: that of the input, or the nearest writable one.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" bitrate' -l 'bitrate' -d 'Bit rate of a lossy output: 192k or 192000. Default: similar to the source.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" encoding-quality' -l 'encoding-quality' -d 'Quality of a lossy output on the scale of its codec (Vorbis: -1 to 10).' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" compression-level' -l 'compression-level' -d 'FLAC compression level, 0 (fast) to 8 (small).' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" salvage' -l 'salvage' -d 'Convert damaged files as far as they decode, with a warning.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" downmix' -l 'downmix' -d 'Channel weights for --single-channel: mean, or itu (ITU-R BS.775). Default: mean.' -rfka 'mean itu'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" allow-layout-loss' -l 'allow-layout-loss' -d 'Write a channel layout that the format cannot express as the nearest one, with a warning.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" bits' -l 'bits' -d 'Bit depth of the output: 8, 16, 24, 32, or f32 and f64 for floating point. Default: that of the source, or the nearest that the format holds; 16 for lossy sources.' -rfka '8 16 24 32 f32 f64'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" sample-format' -l 'sample-format' -d 'int16 rounds samples to 16 bits as they are read, whatever the source.' -rfka 'int16'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" dither' -l 'dither' -d 'Noise added before rounding: tpdf (triangular, plus or minus one step, the same in every run), none, or auto: tpdf if floating point is rounded to 16 bits or fewer, which happens with floating-point sources, with sinc and stretch, and with a change of level. Silence stays silent.' -rfka 'auto none tpdf'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" guard' -l 'guard' -d 'Scan each file first, and lower it just enough to prevent clipping. Files that would not clip stay as they are.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" normalize' -l 'normalize' -d 'Scan each file first, and set its sample peak to -60 to 0 dB relative to full scale, such as -1. Prevents clipping too.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" metadata' -l 'metadata' -d 'Metadata in the output: keep all, text without pictures, or none.' -rfka 'keep text none'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" keep-stale-tags' -l 'keep-stale-tags' -d 'Keep tags measured on the source, such as ReplayGain and AcoustID.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" keep-mtime' -l 'keep-mtime' -d 'Keep the modification and access times of the source.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" o output' -s 'o' -l 'output' -d 'Output file for one input file; otherwise a folder, created if missing. - is standard output.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" suffix' -l 'suffix' -d 'Text added to names before the extension. Default: the requested change, such as -x1.5, -speed1.25, -30s or -x1.5-sinc.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" name' -l 'name' -d 'Names of the outputs, also in folders: {stem} {ext} {factor} {speed} {method} {pitch} {duration} {index} {parent}.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" keep-extension' -l 'keep-extension' -d 'Keep the extension of the input before another one: in-x1.5.wav.flac.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" overwrite' -l 'overwrite' -d 'Replace existing outputs. Default: an existing output is an error.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" skip-existing' -l 'skip-existing' -d 'Skip inputs whose outputs exist.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" resume' -l 'resume' -d 'Skip conversions that are done: same unchanged source, same options.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" no-sync' -l 'no-sync' -d 'Do not flush outputs to the disk: faster, but a power failure may lose them.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" sidecars' -l 'sidecars' -d 'Also scale text files named like each input: .lrc, .cue, .srt, .vtt, Audacity .txt.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" plot' -l 'plot' -d 'Also draw each input above its output, as in-x1.5.png beside in-x1.5.flac.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" files-from' -l 'files-from' -d 'Read more paths from this file, one per line; - is standard input.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" 0 null' -s '0' -l 'null' -d 'Paths in --files-from are separated by NUL instead of line feeds.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert"' -l 'include' -d 'In folders, take only matching files; repeatable. A pattern with a slash matches the path below the folder.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert"' -l 'exclude' -d 'In folders, ignore matching files and folders; repeatable.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" no-recursive' -l 'no-recursive' -d 'Do not enter subfolders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" follow-symlinks' -l 'follow-symlinks' -d 'Follow symbolic links in folders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" track' -l 'track' -d 'Audio track, for files with several. Default: 1.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" j jobs' -s 'j' -l 'jobs' -d 'Files processed side by side, 1 to 256. Default: the number of threads.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" threads' -l 'threads' -d 'Threads for all files together, 1 to 256; free threads help with long files. Default: the number of cores.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" dry-run n' -s 'n' -l 'dry-run' -d 'Print what would be done, without doing it.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" fail-fast' -l 'fail-fast' -d 'Stop at the first failure. Default: continue with the other files.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" progress' -l 'progress' -d 'Progress on standard error.' -rfka 'auto bar plain none'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" json' -l 'json' -d 'Print a JSON object per file to standard output, one per line.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" q quiet' -l 'quiet' -s 'q' -d 'Print errors only.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" v verbose' -l 'verbose' -s 'v' -d 'Print more about each file.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" version' -l 'version' -d 'Show the version.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" exact' -l 'exact' -d 'Decode each file and count its frames, and its packets if it has no index.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" levels' -l 'levels' -d 'Decode each file and measure peaks, power, loudness, DC offset, clipping, silence and MD5.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" json' -l 'json' -d 'Print a JSON object per file, one per line.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" track' -l 'track' -d 'Audio track, for files with several. Default: 1.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" f factor' -s 'f' -l 'factor' -d 'Output length / input length, 0.01 to 100: 1.5, 3/2 or 150%.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" speed' -l 'speed' -d 'Playback speed, 1 / factor: 1.25 or 1.25x.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" duration' -l 'duration' -d 'Length of the output: seconds, 1:30 or 1:02:03.5.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" files-from' -l 'files-from' -d 'Read more paths from this file, one per line; - is standard input.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" 0 null' -s '0' -l 'null' -d 'Paths in --files-from are separated by NUL instead of line feeds.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info"' -l 'include' -d 'In folders, take only matching files; repeatable. A pattern with a slash matches the path below the folder.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info"' -l 'exclude' -d 'In folders, ignore matching files and folders; repeatable.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" no-recursive' -l 'no-recursive' -d 'Do not enter subfolders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" follow-symlinks' -l 'follow-symlinks' -d 'Follow symbolic links in folders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" version' -l 'version' -d 'Show the version.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" style' -l 'style' -d 'Style of the picture: see STYLES.' -rfka 'bars envelope spectrogram both loudness'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" width' -l 'width' -d 'Width in points, 16 to 20000; in columns for text in a terminal.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" height' -l 'height' -d 'Height in points, 16 to 20000; in lines for text in a terminal.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" scale' -l 'scale' -d 'Pixels per point, 1 to 4; 2 for high-density screens. Default: 1.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" bar-width' -l 'bar-width' -d 'Width of a bar in points.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" bar-spacing' -l 'bar-spacing' -d 'Gap between bars in points.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" gradient' -l 'gradient' -d 'Color lanes with a gradient from middle to edges.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" colors' -l 'colors' -d 'Colors such as #0072b2, separated by commas: one per lane, or a gradient from edge to middle, or a spectrogram from quiet to loud.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" fit' -l 'fit' -d 'Let the loudest audio reach the edges of the lanes.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" frequency' -l 'frequency' -d 'Frequencies of spectrograms: linear, log or mel.' -rfka 'linear log mel'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" fft' -l 'fft' -d 'Samples in a window of a spectrogram, a power of two from 64 to 65536.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" max-frequency' -l 'max-frequency' -d 'Highest frequency of spectrograms, in Hz.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" theme' -l 'theme' -d 'Colors for light or dark surroundings. Default: light.' -rfka 'light dark'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" bare' -l 'bare' -d 'Draw only the audio: no title, axes or margins.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" channels' -l 'channels' -d 'Channels: merged into one lane, split into a lane for each, or the number of one.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" range' -l 'range' -d 'Show only this part: 1:00-2:30, 90-, -0:10.5.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" noise-floor' -l 'noise-floor' -d 'Lowest level drawn, in dB, -200 to -1.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" no-antialias' -l 'no-antialias' -d 'Draw the first sample of each bar instead of its mean level.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" salvage' -l 'salvage' -d 'Draw damaged files as far as they decode.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" pixels-per-second' -l 'pixels-per-second' -d 'Pairs of lowest and highest sample per second of audio. Default: 100.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" bits' -l 'bits' -d 'Bits of each value, 8 or 16. Default: 16.' -rfka '8 16'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" split-channels' -l 'split-channels' -d 'Write each channel instead of their mean.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" terminal' -l 'terminal' -d 'Draw in the terminal: auto, blocks, braille, sixel or kitty.' -rfka 'auto blocks braille sixel kitty'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" o output' -s 'o' -l 'output' -d 'Picture file for one input file; otherwise a folder, created if missing. - is standard output.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" format' -l 'format' -d 'Format of the pictures or the data: png, svg, pdf, json or dat.' -rfka 'png svg pdf json dat'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" sheet' -l 'sheet' -d 'Draw all files on one contact sheet.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" overwrite' -l 'overwrite' -d 'Replace existing pictures. Default: an existing picture is an error.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" skip-existing' -l 'skip-existing' -d 'Skip inputs whose pictures exist.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" files-from' -l 'files-from' -d 'Read more paths from this file, one per line; - is standard input.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" 0 null' -s '0' -l 'null' -d 'Paths in --files-from are separated by NUL instead of line feeds.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot"' -l 'include' -d 'In folders, take only matching files; repeatable. A pattern with a slash matches the path below the folder.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot"' -l 'exclude' -d 'In folders, ignore matching files and folders; repeatable.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" no-recursive' -l 'no-recursive' -d 'Do not enter subfolders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" follow-symlinks' -l 'follow-symlinks' -d 'Follow symbolic links in folders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" track' -l 'track' -d 'Audio track, for files with several. Default: 1.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" j jobs' -s 'j' -l 'jobs' -d 'Files processed side by side, 1 to 256. Default: the number of threads.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" threads' -l 'threads' -d 'Threads for all files together, 1 to 256; free threads help with long files. Default: the number of cores.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" dry-run n' -s 'n' -l 'dry-run' -d 'Print what would be done, without doing it.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" fail-fast' -l 'fail-fast' -d 'Stop at the first failure. Default: continue with the other files.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" progress' -l 'progress' -d 'Progress on standard error.' -rfka 'auto bar plain none'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" json' -l 'json' -d 'Print a JSON object per file to standard output, one per line.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" q quiet' -l 'quiet' -s 'q' -d 'Print errors only.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" v verbose' -l 'verbose' -s 'v' -d 'Print more about each file.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" version' -l 'version' -d 'Show the version.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio formats" json' -l 'json' -d 'Print JSON instead of a table.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio formats" version' -l 'version' -d 'Show the version.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio formats" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio presets" json' -l 'json' -d 'Print JSON instead of a table.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio presets" version' -l 'version' -d 'Show the version.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio presets" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio help" version' -l 'version' -d 'Show the version.'
