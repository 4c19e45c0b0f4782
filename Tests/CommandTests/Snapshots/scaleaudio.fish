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
            __scaleaudio_parse_subcommand -r 1 'preset=+' 'f/factor=' 'speed=' 'duration=' 'method=' 'quality=' 'pitch=' 'formants=' 'transients=' 'map=' 'single-channel' 'format=' 'bitrate=' 'encoding-quality=' 'compression-level=' 'salvage' 'downmix=' 'allow-layout-loss' 'bits=' 'sample-format=' 'dither=' 'guard' 'normalize=' 'metadata=' 'keep-stale-tags' 'keep-mtime' 'o/output=' 'suffix=' 'overwrite' 'skip-existing' 'resume' 'no-sync' 'sidecars' 'plot' 'files-from=' '0/null' 'include=+' 'exclude=+' 'no-recursive' 'follow-symlinks' 'track=' 'j/jobs=' 'threads=' 'n/dry-run' 'fail-fast' 'progress=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
        case 'info'
            __scaleaudio_parse_subcommand -r 1 'exact' 'levels' 'json' 'track=' 'f/factor=' 'speed=' 'duration=' 'files-from=' '0/null' 'include=+' 'exclude=+' 'no-recursive' 'follow-symlinks' 'version' 'h/help'
        case 'plot'
            __scaleaudio_parse_subcommand -r 1 'style=' 'width=' 'height=' 'scale=' 'bar-width=' 'bar-spacing=' 'gradient' 'colors=' 'theme=' 'bare' 'channels=' 'range=' 'noise-floor=' 'no-antialias' 'salvage' 'pixels-per-second=' 'bits=' 'split-channels' 'terminal=' 'o/output=' 'format=' 'sheet' 'overwrite' 'skip-existing' 'files-from=' '0/null' 'include=+' 'exclude=+' 'no-recursive' 'follow-symlinks' 'track=' 'j/jobs=' 'threads=' 'n/dry-run' 'fail-fast' 'progress=' 'json' 'q/quiet' 'v/verbose' 'version' 'h/help'
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
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'convert' -d 'Make audio files longer or shorter, with their pitch or without.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'info' -d 'Tell what is in audio files: format, length, tags, chapters, levels.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'plot' -d 'Draw the waveforms of audio files: PNG, SVG, PDF or in the terminal.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'formats' -d 'List every format: what is read and written, and what it can hold.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'presets' -d 'List the presets: what each is for, and the options that it stands for.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_positional "scaleaudio" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert"' -l 'preset' -d 'Options for a purpose: podcast, practice, tape or dataset; see scaleaudio presets.' -rfka 'podcast practice tape dataset'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" f factor' -s 'f' -l 'factor' -d 'Output length / input length, 0.01 to 100: 1.5, 3/2 or 150%.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" speed' -l 'speed' -d 'Playback speed, the reciprocal of the factor: 1.25 or 1.25x.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" duration' -l 'duration' -d 'Length of the output: seconds, 1:30 or 1:02:03.5.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" method' -l 'method' -d 'How the length is changed; METHODS tells which is for what. Default: smoothstep.' -rfka 'smoothstep linear sinc stretch'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" quality' -l 'quality' -d 'Quality of sinc and stretch: fast, high or best. Default: high.' -rfka 'fast high best'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" pitch' -l 'pitch' -d 'Move the pitch, by stretch: -2, 0.5 or 2st semitones, +30c cents, up to 48 semitones.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" formants' -l 'formants' -d 'Resonances of voices and instruments with --pitch: they shift too, or preserve keeps them.' -rfka 'shift preserve'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" transients' -l 'transients' -d 'Attacks, by stretch: crisp, mixed or smooth. Default: crisp.' -rfka 'crisp mixed smooth'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" map' -l 'map' -d 'Change the length from moment to moment, by stretch: a file of lines \'source-time output-time\'.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" mono single-channel' -l 'single-channel' -l 'mono' -d 'Merge all channels into one, their mean, before scaling.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" format' -l 'format' -d 'Format to write, by name or extension. Default: the input\'s, or the nearest that can be written.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" bitrate' -l 'bitrate' -d 'Bit rate of a lossy output: 192k or 192000. Default: like the source\'s.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" encoding-quality' -l 'encoding-quality' -d 'Quality of a lossy output on its codec\'s own scale (Vorbis: -1 to 10).' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" compression-level' -l 'compression-level' -d 'Effort of the FLAC encoder, 0 (fast) to 8 (small).' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" salvage' -l 'salvage' -d 'Convert what can be decoded of damaged files, with a warning that says how much.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" downmix' -l 'downmix' -d 'Weights of --single-channel: mean, or itu for those of ITU-R BS.775. Default: mean.' -rfka 'mean itu'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" allow-layout-loss' -l 'allow-layout-loss' -d 'Write a channel layout that the format cannot say as the nearest one, with a warning.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" bits' -l 'bits' -d 'Bits of a stored sample: 8, 16, 24, 32, or f32 and f64 for floating point. Default: the source\'s, or the nearest that the format holds; 16 where the source is lossy.' -rfka '8 16 24 32 f32 f64'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" sample-format' -l 'sample-format' -d 'int16 rounds samples to 16 bits as they are read, whatever the source, and scales those.' -rfka 'int16'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" dither' -l 'dither' -d 'Noise added before samples are rounded: tpdf (triangular, one step either way, the same in every run), none, or auto, which is tpdf where floating point becomes 16 bits or fewer: from floating-point sources, by sinc and stretch, and where the level is changed. Silence stays silence.' -rfka 'auto none tpdf'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" guard' -l 'guard' -d 'Scan each file first and lower the whole of it just enough that nothing is clipped; say by how much. What would not be clipped is not changed.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" normalize' -l 'normalize' -d 'Scan each file first and set its sample peak, -60 to 0 dB below full scale, such as -1. Includes --guard.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" metadata' -l 'metadata' -d 'What is carried: keep everything, text without pictures, or none.' -rfka 'keep text none'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" keep-stale-tags' -l 'keep-stale-tags' -d 'Keep tags measured on the source, such as ReplayGain and AcoustID.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" keep-mtime' -l 'keep-mtime' -d 'Give outputs their sources\' times of last change and last access.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" o output' -s 'o' -l 'output' -d 'Output file, for one input file; else a folder, made when missing. - is standard output.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" suffix' -l 'suffix' -d 'Text put after the stem of what was named. Default: what was asked, such as -x1.5.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" overwrite' -l 'overwrite' -d 'Replace outputs that exist. Default: that is an error for the file.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" skip-existing' -l 'skip-existing' -d 'Leave outputs that exist, and their inputs, alone.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" resume' -l 'resume' -d 'Skip what was done before: the same source, unchanged, with the same options.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" no-sync' -l 'no-sync' -d 'Do not wait until each output is on the disk: faster, for outputs that a power cut may take.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" sidecars' -l 'sidecars' -d 'Also convert the text files named like each input: .lrc, .cue, .srt, .vtt, Audacity .txt.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" plot' -l 'plot' -d 'Also draw each input above its output: in-x1.5.png beside in-x1.5.flac.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" files-from' -l 'files-from' -d 'Also take the paths in this file, one a line; - is standard input.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" 0 null' -s '0' -l 'null' -d 'The paths of --files-from end in NUL rather than in a line feed.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert"' -l 'include' -d 'Of folders, take only files that match; may be repeated. With a slash: the path below the folder.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert"' -l 'exclude' -d 'Of folders, leave out files and folders that match; may be repeated.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" no-recursive' -l 'no-recursive' -d 'Do not enter folders within folders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" follow-symlinks' -l 'follow-symlinks' -d 'Follow symbolic links within folders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" track' -l 'track' -d 'Of files with several audio tracks, take this one. Default: 1, the first.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" j jobs' -s 'j' -l 'jobs' -d 'Files in work side by side, 1 to 256. Default: the threads.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" threads' -l 'threads' -d 'Threads that all files share, 1 to 256: those that files leave free help with long ones. Default: the cores.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" dry-run n' -s 'n' -l 'dry-run' -d 'Print what would be done, and do nothing.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" fail-fast' -l 'fail-fast' -d 'Stop at the first failure. Default: go on with the other files.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" progress' -l 'progress' -d 'How progress is shown on standard error.' -rfka 'auto bar plain none'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" json' -l 'json' -d 'Write a JSON object for each finished file to standard output.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" v verbose' -l 'verbose' -s 'v' -d 'Say more about each file.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" version' -l 'version' -d 'Show the version.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio convert" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" exact' -l 'exact' -d 'Decode everything and count the frames; count the packets too where there is no index.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" levels' -l 'levels' -d 'Decode everything and measure it: peaks, power, loudness, offsets, clipping, silence, MD5.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" json' -l 'json' -d 'Write a JSON object for each file, on a line of its own.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" track' -l 'track' -d 'Of files with several audio tracks, tell of this one. Default: 1, the first.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" f factor' -s 'f' -l 'factor' -d 'Output length / input length, 0.01 to 100: 1.5, 3/2 or 150%.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" speed' -l 'speed' -d 'Playback speed, the reciprocal of the factor: 1.25 or 1.25x.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" duration' -l 'duration' -d 'Length of the output: seconds, 1:30 or 1:02:03.5.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" files-from' -l 'files-from' -d 'Also take the paths in this file, one a line; - is standard input.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" 0 null' -s '0' -l 'null' -d 'The paths of --files-from end in NUL rather than in a line feed.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info"' -l 'include' -d 'Of folders, take only files that match; may be repeated. With a slash: the path below the folder.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info"' -l 'exclude' -d 'Of folders, leave out files and folders that match; may be repeated.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" no-recursive' -l 'no-recursive' -d 'Do not enter folders within folders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" follow-symlinks' -l 'follow-symlinks' -d 'Follow symbolic links within folders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" version' -l 'version' -d 'Show the version.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio info" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" style' -l 'style' -d 'How the audio is drawn.' -rfka 'bars envelope spectrogram'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" width' -l 'width' -d 'Width of the picture in points, 16 to 20000; of text in a terminal, in columns.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" height' -l 'height' -d 'Height of the picture in points, 16 to 20000; of text in a terminal, in lines.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" scale' -l 'scale' -d 'Pixels in a point, 1 to 4: 2 for dense screens. Default: 1.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" bar-width' -l 'bar-width' -d 'Width of a bar in points.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" bar-spacing' -l 'bar-spacing' -d 'Gap between bars in points.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" gradient' -l 'gradient' -d 'Let the color change from the middle of a lane to its edges.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" colors' -l 'colors' -d 'Colors such as #0072b2, parted by commas: one for each lane, or those of the gradient from edge to middle, or of a spectrogram from quiet to loud.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" theme' -l 'theme' -d 'Colors for light or for dark surroundings. Default: light.' -rfka 'light dark'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" bare' -l 'bare' -d 'Draw the audio alone: no title, no axes, no margins.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" channels' -l 'channels' -d 'Channels shown: merged into one, split into a lane for each, or the number of one.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" range' -l 'range' -d 'Show only this part: 1:00-2:30, 90-, -0:10.5.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" noise-floor' -l 'noise-floor' -d 'The level drawn as nothing, in dB, -200 to -1.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" no-antialias' -l 'no-antialias' -d 'Take the first sample of each bar rather than the mean of its decibels.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" salvage' -l 'salvage' -d 'Show a damaged file as far as it decodes.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" pixels-per-second' -l 'pixels-per-second' -d 'Pairs of lowest and highest sample for a second of audio. Default: 100.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" bits' -l 'bits' -d 'Bits of each value, 8 or 16. Default: 16.' -rfka '8 16'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" split-channels' -l 'split-channels' -d 'Write each channel rather than their mean.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" terminal' -l 'terminal' -d 'Draw in the terminal: auto, blocks, braille, sixel or kitty.' -rfka 'auto blocks braille sixel kitty'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" o output' -s 'o' -l 'output' -d 'Picture file, for one input file; else a folder, made when missing. - is standard output.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" format' -l 'format' -d 'Format of the pictures, or of the data: png, svg, pdf, json or dat.' -rfka 'png svg pdf json dat'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" sheet' -l 'sheet' -d 'Draw all files on one contact sheet.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" overwrite' -l 'overwrite' -d 'Replace pictures that exist. Default: that is an error for the file.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" skip-existing' -l 'skip-existing' -d 'Leave pictures that exist alone.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" files-from' -l 'files-from' -d 'Also take the paths in this file, one a line; - is standard input.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" 0 null' -s '0' -l 'null' -d 'The paths of --files-from end in NUL rather than in a line feed.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot"' -l 'include' -d 'Of folders, take only files that match; may be repeated. With a slash: the path below the folder.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot"' -l 'exclude' -d 'Of folders, leave out files and folders that match; may be repeated.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" no-recursive' -l 'no-recursive' -d 'Do not enter folders within folders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" follow-symlinks' -l 'follow-symlinks' -d 'Follow symbolic links within folders.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" track' -l 'track' -d 'Of files with several audio tracks, take this one. Default: 1, the first.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" j jobs' -s 'j' -l 'jobs' -d 'Files in work side by side, 1 to 256. Default: the threads.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" threads' -l 'threads' -d 'Threads that all files share, 1 to 256: those that files leave free help with long ones. Default: the cores.' -rfka ''
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" dry-run n' -s 'n' -l 'dry-run' -d 'Print what would be done, and do nothing.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" fail-fast' -l 'fail-fast' -d 'Stop at the first failure. Default: go on with the other files.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" progress' -l 'progress' -d 'How progress is shown on standard error.' -rfka 'auto bar plain none'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" json' -l 'json' -d 'Write a JSON object for each finished file to standard output.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" q quiet' -l 'quiet' -s 'q' -d 'Say nothing but errors.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" v verbose' -l 'verbose' -s 'v' -d 'Say more about each file.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" version' -l 'version' -d 'Show the version.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio plot" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio formats" json' -l 'json' -d 'Print JSON rather than a table.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio formats" version' -l 'version' -d 'Show the version.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio formats" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio presets" json' -l 'json' -d 'Print JSON rather than a table.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio presets" version' -l 'version' -d 'Show the version.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio presets" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'scaleaudio' -n '__scaleaudio_should_offer_completions_for_flags_or_options "scaleaudio help" version' -l 'version' -d 'Show the version.'
