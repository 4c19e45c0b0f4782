/// The surroundings of the program: the variables and files that it uses, and other programs.
enum ManualSurroundings {
  static let sections: [(title: String, entries: [(name: String, meaning: String)])] = [
    ("ENVIRONMENT", variables), ("FILES", files),
  ]

  private static let variables: [(name: String, meaning: String)] = [
    (
      "SCALEAUDIO_CONFIG",
      "The configuration file, which must exist. If it is empty, no file is read."
    ),
    (
      "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME",
      "The folders of the configuration, of what play and serve keep, and of the waveforms of serve. Defaults: ~/.config, ~/.local/state and ~/.cache."
    ),
    (
      "TMPDIR",
      "The folder for temporary files, which have no names there. Default: /var/tmp."
    ),
    ("COLUMNS", "The width of help and pictures where the output is no terminal. Default: 80."),
    ("NO_COLOR", "If it is not empty, there are no colors."),
    ("CLICOLOR_FORCE", "If it is neither empty nor 0, there are colors without a terminal, too."),
    (
      "TERM, COLORTERM, COLORFGBG",
      "The kind of the terminal, its number of colors (truecolor), and whether its background is light."
    ),
    (
      "SLURM_ARRAY_TASK_ID, SLURM_PROCID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX, CLOUD_RUN_TASK_INDEX, BATCH_TASK_INDEX",
      "The index of a task, for --shard auto."
    ),
  ]

  private static let files: [(name: String, meaning: String)] = [
    (
      "~/.config/scaleaudio/config.toml",
      "Your defaults and presets: tables such as [convert] and [preset.NAME], with long names of options as keys."
    ),
    (
      ".scaleaudio.jsonl",
      "In a folder of outputs, what --resume has done: a line of JSON for each output."
    ),
    (
      "~/.local/state/scaleaudio/files/",
      "Marks, loops, speed and key of files, of play and serve; --no-state uses none."
    ),
    ("~/.cache/scaleaudio/waves/", "Waveforms of serve. They can be deleted."),
    (
      "share/scaleaudio/*.schema.json",
      "Below the folder of the installation, the schemas of what --json prints."
    ),
  ]

  static let otherPages =
    "ffmpeg(1), ffprobe(1), sox(1), soundstretch(1), rubberband(1), flac(1), opusenc(1), oggenc(1), lame(1)"
}
