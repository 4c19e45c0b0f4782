import Glibc
import SystemPackage

/// libFuzzer calls this with each input; the target is named by `SCALEAUDIO_FUZZ_TARGET`.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let name = getenv("SCALEAUDIO_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    fatalError("SCALEAUDIO_FUZZ_TARGET is one of \(names)")
  }
  if let file = temporaryFile(holding: UnsafeRawBufferPointer(start: bytes, count: count)) {
    target.run(file)
  }
  return 0
}

/// An open, nameless file in memory.
private func temporaryFile(holding bytes: UnsafeRawBufferPointer) -> FileDescriptor? {
  var name = Array("/dev/shm/scaleaudio-fuzz-XXXXXX".utf8CString)
  let raw = mkstemp(&name)
  if raw < 0 { return nil }
  unlink(name)
  let file = FileDescriptor(rawValue: raw)
  guard (try? file.writeAll(toAbsoluteOffset: 0, bytes)) != nil else {
    try? file.close()
    return nil
  }
  return file
}

/// libFuzzer's own loop (compiler-rt, `FuzzerInterface.h`).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ argc: UnsafeMutablePointer<CInt>,
  _ argv: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> CInt
) -> CInt

/// The function with which SwiftPM begins an executable named `fuzz`, which has no top-level code of its own.
@_cdecl("fuzz_main")
public func main(
  _ argc: CInt, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (argc, argv) = (argc, argv)
  return runDriver(&argc, &argv, testOneInput)
}
