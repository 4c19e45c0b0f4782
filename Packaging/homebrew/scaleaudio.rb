# Untried: written from Homebrew's rules, never built. The address and the checksum are those of a release to come.
class Scaleaudio < Formula
  desc "Makes audio files longer or shorter, in bulk, with nothing lost"
  homepage "https://example.org/scaleaudio"
  url "https://example.org/scaleaudio/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "GPL-3.0-or-later"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build] if OS.mac?
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

  uses_from_macos "swift" => :build

  def install
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "scaleaudio"
    bin.install ".build/release/scaleaudio"
    man1.install "Tests/CommandTests/Snapshots/scaleaudio.1"
    generate_completions_from_executable(bin/"scaleaudio", "--generate-completion-script")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/scaleaudio --version")
    assert_match "missing.wav", shell_output("#{bin}/scaleaudio -f 2 missing.wav 2>&1", 66)
  end
end
