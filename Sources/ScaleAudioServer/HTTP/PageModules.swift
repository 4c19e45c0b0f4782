/// Joins the modules of the page: one request and one compilation instead of one for each of them, so that a large folder
/// is listed sooner.
enum PageModules {
  /// The text of `main.js` after all that it imports, each module in a function that returns what it exports.
  ///
  /// As a test of the page demands, imports and exports begin their lines, an import ends on its own line, and no module
  /// imports one that imports it.
  ///
  /// - Parameter texts: The modules by their names.
  static func joined(_ texts: [String: String]) -> String {
    var (joined, known) = ("", Set<String>())
    func add(_ name: String) {
      guard known.insert(name).inserted, let text = texts[name] else { return }
      var (body, exports) = ("", [Substring]())
      let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for line in lines.lazy.map({ Substring($0) }) {
        if let (names, module) = imported(line) {
          add(module)
          body += "const \(names) = \(variable(module));\n"
        } else if name != main, line.hasPrefix(export) {
          exports += exported(line.dropFirst(export.count))
          body += line.dropFirst(export.count) + "\n"
        } else {
          body += line + "\n"
        }
      }
      joined +=
        name == main
        ? body
        : "const \(variable(name)) = (() => {\n\(body)return { \(exports.joined(separator: ", ")) };\n})();\n"
    }
    add(main)
    return joined
  }

  private static let (main, export) = ("main.js", "export ")

  /// The pattern of what a line imports, and the module; `nil` if it imports nothing.
  private static func imported(_ line: Substring) -> (names: String, module: String)? {
    guard line.hasPrefix("import {"), let end = line.firstIndex(of: "}"),
      let slash = line.lastIndex(of: "/"), let quote = line.lastIndex(of: "\"")
    else { return nil }
    let names = line.dropFirst("import ".count)[...end]
    return (
      names.split(separator: " as ").joined(separator: ": "),
      String(line[line.index(after: slash)..<quote])
    )
  }

  /// The names that a line declares.
  private static func exported(_ line: Substring) -> [Substring] {
    let words = line.prefix { !"=({".contains($0) }
      .split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      .drop { ["async", "function", "class", "const", "let"].contains($0) }
    return line.hasPrefix("const [") ? Array(words) : Array(words.prefix(1))
  }

  /// The variable of what a module exports.
  private static func variable(_ module: String) -> String {
    "$" + module.prefix { $0 != "." }.replacing("-", with: "_")
  }
}
