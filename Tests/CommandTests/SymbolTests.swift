import Foundation
import ScaleAudio
import TestSupport
import Testing

/// Libraries that are loaded when needed keep their names free for a program that links them itself.
@Suite("Symbols of loaded libraries")
struct SymbolTests {
  /// The program defines no function under a library's name, exported or not.
  @Test(arguments: [["--dynamic"], []])
  func theProgramDefinesNoLibrarySymbols(of table: [String]) throws {
    let symbols = try Tool.run("nm", table + ["--defined-only", Program.path]).succeeded()
    // FFmpeg's libraries, Cairo, fontconfig and FriBidi, PulseAudio and ALSA.
    let names =
      /(av|avcodec|avformat|avio|avutil|avpriv|sws|swr|swscale|swresample|cairo|fribidi|pa|snd)_\w+|Fc[A-Z]\w+/
    let defined = symbols.outputText.split(separator: "\n").compactMap {
      $0.split(separator: " ").last
    }
    #expect(defined.filter { $0.wholeMatch(of: names) != nil } == [])
  }

  /// The program, and the libraries that a package brings with it, run with the C library that the wheel names.
  @Test(.unsanitized) func theCLibraryOfTheWheelSuffices() throws {
    let root = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent()
    let page = try String(
      contentsOfFile: root.appending("docs/packages.md").string, encoding: .utf8)
    let tag = try #require(page.firstMatch(of: /manylinux_2_(\d+)_/))
    let declared = try #require(Int(tag.1))
    let linked = try Tool.run("ldd", [Program.path]).succeeded().outputText
    // The system's own, those of C and C++; and those of Swift, which the program of a package holds itself.
    let own = /\/(ld-linux|lib(c|m|stdc\+\+|gcc_s)\.so|lib(swift|_?Foundation|dispatch|Blocks))/
    let brought = linked.matches(of: /=> (\/\S+)/).map { String($0.1) }
      .filter { $0.firstMatch(of: own) == nil }
    #expect(brought.count > 5)
    for file in [Program.path] + brought {
      let symbols = try Tool.run("objdump", ["-T", file]).succeeded().outputText
      let newer = symbols.matches(of: /\(?GLIBC_2\.(\d+)[^\n]* (\S+)\n/).filter {
        Int($0.1).map { $0 > declared } ?? true
      }
      #expect(newer.map { "\($0.2) of 2.\($0.1)" } == [], "\(file)")
    }
  }

  /// A program that links a library beside the loader calls the library's own functions. The loader of a sanitized build
  /// needs the sanitizer's runtime.
  @Test(.unsanitized, arguments: Linked.all)
  func aLinkedLibraryIsTheRealOne(_ linked: Linked) throws {
    let loader = URL(fileURLWithPath: Program.path).deletingLastPathComponent()
      .appendingPathComponent("\(linked.loader).build/Loader.c.o").path
    let folder = try TemporaryFolder()
    try folder.write("main.c", Array(linked.source.utf8))
    try Tool.run(
      "clang", ["main.c", loader, "-l\(linked.library)", "-o", "main"], in: folder.path
    ).succeeded()
    let run = try Tool.run(folder.file("main").string, []).succeeded()
    #expect(run.outputText == "\(linked.output)\n")
  }

  /// A program that calls a library without loading it through the loader.
  struct Linked: Sendable, CustomTestStringConvertible {
    let library: String
    let loader: String
    let source: String
    let output: String

    var testDescription: String { library }

    static let all: [Linked] = {
      var all = [
        Linked(
          library: "cairo", loader: "CCairoLoader",
          source: """
            #include <cairo/cairo.h>
            #include <stdio.h>
            int main(void) { return puts(cairo_status_to_string(CAIRO_STATUS_NO_MEMORY)) < 0; }
            """, output: "out of memory")
      ]
      #if FFmpeg
        all.append(
          Linked(
            library: "avutil", loader: "CLibAVLoader",
            source: """
              #include <libavutil/opt.h>
              #include <stdio.h>
              int main(void) {
                char text[64];
                return av_strerror(AVERROR_EOF, text, sizeof text) < 0 || puts(text) < 0;
              }
              """, output: "End of file"))
      #endif
      return all
    }()
  }
}
