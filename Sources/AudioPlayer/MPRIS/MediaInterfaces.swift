/// The interfaces of the object on the bus, in the XML of D-Bus's introspection.
enum MediaInterfaces {
  static let description = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
    "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
    \(interface("org.freedesktop.DBus.Introspectable", [method("Introspect", [("s", "out")])]))
    \(interface("org.freedesktop.DBus.Properties", [
      method("Get", [("s", "in"), ("s", "in"), ("v", "out")]),
      method("GetAll", [("s", "in"), ("a{sv}", "out")]),
      method("Set", [("s", "in"), ("s", "in"), ("v", "in")]),
      signal("PropertiesChanged", ["s", "a{sv}", "as"]),
    ]))
    \(interface("org.mpris.MediaPlayer2", [method("Raise"), method("Quit")]
      + MediaProperties.application.map { property($0.name, $0.value.signature) }))
    \(interface("org.mpris.MediaPlayer2.Player", [
      method("Next"), method("Previous"), method("Pause"), method("PlayPause"), method("Stop"),
      method("Play"), method("Seek", [("x", "in")]),
      method("SetPosition", [("o", "in"), ("x", "in")]), method("OpenUri", [("s", "in")]),
      signal("Seeked", ["x"]),
      property("Position", "x"),
    ] + properties.map { property($0.name, $0.value.signature) }))
    </node>

    """

  private static let properties = MediaProperties(
    status: PlayerStatus(), isStopped: true, fileCount: 0, coverPath: nil
  ).player

  private static let settable: Set = ["Rate", "Volume", "LoopStatus"]

  private static func interface(_ name: String, _ lines: [String]) -> String {
    "<interface name=\"\(name)\">\n" + lines.joined(separator: "\n") + "\n</interface>"
  }

  private static func method(_ name: String, _ arguments: [(String, String)] = []) -> String {
    "<method name=\"\(name)\">"
      + arguments.map { "<arg type=\"\($0.0)\" direction=\"\($0.1)\"/>" }.joined() + "</method>"
  }

  private static func signal(_ name: String, _ types: [String]) -> String {
    "<signal name=\"\(name)\">" + types.map { "<arg type=\"\($0)\"/>" }.joined() + "</signal>"
  }

  private static func property(_ name: String, _ type: String) -> String {
    let access = settable.contains(name) ? "readwrite" : "read"
    return "<property name=\"\(name)\" type=\"\(type)\" access=\"\(access)\"/>"
  }
}
