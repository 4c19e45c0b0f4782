import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

/// Playlists as other programs write them.
@Suite("Playlists")
struct PlaylistTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a.wav", "b c.wav", "sub/d.wav", "sub/e.wav"] { try folder.write(name, Sound.wav) }
  }

  /// The files that a playlist plays, in their order, and the run.
  private func played(_ list: String) throws -> (names: [String], run: Tool) {
    let run = try Tool.run(
      Program.path, ["play", list, "-o", "heard.wav", "--overwrite"], in: folder.path)
    let prefix = "playing  "
    let names = run.errorText.split(separator: "\n").filter { $0.hasPrefix(prefix) }.map {
      String($0.dropFirst(prefix.count).prefix { $0 != "(" }.dropLast())
    }
    return (names, run)
  }

  private func expect(_ list: String, _ text: [UInt8], plays names: [String]) throws {
    try folder.write(list, text)
    let (found, run) = try played(list)
    #expect(run.status == 0, "\(run.errorText)")
    #expect(found == names)
  }

  @Test func listsWithinLists() throws {
    try folder.write("sub/inner.m3u8", Array("d.wav\ne.wav\n".utf8))
    try folder.write("sub/deep.pls", Array("[playlist]\nFile1=inner.m3u8\n".utf8))
    try expect(
      "outer.m3u", Array("a.wav\nsub/inner.m3u8\nsub/deep.pls\na.wav\n".utf8),
      plays: ["a.wav", "sub/d.wav", "sub/e.wav", "sub/d.wav", "sub/e.wav", "a.wav"])
  }

  @Test func windowsLines() throws {
    let text = "#EXTM3U\r\n#EXTINF:1,Title\r\na.wav\r\n\r\nsub\\d.wav\r\n"
    try expect("crlf.m3u8", Array(text.utf8), plays: ["a.wav", "sub/d.wav"])
    try expect("mark.m3u8", [0xEF, 0xBB, 0xBF] + Array(text.utf8), plays: ["a.wav", "sub/d.wav"])
    // File numbers order a PLS, not its lines.
    let list = "[playlist]\r\nFile2=sub\\e.wav\r\nTitle2=E\r\nFile1=a.wav\r\nNumberOfEntries=2\r\n"
    try expect("crlf.pls", Array(list.utf8), plays: ["a.wav", "sub/e.wav"])
  }

  @Test func escapedNames() throws {
    try expect(
      "escaped.m3u", Array("b%20c.wav\nsub%2Fd.wav\n".utf8), plays: ["b c.wav", "sub/d.wav"])
    let address = "file://\(folder.path)/b%20c.wav\n"
    try expect("address.m3u", Array(address.utf8), plays: ["\(folder.path)/b c.wav"])
    // A name that has such characters itself comes first.
    try folder.write("b%20c.wav", Sound.wav)
    try expect("escaped.m3u", Array("b%20c.wav\n".utf8), plays: ["b%20c.wav"])
  }

  /// In M3U, bytes that are no UTF-8 are Latin-1, unless a file has such a name.
  @Test func latin1() throws {
    try folder.write("Größe.wav", Sound.wav)
    try expect(
      "latin.m3u", Array("Gr\u{F6}\u{DF}e.wav\n".unicodeScalars.map { UInt8($0.value) }),
      plays: ["Größe.wav"])
    try expect("utf8.m3u", Array("Größe.wav\n".utf8), plays: ["Größe.wav"])
  }

  @Test func listsThatContainThemselves() throws {
    try folder.write("own.m3u", Array("a.wav\nown.m3u\nsub/d.wav\n".utf8))
    let (names, run) = try played("own.m3u")
    #expect(run.status == 1)
    #expect(names == ["a.wav", "sub/d.wav"])
    #expect(run.errorText.contains("scaleaudio: own.m3u: playlists contain each other in a loop"))
    // Two that name each other.
    try folder.write("one.m3u", Array("two.m3u\na.wav\n".utf8))
    try folder.write("two.m3u", Array("one.m3u\nsub/d.wav\n".utf8))
    let other = try played("one.m3u")
    #expect(other.run.status == 1)
    #expect(other.names == ["sub/d.wav", "a.wav"])
  }

  @Test func missingEntries() throws {
    try folder.write(
      "gap.m3u", Array("a.wav\nnone.wav\nhttp://example.org/x.mp3\nsub/d.wav\n".utf8))
    let (names, run) = try played("gap.m3u")
    #expect(run.status == 1)
    #expect(names == ["a.wav", "sub/d.wav"])
    #expect(run.errorText.contains("scaleaudio: none.wav: "))
    #expect(run.errorText.contains("only files are played"))
  }

  @Test func aMissingListIsReportedOnce() throws {
    let (names, run) = try played("nowhere.m3u")
    #expect(run.status == 66)
    #expect(names.isEmpty)
    #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
  }

  @Test func playlists() throws {
    let m3u = Playlist(
      Array(
        "\u{feff}#EXTM3U\r\n#EXTINF:5,A title\r\nsub/a b.flac\r\n\r\n/abs.wav\nhttp://x/y\n".utf8),
      isPLS: false, folder: "lists")
    #expect(
      m3u.entries == [
        Playlist.Entry(path: "lists/sub/a b.flac", title: "A title"),
        Playlist.Entry(path: "/abs.wav", title: nil),
      ])
    #expect(m3u.addresses == ["http://x/y"])
    let pls = Playlist(
      Array(
        "[playlist]\nFile2=b.wav\nTitle1=One\nFile1=file:///x/%C3%A4%20a.wav\nLength1=3\n".utf8),
      isPLS: true, folder: "lists")
    #expect(
      pls.entries == [
        Playlist.Entry(path: "/x/\u{e4} a.wav", title: "One"),
        Playlist.Entry(path: "lists/b.wav", title: nil),
      ])
  }
}
