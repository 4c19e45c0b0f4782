# Completions of scaleaudio for bash.

_scaleaudio() {
  local command=convert cur=$2 option=${COMP_WORDS[COMP_CWORD - 1]} words= only= index
  COMPREPLY=()

  # Bash takes --name=value as three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $option == = ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi

  if ((COMP_CWORD > 1)); then
    case ${COMP_WORDS[1]} in
      convert|info|plot|play|serve|verify|plan|merge|formats|presets|help) command=${COMP_WORDS[1]} ;;
    esac
  elif [[ $cur != -* ]]; then
    # The first word is a command or a file.
    COMPREPLY=($(compgen -W 'convert info plot play serve verify plan merge formats presets help' -- "$cur"))
    if ((${#COMPREPLY[@]})); then
      compopt -o filenames
      while IFS= read -r index; do COMPREPLY+=("$index"); done < <(compgen -f -- "$cur")
    fi
    return
  fi

  # Only operands follow --.
  for ((index = 1; index < COMP_CWORD; index++)); do
    [[ ${COMP_WORDS[index]} == -- ]] && only=operands option=
  done

  case $command:$option in
    convert:--preset) COMPREPLY=($(compgen -W 'podcast draft practice tape dataset' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--tempo) compopt +o bashdefault +o default; return ;;
    convert:-f|convert:--factor) compopt +o bashdefault +o default; return ;;
    convert:--speed) compopt +o bashdefault +o default; return ;;
    convert:--duration) compopt +o bashdefault +o default; return ;;
    convert:--bpm) compopt +o bashdefault +o default; return ;;
    convert:--from) compopt +o bashdefault +o default; return ;;
    convert:--to) compopt +o bashdefault +o default; return ;;
    convert:--only) compopt +o bashdefault +o default; return ;;
    convert:--method) COMPREPLY=($(compgen -W 'smoothstep linear sinc stretch' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--quality) COMPREPLY=($(compgen -W 'fast high best' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--pitch) compopt +o bashdefault +o default; return ;;
    convert:--map) :; return ;;
    convert:--engine) COMPREPLY=($(compgen -W 'vocoder r3' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--formants) COMPREPLY=($(compgen -W 'shift preserve' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--format) COMPREPLY=($(compgen -W 'wav wavex rf64 w64 aiff aifc caf caf-alac au flac oga ogg opus mp3 m4a m4b m4r m4a-aac m4a-alac m4b-alac m4r-alac wavpack raw' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--rate) compopt +o bashdefault +o default; return ;;
    convert:--bitrate) compopt +o bashdefault +o default; return ;;
    convert:--encoding-quality) compopt +o bashdefault +o default; return ;;
    convert:--compression-level) compopt +o bashdefault +o default; return ;;
    convert:--downmix) COMPREPLY=($(compgen -W 'mean itu' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--bits) COMPREPLY=($(compgen -W '8 16 24 32 f32 f64' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--sample-format) COMPREPLY=($(compgen -W 'int16' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--dither) COMPREPLY=($(compgen -W 'auto none tpdf' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--normalize) compopt +o bashdefault +o default; return ;;
    convert:--loudness) compopt +o bashdefault +o default; return ;;
    convert:--true-peak) compopt +o bashdefault +o default; return ;;
    convert:--metadata) COMPREPLY=($(compgen -W 'keep text none' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--tag-encoding) compopt +o bashdefault +o default; return ;;
    convert:-o|convert:--output) :; return ;;
    convert:--base) compopt +o bashdefault +o default; return ;;
    convert:--suffix) compopt +o bashdefault +o default; return ;;
    convert:--name) compopt +o bashdefault +o default; return ;;
    convert:--manifest) :; return ;;
    convert:--manifest-format) COMPREPLY=($(compgen -W 'jsonl csv nemo lhotse kaldi' -- "$cur")); compopt +o bashdefault +o default; return ;;
    convert:--files-from) :; return ;;
    convert:--include) compopt +o bashdefault +o default; return ;;
    convert:--exclude) compopt +o bashdefault +o default; return ;;
    convert:--raw) compopt +o bashdefault +o default; return ;;
    convert:--track) compopt +o bashdefault +o default; return ;;
    convert:--run) compopt +o bashdefault +o default; return ;;
    convert:--shard) compopt +o bashdefault +o default; return ;;
    convert:--shard-offset) compopt +o bashdefault +o default; return ;;
    convert:-j|convert:--jobs) compopt +o bashdefault +o default; return ;;
    convert:--threads) compopt +o bashdefault +o default; return ;;
    convert:--progress) COMPREPLY=($(compgen -W 'auto bar plain none' -- "$cur")); compopt +o bashdefault +o default; return ;;
    info:--get) compopt +o bashdefault +o default; return ;;
    info:--track) compopt +o bashdefault +o default; return ;;
    info:--tag-encoding) compopt +o bashdefault +o default; return ;;
    info:-f|info:--factor) compopt +o bashdefault +o default; return ;;
    info:--speed) compopt +o bashdefault +o default; return ;;
    info:--duration) compopt +o bashdefault +o default; return ;;
    info:--files-from) :; return ;;
    info:--include) compopt +o bashdefault +o default; return ;;
    info:--exclude) compopt +o bashdefault +o default; return ;;
    info:--raw) compopt +o bashdefault +o default; return ;;
    plot:--style) COMPREPLY=($(compgen -W 'bars envelope spectrogram both loudness' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plot:--width) compopt +o bashdefault +o default; return ;;
    plot:--height) compopt +o bashdefault +o default; return ;;
    plot:--scale) compopt +o bashdefault +o default; return ;;
    plot:--bar-width) compopt +o bashdefault +o default; return ;;
    plot:--bar-spacing) compopt +o bashdefault +o default; return ;;
    plot:--colors) compopt +o bashdefault +o default; return ;;
    plot:--frequency) COMPREPLY=($(compgen -W 'linear log mel' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plot:--fft) compopt +o bashdefault +o default; return ;;
    plot:--max-frequency) compopt +o bashdefault +o default; return ;;
    plot:--theme) COMPREPLY=($(compgen -W 'light dark' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plot:--channels) compopt +o bashdefault +o default; return ;;
    plot:--range) compopt +o bashdefault +o default; return ;;
    plot:--noise-floor) compopt +o bashdefault +o default; return ;;
    plot:--pixels-per-second) compopt +o bashdefault +o default; return ;;
    plot:--samples-per-pixel) compopt +o bashdefault +o default; return ;;
    plot:--bits) COMPREPLY=($(compgen -W '8 16' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plot:--terminal) COMPREPLY=($(compgen -W 'auto blocks braille sixel kitty' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plot:-o|plot:--output) :; return ;;
    plot:--format) COMPREPLY=($(compgen -W 'png svg pdf json dat' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plot:--files-from) :; return ;;
    plot:--include) compopt +o bashdefault +o default; return ;;
    plot:--exclude) compopt +o bashdefault +o default; return ;;
    plot:--raw) compopt +o bashdefault +o default; return ;;
    plot:--track) compopt +o bashdefault +o default; return ;;
    plot:--tag-encoding) compopt +o bashdefault +o default; return ;;
    plot:-j|plot:--jobs) compopt +o bashdefault +o default; return ;;
    plot:--threads) compopt +o bashdefault +o default; return ;;
    plot:--progress) COMPREPLY=($(compgen -W 'auto bar plain none' -- "$cur")); compopt +o bashdefault +o default; return ;;
    play:--preset) COMPREPLY=($(compgen -W 'podcast draft practice tape dataset' -- "$cur")); compopt +o bashdefault +o default; return ;;
    play:--tempo) compopt +o bashdefault +o default; return ;;
    play:-f|play:--factor) compopt +o bashdefault +o default; return ;;
    play:--speed) compopt +o bashdefault +o default; return ;;
    play:--duration) compopt +o bashdefault +o default; return ;;
    play:--from) compopt +o bashdefault +o default; return ;;
    play:--to) compopt +o bashdefault +o default; return ;;
    play:--method) COMPREPLY=($(compgen -W 'smoothstep linear sinc stretch' -- "$cur")); compopt +o bashdefault +o default; return ;;
    play:--quality) COMPREPLY=($(compgen -W 'fast high best' -- "$cur")); compopt +o bashdefault +o default; return ;;
    play:--pitch) compopt +o bashdefault +o default; return ;;
    play:--map) :; return ;;
    play:--downmix) COMPREPLY=($(compgen -W 'mean itu' -- "$cur")); compopt +o bashdefault +o default; return ;;
    play:--volume) compopt +o bashdefault +o default; return ;;
    play:--gain) COMPREPLY=($(compgen -W 'off track album' -- "$cur")); compopt +o bashdefault +o default; return ;;
    play:--output|play:-o) :; return ;;
    play:--device) COMPREPLY=($(compgen -W "$(scaleaudio play --list-devices 2>/dev/null | sed -n '/^[^ ]/{s/ (default)$//;p;}')" -- "$cur")); compopt +o bashdefault +o default; return ;;
    play:--latency) compopt +o bashdefault +o default; return ;;
    play:--files-from) :; return ;;
    play:--include) compopt +o bashdefault +o default; return ;;
    play:--exclude) compopt +o bashdefault +o default; return ;;
    play:--raw) compopt +o bashdefault +o default; return ;;
    play:--tag-encoding) compopt +o bashdefault +o default; return ;;
    serve:--port) compopt +o bashdefault +o default; return ;;
    serve:--listen) compopt +o bashdefault +o default; return ;;
    serve:-o|serve:--output) compopt +o bashdefault +o default; return ;;
    verify:--files-from) :; return ;;
    verify:--include) compopt +o bashdefault +o default; return ;;
    verify:--exclude) compopt +o bashdefault +o default; return ;;
    verify:--raw) compopt +o bashdefault +o default; return ;;
    verify:--against) compopt +o bashdefault +o default; return ;;
    verify:--manifest) :; return ;;
    plan:--shards) compopt +o bashdefault +o default; return ;;
    plan:--run) compopt +o bashdefault +o default; return ;;
    plan:--preset) COMPREPLY=($(compgen -W 'podcast draft practice tape dataset' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plan:--tempo) compopt +o bashdefault +o default; return ;;
    plan:-f|plan:--factor) compopt +o bashdefault +o default; return ;;
    plan:--speed) compopt +o bashdefault +o default; return ;;
    plan:--duration) compopt +o bashdefault +o default; return ;;
    plan:--bpm) compopt +o bashdefault +o default; return ;;
    plan:--from) compopt +o bashdefault +o default; return ;;
    plan:--to) compopt +o bashdefault +o default; return ;;
    plan:--only) compopt +o bashdefault +o default; return ;;
    plan:--method) COMPREPLY=($(compgen -W 'smoothstep linear sinc stretch' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plan:--quality) COMPREPLY=($(compgen -W 'fast high best' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plan:--pitch) compopt +o bashdefault +o default; return ;;
    plan:--map) :; return ;;
    plan:--engine) COMPREPLY=($(compgen -W 'vocoder r3' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plan:--formants) COMPREPLY=($(compgen -W 'shift preserve' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plan:--format) COMPREPLY=($(compgen -W 'wav wavex rf64 w64 aiff aifc caf caf-alac au flac oga ogg opus mp3 m4a m4b m4r m4a-aac m4a-alac m4b-alac m4r-alac wavpack raw' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plan:--rate) compopt +o bashdefault +o default; return ;;
    plan:--bitrate) compopt +o bashdefault +o default; return ;;
    plan:--encoding-quality) compopt +o bashdefault +o default; return ;;
    plan:--compression-level) compopt +o bashdefault +o default; return ;;
    plan:--downmix) COMPREPLY=($(compgen -W 'mean itu' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plan:--bits) COMPREPLY=($(compgen -W '8 16 24 32 f32 f64' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plan:--sample-format) COMPREPLY=($(compgen -W 'int16' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plan:--dither) COMPREPLY=($(compgen -W 'auto none tpdf' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plan:--normalize) compopt +o bashdefault +o default; return ;;
    plan:--loudness) compopt +o bashdefault +o default; return ;;
    plan:--true-peak) compopt +o bashdefault +o default; return ;;
    plan:--metadata) COMPREPLY=($(compgen -W 'keep text none' -- "$cur")); compopt +o bashdefault +o default; return ;;
    plan:--tag-encoding) compopt +o bashdefault +o default; return ;;
    plan:-o|plan:--output) :; return ;;
    plan:--base) compopt +o bashdefault +o default; return ;;
    plan:--suffix) compopt +o bashdefault +o default; return ;;
    plan:--name) compopt +o bashdefault +o default; return ;;
    plan:--files-from) :; return ;;
    plan:--include) compopt +o bashdefault +o default; return ;;
    plan:--exclude) compopt +o bashdefault +o default; return ;;
    plan:--raw) compopt +o bashdefault +o default; return ;;
    plan:--track) compopt +o bashdefault +o default; return ;;
    merge:--retry) :; return ;;
    merge:--write) compopt +o bashdefault +o default; return ;;



  esac

  case $command in
    convert) words='--preset --tempo -f --factor --speed --duration --bpm --from --to --only --method --quality --pitch --map --engine --formants --single-channel --mono --format --rate --bitrate --encoding-quality --compression-level --salvage --downmix --allow-layout-loss --bits --sample-format --dither --guard --normalize --loudness --true-peak --limit --no-limit --metadata --keep-stale-tags --tag-encoding --keep-mtime -o --output --base --suffix --name --keep-extension --include-outputs --overwrite --skip-existing --resume --strict --no-sync --sidecars --copy-others --plot --album --no-album --gapless --no-gapless --manifest --manifest-format --manifest-hash --files-from -0 --null --include --exclude --raw --no-recursive --follow-symlinks --track --run --shard --shard-offset -j --jobs --threads -n --dry-run --fail-fast --progress --json --quiet -q --verbose -v --no-config --version -h --help' ;;
    info) words='--exact --levels --tempo --json --short --csv --get --track --tag-encoding -f --factor --speed --duration --files-from -0 --null --include --exclude --raw --no-recursive --follow-symlinks --no-config --version -h --help' ;;
    plot) words='--style --width --height --scale --bar-width --bar-spacing --colors --fit --frequency --fft --max-frequency --theme --bare --channels --range --noise-floor --no-antialias --salvage --pixels-per-second --samples-per-pixel --bits --split-channels --terminal -o --output --format --overwrite --skip-existing --files-from -0 --null --include --exclude --raw --no-recursive --follow-symlinks --track --tag-encoding -j --jobs --threads -n --dry-run --fail-fast --progress --json --quiet -q --verbose -v --no-config --version -h --help' ;;
    play) words='--preset --tempo -f --factor --speed --duration --from --to --method --quality --pitch --map --single-channel --mono --downmix --volume --loop --loop-list --shuffle --gain --output -o --device --list-devices --overwrite --latency --follow --no-state --json --quiet -q --verbose -v --files-from -0 --null --include --exclude --raw --no-recursive --follow-symlinks --tag-encoding --no-config --version -h --help' ;;
    serve) words='--port --listen --open --no-open --read-only --no-state -o --output --no-config --version -h --help'
      compopt +o bashdefault +o default
      COMPREPLY=($(compgen -W '' -- "$cur")) ;;
    verify) words='--files-from -0 --null --include --exclude --raw --no-recursive --follow-symlinks --against --manifest --json --quiet -q --no-config --version -h --help' ;;
    plan) words='--shards --run --quiet -q --preset --tempo -f --factor --speed --duration --bpm --from --to --only --method --quality --pitch --map --engine --formants --single-channel --mono --format --rate --bitrate --encoding-quality --compression-level --salvage --downmix --allow-layout-loss --bits --sample-format --dither --guard --normalize --loudness --true-peak --limit --no-limit --metadata --keep-stale-tags --tag-encoding --keep-mtime -o --output --base --suffix --name --keep-extension --include-outputs --overwrite --skip-existing --resume --strict --no-sync --sidecars --copy-others --plot --files-from -0 --null --include --exclude --raw --no-recursive --follow-symlinks --track --no-config --version -h --help' ;;
    merge) words='--check --retry --write --quiet -q --no-config --version -h --help'
      compopt +o bashdefault +o default
      COMPREPLY=($(compgen -W '' -- "$cur")) ;;
    formats) words='--json --version -h --help'
      compopt +o bashdefault +o default
      COMPREPLY=($(compgen -W '' -- "$cur")) ;;
    presets) words='--json --no-config --version -h --help'
      compopt +o bashdefault +o default
      COMPREPLY=($(compgen -W '' -- "$cur")) ;;
    help) words='--version'
      compopt +o bashdefault +o default
      COMPREPLY=($(compgen -W 'convert info plot play serve verify plan merge formats presets' -- "$cur")) ;;
  esac
  if [[ $cur == -* && ! $only ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}

complete -o bashdefault -o default -F _scaleaudio scaleaudio
