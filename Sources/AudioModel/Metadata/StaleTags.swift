/// Tags that are not true of audio made from that which they describe.
public enum StaleTags {
  /// Loudness and fingerprints, measured on the audio as it was.
  private static let measured = [
    "ACCURATERIP", "ACOUSTID_", "ITUNNORM", "MP3GAIN_", "MUSICIP PUID", "MUSICIP_", "R128_",
    "REPLAYGAIN_", "RVA2", "RVAD",
  ]
  /// How the old file was encoded, under the names of ID3v2, Vorbis comments, MP4 and ASF.
  private static let technical = [
    "ENCODER", "ENCODER SETTINGS", "ENCODERSETTINGS", "ENCODER_OPTIONS", "ENCODERVERSION",
    "ENCODING", "ENCODING PARAMS", "ENCODINGSETTINGS", "ENCODINGTIME", "ENCODINGTOOL", "FILETYPE",
    "ISVBR", "ITUNSMPB", "WM/ENCODINGSETTINGS", "WM/ENCODINGTIME", "WMFSDKNEEDED", "WMFSDKVERSION",
  ]

  /// The musical key, under the names of ID3v2, Vorbis comments and ASF.
  private static let key = [
    "INITIALKEY", "INITIAL KEY", "INITIAL_KEY", "KEY", "TKEY", "WM/INITIALKEY",
  ]

  /// Whether a field is not true of the audio any more; `movingPitch` tells whether the audio is at
  /// another pitch.
  public static func isStale(_ name: String, movingPitch: Bool) -> Bool {
    isMeasured(name) || movingPitch && isOfPitch(name)
  }

  /// Whether a field says in which key the audio is.
  public static func isOfPitch(_ name: String) -> Bool { key.contains(bareName(name)) }

  /// Whether a field says what was measured on the old audio: ReplayGain, R128 and Sound Check,
  /// AcoustID and MusicIP, AccurateRip.
  public static func isMeasured(_ name: String) -> Bool {
    let bare = bareName(name)
    return measured.contains { bare.hasPrefix($0) }
  }

  /// Whether a field says how the old file was encoded, which is never true of another.
  public static func isTechnical(_ name: String) -> Bool { technical.contains(bareName(name)) }

  /// iTunes keeps its fields as comments with a description: `COMMENT:iTunNORM`.
  private static func bareName(_ name: String) -> String {
    let upper = name.uppercased()
    return upper.hasPrefix("COMMENT:") ? String(upper.dropFirst("COMMENT:".count)) : upper
  }
}

extension Metadata {
  /// The tags that stay true of other audio, and the names of the measured ones left out, each once.
  ///
  /// What is `keepingMeasured` stays; how the old file was encoded is always left out, and nobody
  /// needs to be told. `movingPitch` leaves out the musical key like what is measured.
  public func withoutStaleTags(
    keepingMeasured: Bool, movingPitch: Bool = false
  ) -> (metadata: Metadata, dropped: [String]) {
    var fresh = self
    var dropped: [String] = []
    fresh.comments.removeAll { comment in
      if StaleTags.isTechnical(comment.name) { return true }
      guard !keepingMeasured, StaleTags.isStale(comment.name, movingPitch: movingPitch)
      else { return false }
      if !dropped.contains(comment.name) { dropped.append(comment.name) }
      return true
    }
    return (fresh, dropped)
  }

  /// The tags with the audio's length, where they told one (ID3v2 TLEN, in milliseconds), told anew.
  ///
  /// A length in other units is left out.
  public func withLength(milliseconds: Int) -> Metadata {
    func isLength(_ comment: Comment) -> Bool { comment.name.uppercased() == "LENGTH" }
    var told = self
    told.comments.removeAll { isLength($0) && Int($0.value) == nil }
    for index in told.comments.indices where isLength(told.comments[index]) {
      told.comments[index].value = "\(milliseconds)"
    }
    return told
  }

  /// The tags with the program that made the audio in the encoder tag, and no other one there.
  public func withEncoder(_ text: String) -> Metadata {
    var stamped = self
    stamped.comments.removeAll { $0.name.uppercased() == "ENCODER" }
    stamped.comments.append(Comment(name: "ENCODER", value: text))
    return stamped
  }
}
