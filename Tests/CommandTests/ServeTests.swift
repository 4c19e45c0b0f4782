#if Serve
  import Foundation
  import TestSupport
  import Testing

  /// The command; what the server does is tested apart.
  @Suite struct ServeTests {
    /// Starts the server, and waits until it has printed its address to the file `url`. Its status goes to `status`.
    private static func start(_ options: String) -> String {
      """
      env --default-signal=INT,TERM "$scaleaudio" serve \(options) > url 2> notes & server=$!
      for i in $(seq 2000); do [ -s url ] && break; kill -0 $server || break; sleep 0.01; done
      """
    }

    @Test(arguments: ["INT", "TERM"])
    func thePageOpensByThePrintedAddress(signal: String) throws {
      let folder = try TemporaryFolder()
      let run = try Program.shell(
        """
        unset DISPLAY WAYLAND_DISPLAY
        \(Self.start("--port 0"))
        curl -sSL -c jar -b jar -o page -w '%{http_code} %{url_effective}' "$(cat url)"
        kill -\(signal) $server; wait $server; echo " $?"
        """, in: folder.path)
      let url = try String(contentsOfFile: folder.file("url").string, encoding: .utf8)
      let address = try #require(
        url.wholeMatch(of: /(http:\/\/127\.0\.0\.1:[0-9]+\/)\?token=[0-9a-f]{32}\n/))
      #expect(run.outputText == "200 \(address.1) 0\n")
      let page = try String(contentsOfFile: folder.file("page").string, encoding: .utf8)
      #expect(page.hasPrefix("<!doctype html>"))
      let notes = try String(contentsOfFile: folder.file("notes").string, encoding: .utf8)
      #expect(notes == "Serving .. The address holds the key; Ctrl-C ends.\n")
    }

    @Test func theBrowserGetsAFileThatOnlyThisUserReads() throws {
      let folder = try TemporaryFolder()
      let run = try Program.shell(
        #"""
        mkdir bin runtime
        cat > bin/xdg-open << 'END'
        #!/bin/sh
        echo "$@" > "$SCENE/arguments"
        stat -c %a "$1" > "$SCENE/mode"
        cp "$1" "$SCENE/copy"; mv "$SCENE/copy" "$SCENE/opened"
        END
        chmod +x bin/xdg-open
        export SCENE=$PWD PATH="$PWD/bin:$PATH" DISPLAY=:0 XDG_RUNTIME_DIR="$PWD/runtime"
        """# + "\n" + Self.start("--port 0") + "\n"
          + #"""
          for i in $(seq 2000); do [ -s opened ] && break; sleep 0.01; done
          kill -TERM $server; wait $server; echo $?
          ls runtime
          """#, in: folder.path)
      #expect(run.outputText == "0\n")
      func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.file(name).string, encoding: .utf8)
      }
      let url = try text("url").trimmingCharacters(in: .newlines)
      let token = try #require(url.split(separator: "=").last)
      #expect(try text("mode") == "600\n")
      #expect(try text("arguments").hasPrefix("\(folder.path.string)/runtime/scaleaudio-serve-"))
      #expect(try !text("arguments").contains(token))
      #expect(try text("opened").contains("content=\"0;url=\(url)\""))
    }

    @Test func noOpenOpensNothing() throws {
      let folder = try TemporaryFolder()
      let run = try Program.shell(
        """
        mkdir bin; printf '#!/bin/sh\\ntouch "\(folder.path.string)/opened"\\n' > bin/xdg-open
        chmod +x bin/xdg-open; export PATH="$PWD/bin:$PATH" DISPLAY=:0
        \(Self.start("--port 0 --no-open --read-only"))
        curl -s -o page "$(cat url)"; kill -TERM $server; wait $server; ls opened
        """, in: folder.path)
      #expect(run.status == 2)
      let notes = try String(contentsOfFile: folder.file("notes").string, encoding: .utf8)
      #expect(notes.hasPrefix("Serving ., read-only. "))
    }

    @Test func aPortThatIsTakenEndsTheRun() throws {
      let folder = try TemporaryFolder()
      let run = try Program.shell(
        """
        \(Self.start("--port 0 --no-open"))
        port=$(sed 's/.*:\\([0-9]*\\).*/\\1/' url)
        "$scaleaudio" serve --no-open --port $port; echo $?
        kill -TERM $server; wait $server
        """, in: folder.path)
      #expect(run.outputText == "64\n")
      let message = /scaleaudio: port [0-9]+ is in use by another program; choose another --port\n/
      #expect(run.errorText.wholeMatch(of: message) != nil)
    }

    /// Outputs go beside their sources, for a whole folder into one beside it, or into the given folder, from whatever folder
    /// the server was started in.
    @Test(arguments: [
      (".", "Music", "Music-x2/inner/a.wav", "Music/inner/a-x2.wav"),
      (".", "./Music", "Music-x2/inner/a.wav", "Music/inner/a-x2.wav"),
      ("Music", ".", "Music-x2/inner/a.wav", "Music/inner/a-x2.wav"),
      ("Music/inner", "..", "Music-x2/inner/a.wav", "Music/inner/a-x2.wav"),
      (".", "Music -o new/out", "new/out/inner/a.wav", nil),
      ("Music", ". -o ../linked", "out/inner/a.wav", nil),
    ])
    func outputsHaveTheirFolders(
      current: String, arguments: String, whole: String, single: String?
    ) throws {
      let folder = try TemporaryFolder()
      let run = try Program.shell(
        """
        mkdir -p Music/inner out; ln -s out linked
        sox -R -n -r 8000 -b 16 Music/inner/a.wav synth 0.1 pinknoise
        cd \(current)
        \(Self.start("--port 0 --no-open \(arguments)"))
        mv url notes "$OLDPWD" 2>/dev/null; cd "$OLDPWD"
        """
          + #"""

          curl -sSL -c jar -b jar -o page "$(cat url)"; origin=$(sed 's,/[?].*,,' url)
          ask() {
            curl -sS -b jar -H "Origin: $origin" -H 'Sec-Fetch-Site: same-origin' -H 'X-Scaleaudio: 1' "$origin/$@"
          }
          id=$(ask api/files | grep -o '"f[0-9]*"' | head -1)
          for files in '"all"' "[$id]"; do
            ask api/jobs -d '{"files":'"$files"',"choice":{"factor":"2"}}' > started
            for i in $(seq 2000); do
              ask api/jobs > jobs; grep -q '"running"' jobs || break; sleep 0.01
            done
          done
          kill -TERM $server; wait $server
          find . -name '*.wav' | LC_ALL=C sort
          """#, in: folder.path)
      let outputs = run.outputText.split(separator: "\n").map { String($0.dropFirst(2)) }
      #expect(outputs == ["Music/inner/a.wav", whole, single].compactMap(\.self).sorted())
    }

    @Test(arguments: [
      ("missing", "scaleaudio: missing: "),
      ("sound.wav", "scaleaudio: sound.wav: not a folder; serve the one that holds it: .\n"),
    ])
    func aPathThatIsNotAFolderEndsTheRun(name: String, message: String) throws {
      let folder = try TemporaryFolder()
      try folder.write("sound.wav", [])
      let run = try Program.run("serve", "--no-open", "--port", "0", name, in: folder.path)
      #expect(run.status == 66)
      #expect(run.errorText.hasPrefix(message))
      #expect(run.outputText.isEmpty)
    }

    @Test(arguments: [
      (["--port", "65536"], "--port 65536 is not within 0 to 65535."),
      (["--port", "-1"], "--port -1 is not within 0 to 65535."),
      (["--listen", ""], "--listen needs an address, such as 0.0.0.0."),
      (["--read-only", "-o", "x"], "--read-only and --output exclude each other; give one."),
      ([""], "A path must not be empty."),
    ])
    func meaninglessOptionsAreRefused(options: [String], message: String) throws {
      let refusal = try #require(Program.refusal(of: ["serve"] + options))
      #expect(refusal.status == 64)
      #expect(refusal.message.contains(message))
    }
  }
#endif
