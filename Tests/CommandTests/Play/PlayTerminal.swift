import ScaleAudio
import TestSupport
import Testing

/// A terminal in which tests play, press keys and read the screen.
enum PlayTerminal {
  /// Starts a terminal of 80 columns in `tmux`; `shows` waits for what a pattern matches on its screen.
  ///
  /// The tests block signals, and what is left of their descriptors would keep them waiting.
  static let start = #"""
    set -e
    export LC_ALL=C.UTF-8
    tmux="tmux -u -L play-$$ -f /dev/null"
    fresh="import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, [])"
    fresh="$fresh; os.closerange(3, 256); os.execvp(sys.argv[1], sys.argv[1:])"
    python3 -c "$fresh" $tmux new-session -d -x 80 -y 24 \
      "env -u NO_COLOR TERM=screen SCALEAUDIO_CONFIG= XDG_STATE_HOME=$PWD/.state $variables bash --norc"
    trap '$tmux kill-server' EXIT
    # The screen; large digits become a line of text.
    screen() { $tmux capture-pane -p | python3 "$reader"; }
    shows() {
      for try in $(seq 600); do
        if screen | grep -qE -- "$2"; then return; fi
        sleep 0.05
      done
      echo "after $1: no $2 in"; $tmux capture-pane -p; exit 1
    }
    press() { $tmux send-keys "$1"; shows "$1" "$2"; }
    # Waits until a command prints a text.
    prints() {
      for try in $(seq 1200); do
        if [ "$($1)" = "$2" ]; then return; fi
        sleep 0.05
      done
      echo "$1: $($1) for $2"; $tmux capture-pane -p; exit 1
    }
    play() { $tmux send-keys "clear; '$scaleaudio' play $* -o null; echo status \$?" Enter; }

    """#

  /// The variables that ``start`` needs.
  static func setting(_ variables: String = "") -> String {
    let reader = #filePath.replacing("Play/PlayTerminal.swift", with: "Support/read-screen.py")
    return "variables='\(variables)'; reader='\(reader)'\n"
  }

  /// Runs lines of bash in that terminal.
  static func run(
    _ script: String, variables: String = "", in folder: TemporaryFolder,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    try Programs.require("tmux")
    try Program.shell(setting(variables) + start + script, in: folder.path).succeeded()
  }
}
