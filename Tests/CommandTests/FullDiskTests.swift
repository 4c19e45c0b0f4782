import Foundation
import ScaleAudio
import TestSupport
import Testing

/// True where file systems can be mounted.
let canMount: Bool = {
  guard getuid() == 0, let folder = try? TemporaryFolder() else { return false }
  let mounted = try? Program.shell(
    "mount -t tmpfs -o size=64k tmpfs . && umount \"$PWD\"", in: folder.path)
  return mounted?.status == 0
}()

@Suite("A full disk", .enabled(if: canMount, "Only root may mount file systems"))
struct FullDiskTests {
  /// Runs a line of bash in a folder that has `disk`, a small file system.
  private func onSmallDisk(_ kilobytes: Int, _ line: String) throws -> Tool {
    let folder = try TemporaryFolder(["in/long.wav": Sound.long, "in/short.wav": Sound.wav])
    return try Program.shell(
      """
      mkdir disk && mount -t tmpfs -o size=\(kilobytes)k tmpfs disk || exit 99
      trap 'umount disk' EXIT
      \(line)
      """, in: folder.path)
  }

  @Test(arguments: ["wav", "flac"], [20, 300, 700])
  func leavesNothing(kind: String, kilobytes: Int) throws {
    let run = try onSmallDisk(
      kilobytes,
      "$scaleaudio -f 1 --format \(kind) -o disk/out/ in/long.wav; echo $?; find disk -mindepth 1")
    #expect(run.outputText == "75\n", "\(run.outputText) \(run.errorText)")
    #expect(run.errorText.lowercased().contains("no space left"))
    #expect(run.errorText.contains("disk/out/long-x1.\(kind)"))
  }

  @Test func outputsThatFitAreDone() throws {
    let run = try onSmallDisk(
      200,
      "$scaleaudio -f 1 -j1 --metadata none -o disk in; echo $?; ls -A disk; "
        + "cmp in/short.wav disk/short.wav")
    #expect(run.outputText == "75\nshort.wav\n", "\(run.errorText)")
  }

  @Test func aManifestThatDoesNotFit() throws {
    let run = try onSmallDisk(
      4,
      "mkdir all; for i in $(seq 24); do cp in/short.wav all/$i.wav; done; "
        + "$scaleaudio -f 1 --manifest disk/m.jsonl all; echo $?; ls -A disk; ls all-x1/*.wav | wc -l"
    )
    #expect(run.outputText == "75\n24\n", "\(run.errorText)")
    #expect(run.errorText.contains("disk/m.jsonl"))
  }

  @Test func anExistingOutputSurvives() throws {
    let run = try onSmallDisk(
      300,
      "echo old > disk/long.wav; $scaleaudio -f 1 --overwrite -o disk in --exclude 's*'; echo $?; "
        + "ls -A disk; cat disk/long.wav")
    #expect(run.outputText == "75\nlong.wav\nold\n")
  }

  @Test func whatIsHeardIntoAFile() throws {
    let run = try onSmallDisk(
      300, "$scaleaudio play -o disk/heard.wav in/long.wav; echo $?; ls -A disk")
    #expect(run.outputText == "75\n", "\(run.errorText)")
    #expect(run.errorText.contains("disk/heard.wav"))
  }

  @Test(.disabled(if: isThreadSanitized, threadSanitizerNeedsDisk))
  func aFullTemporaryFolder() throws {
    let run = try onSmallDisk(
      300, "TMPDIR=disk $scaleaudio -f 1 - -o - < in/long.wav | wc -c; echo ${PIPESTATUS[0]}")
    #expect(run.outputText == "0\n75\n")
  }

  @Test(.disabled(if: isThreadSanitized, threadSanitizerNeedsDisk))
  func aLimitOnFileSize() throws {
    let folder = try TemporaryFolder(["long.wav": Sound.long])
    let run = try Program.shell(
      "ulimit -f 100; $scaleaudio -f 2 long.wav; echo $?; ls -A", in: folder.path)
    #expect(run.outputText == "1\nlong.wav\n")
    #expect(run.errorText.lowercased().contains("file too large"))
  }
}

private let isThreadSanitized = Sanitizer.inUse == .thread
private let threadSanitizerNeedsDisk: Comment =
  "The thread sanitizer keeps its own state in temporary files and dies without room for them."
