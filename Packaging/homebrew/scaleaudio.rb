# Untried: nobody has built scaleaudio with Homebrew, on macOS or on Linux; only the syntax of this file was checked.
# Before it is used: set PROJECT, and sha256 to that of the first release. Until then, `brew install --HEAD` is the way.
class Scaleaudio < Formula
  PROJECT = "https://scaleaudio.example".freeze

  desc "Makes audio files longer or shorter, exact to the sample"
  homepage PROJECT
  url "#{PROJECT}/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  # The code is under Apache-2.0; with Rubber Band and FFmpeg, the program is under the GPL.
  license all_of: ["Apache-2.0", "GPL-3.0-or-later"]
  head "#{PROJECT}.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on "cairo"
  depends_on "ffmpeg"
  depends_on "flac"
  depends_on "kissfft"
  depends_on "libebur128"
  depends_on "libogg"
  depends_on "libsixel"
  depends_on "libsndfile"
  depends_on "libsoxr"
  depends_on "libvorbis"
  depends_on "rubberband"
  depends_on "taglib"
  depends_on "tomlplusplus"

  uses_from_macos "zlib"

  on_macos do
    # The first with Swift 6.3, which remains to be checked.
    depends_on xcode: ["26.4", :build]
    depends_on macos: :sequoia
  end

  on_linux do
    depends_on "swift" => :build
    depends_on "alsa-lib"
    depends_on "fontconfig"
    depends_on "fribidi"
    depends_on "libmd"
    depends_on "pulseaudio"
    depends_on "systemd"
  end

  def install
    arguments = ["--disable-sandbox", "--configuration", "release", "--product", "scaleaudio"]
    # macOS brings Swift's libraries.
    arguments << "--static-swift-stdlib" if OS.linux?
    system "swift", "build", *arguments
    bin.install ".build/release/scaleaudio"

    pages = buildpath/"Tests/CommandTests/Snapshots"
    man1.install pages/"scaleaudio.1"
    bash_completion.install pages/"scaleaudio.bash" => "scaleaudio"
    zsh_completion.install pages/"_scaleaudio"
    fish_completion.install pages/"scaleaudio.fish"
    pkgshare.install Dir["Sources/scaleaudio-cli/Commands/*/*.schema.json"]
  end

  test do
    # One second of silence, 16-bit mono at 8 kHz.
    data = "\0".b * 16_000
    header = ["RIFF", 36 + data.bytesize, "WAVE", "fmt ", 16, 1, 1, 8000, 16_000, 2, 16, "data", data.bytesize]
    (testpath/"in.wav").binwrite(header.pack("a4Va4a4VvvVVvva4V") + data)
    system bin/"scaleaudio", "-f", "1.5", "in.wav", "-o", "out.flac"
    assert_match '"inputFrames":12000', shell_output("#{bin}/scaleaudio info --json out.flac")
    assert_match version.to_s, shell_output("#{bin}/scaleaudio --version") unless head?
    assert_match "missing.wav", shell_output("#{bin}/scaleaudio -f 1.5 missing.wav 2>&1", 66)
  end
end
