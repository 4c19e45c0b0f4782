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
    let changed = try read { () throws(AudioFileError) in
      try notes.change(file, changes, cancellation)
    }
    guard let shown = changed else {
      throw HTTPFailure(412, Problem(cause: "the notes have changed meanwhile"))
    }
    if let refusal = shown.refusal { throw HTTPFailure(409, refusal) }
    return .json(shown)
  }
}
