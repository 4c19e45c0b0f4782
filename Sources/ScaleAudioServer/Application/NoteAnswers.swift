internal import AudioIO

extension FolderApplication {
  /// The marks, loops, speed and key that are kept about a file.
  func keptNotes(_ file: FileLibrary.File) throws(HTTPFailure) -> HTTPResponse {
    .json(
      try read { () throws(AudioFileError) in try notes.notes(of: file, cancellation) })
  }

  /// Changes some of them.
  func changeNotes(
    _ request: HTTPRequest, _ file: FileLibrary.File
  ) throws(HTTPFailure) -> HTTPResponse {
    try checkWritable()
    guard let changes = JSON.value(FileNotes.Changes.self, request.body), changes.isSound else {
      throw HTTPFailure(400, Problem(cause: "malformed request"))
    }
    let shown = try read { () throws(AudioFileError) in
      try notes.change(file, changes, cancellation)
    }
    if let refusal = shown.refusal { throw HTTPFailure(409, refusal) }
    return .json(shown)
  }
}
