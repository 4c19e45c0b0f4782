/// Tags that are not valid for audio derived from the audio that they describe.
public enum StaleTags {
  /// Loudness and fingerprints, measured on the original audio.
  private static let measured = [
    "ACCURATERIP", "ACOUSTID_", "ITUNNORM", "MP3GAIN_", "MUSICIP PUID", "MUSICIP_", "R128_",
    "REPLAYGAIN_", "RVA2", "RVAD",
  ]
  /// The encoding of the original file, under the names of ID3v2, Vorbis comments, MP4 and ASF.
  private static let technical = [
    "ENCODER", "ENCODER SETTINGS", "ENCODERSETTINGS", "ENCODER_OPTIONS", "ENCODERVERSION",
    "ENCODING", "ENCODING PARAMS", "ENCODINGSETTINGS", "ENCODINGTIME", "ENCODINGTOOL", "FILETYPE",
    "ISVBR", "ITUNSMPB", "WM/ENCODINGSETTINGS", "WM/ENCODINGTIME", "WMFSDKNEEDED", "WMFSDKVERSION",
  ]

  /// The musical key, under the names of ID3v2, Vorbis comments and ASF.
  private static let key = [
    "INITIALKEY", "INITIAL KEY", "INITIAL_KEY", "KEY", "TKEY", "WM/INITIALKEY",
  ]

  /// True if a field is no longer valid; `movingPitch` is true if the pitch of the audio has changed.
  public static func isStale(_ name: String, movingPitch: Bool) -> Bool {
    isMeasured(name) || movingPitch && isOfPitch(name)
  }

  /// True if a field is the musical key.
  public static func isOfPitch(_ name: String) -> Bool { key.contains(bareName(name)) }

  /// True if a field was measured on the original audio: ReplayGain, R128, Sound Check, AcoustID, MusicIP or
  /// AccurateRip.
  public static func isMeasured(_ name: String) -> Bool {
    let bare = bareName(name)
    return measured.contains { bare.hasPrefix($0) }
  }

  /// True if a field describes the encoding of the original file.
  public static func isTechnical(_ name: String) -> Bool { technical.contains(bareName(name)) }

  /// True if a field describes the original file's encoding in a note for people, not in data that encoders
  /// write for decoders.
  public static func isTechnicalNote(_ name: String) -> Bool {
    isTechnical(name) && !replaced.contains(bareName(name))
  }

  /// Technical fields that encoders write for decoders.
  private static let replaced: Set<String> = [
    "ENCODER", "ENCODERVERSION", "ENCODING PARAMS", "FILETYPE", "ISVBR", "ITUNSMPB", "WMFSDKNEEDED",
    "WMFSDKVERSION", "WM/ENCODINGSETTINGS", "WM/ENCODINGTIME",
  ]

  /// iTunes keeps its fields as comments with a description: `COMMENT:iTunNORM`.
  private static func bareName(_ name: String) -> String {
    let upper = fieldName(name)
    return upper.hasPrefix("COMMENT:") ? String(upper.dropFirst("COMMENT:".count)) : upper
  }

  /// The upper-case name without the prefixes of MP4 freeform items and ID3v2 TXXX frames, which a name keeps if its
  /// file has the field twice.
  static func fieldName(_ name: String) -> String {
    let upper = name.uppercased()
    let prefixes = [Metadata.Comment.freeformPrefix.uppercased(), Metadata.Comment.userPrefix]
    let prefix = prefixes.first { upper.hasPrefix($0) } ?? ""
    return String(upper.dropFirst(prefix.count))
  }
}

extension Metadata.Comment {
  /// The prefix of the full name of an iTunes freeform item.
  package static let freeformPrefix = "----:com.apple.iTunes:"
  /// The prefix of the name of an ID3v2 TXXX frame that has the same meaning as another frame of the tag.
  package static let userPrefix = "TXXX:"
}

extension Metadata {
  /// The metadata without stale tags, and the names of the dropped tags, each once.
  ///
  /// `keepingMeasured` keeps measured tags. Tags about the encoding of the original file are always dropped,
  /// and are not in the list. `movingPitch` drops the musical key too.
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

  /// The metadata with the length tag (ID3v2 TLEN, in milliseconds), if there is one, set to a new length.
  ///
  /// Length tags in other units are dropped.
  public func withLength(milliseconds: Int) -> Metadata {
    func isLength(_ comment: Comment) -> Bool { comment.name.uppercased() == "LENGTH" }
    var result = self
    result.comments.removeAll { isLength($0) && Int($0.value) == nil }
    for index in result.comments.indices where isLength(result.comments[index]) {
      result.comments[index].value = "\(milliseconds)"
    }
    return result
  }

  /// The metadata with one encoder tag, which names the program that wrote the audio.
  public func withEncoder(_ text: String) -> Metadata {
    var stamped = self
    stamped.comments.removeAll { StaleTags.fieldName($0.name) == "ENCODER" }
    stamped.comments.append(Comment(name: "ENCODER", value: text))
    return stamped
  }
}
