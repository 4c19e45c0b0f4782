/// Tags that are not valid for audio derived from the audio that they describe.
public enum StaleTags {
  /// Loudness and fingerprints, measured on the original audio, under the names of ReplayGain, J. River and MPD, and cue
  /// points and fades of Liquidsoap.
  private static let measured = [
    "AACGAIN_", "ACCURATERIP", "ACOUSTID_", "ALBUM DYNAMIC RANGE", "ALBUM GAIN", "DYNAMIC RANGE",
    "CTDB", "ITUNNORM", "LIQ_", "LUFS", "MIXRAMP_", "MP3GAIN_", "MUSICIP PUID", "MUSICIP_",
    "PEAK LEVEL", "R128_", "REPLAY GAIN", "REPLAYGAIN_", "RG_", "RVA2", "RVAD", "VOLUME LEVEL",
  ]
  /// The same under whole names: loudness, energy and checksums of the original samples.
  private static let measuredNames = [
    "ALBUM_GAIN", "ALBUM_PEAK", "AUDIOMD5", "AUDIO_CRC", "AUDIO_MD5", "CHECKSUM", "CRC", "CRC32",
    "ENERGYLEVEL", "FINGERPRINT", "INTEGRATED_LOUDNESS", "LOUDNESS", "LOUDNESS_RANGE", "MD5",
    "MD5SIGNATURE", "MD5SUM",
    "SAMPLE_PEAK", "SHA1", "SHA256", "TRACK_GAIN", "TRACK_PEAK", "TRUE_PEAK",
  ]
  /// Cue points, beat grids and waveforms of DJ software, at positions of the original audio in forms of its own, under
  /// the names of Vorbis comments.
  private static let ofDJs = [
    "BEATGRID", "BEAT GRID", "CUEPOINTS", "CUE POINTS", "DJAY", "MIXEDINKEY", "MIXXX", "REKORDBOX",
    "SERATO_", "SERATO ", "TRAKTOR", "VIRTUALDJ",
  ]
  /// The domains of freeform items of MP4 that only DJ software writes.
  private static let domainsOfDJs = [
    "COM.ALGORIDDIM", "COM.DENONDJ", "COM.ENGINEDJ", "COM.MIXEDINKEY", "COM.NATIVE-INSTRUMENTS",
    "COM.NATIVEINSTRUMENTS", "COM.PIONEER", "COM.REKORDBOX", "COM.SERATO", "COM.VIRTUALDJ",
    "ORG.MIXXX",
  ]
  /// Endings of names of DJ software for what stays true.
  private static let keptOfDJs = ["PLAYCOUNT", "PLAY COUNT", "COLOR", "TRACKID"]
  /// Facts about a stream that Matroska's programs write as tags, and copies to other containers keep; lengths that other
  /// programs write.
  private static let statistics = [
    "BPS", "DURATION", "DURATION_MS", "LENGTH_MS", "NUMBER_OF_BYTES", "NUMBER_OF_FRAMES",
    "PLAYTIME", "TOTALTIME", "TOTAL_TIME", "TOTALSAMPLES", "TOTAL SAMPLES", "TOTAL_SAMPLES",
    "TRACKLENGTH", "TRACK LENGTH", "TRACK_LENGTH",
  ]
  /// The tempo, under the names of ID3v2, Vorbis comments, MP4, ASF and beaTunes.
  private static let tempo = [
    "BEATSPERMINUTE", "BEATS_PER_MINUTE", "BPM", "FBPM", "TBPM", "TEMPO", "TMPO",
    "WM/BEATSPERMINUTE",
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

  /// True if a field is the tempo in beats per minute.
  public static func isTempo(_ name: String) -> Bool { tempo.contains(fieldName(name)) }

  /// True if a field was measured on the original audio: ReplayGain, R128, Sound Check, MixRamp, AcoustID, MusicIP or
  /// AccurateRip, or the cue points and beat grids of DJ software.
  public static func isMeasured(_ name: String) -> Bool {
    let bare = bareName(name)
    return measured.contains { bare.hasPrefix($0) } || measuredNames.contains(bare)
      || isOfDJs(name, bare)
  }

  /// The name of a cue sheet's remark that was measured on the original audio; `nil` for other lines.
  package static func measuredRemark(_ line: ArraySlice<UInt16>) -> String? {
    CueSheetText.remark(line).flatMap { isMeasured($0) ? $0 : nil }
  }

  private static func isOfDJs(_ name: String, _ bare: String) -> Bool {
    let domain = domain(name)
    return !keptOfDJs.contains { bare.hasSuffix($0) }
      && (ofDJs.contains { bare.hasPrefix($0) }
        || domainsOfDJs.contains { domain.hasPrefix($0) })
  }

  /// True if a field describes the encoding of the original file.
  public static func isTechnical(_ name: String) -> Bool {
    technical.contains(bareName(name)) || isStatistic(name)
  }

  /// True if a field counts what the original file held, such as `DURATION` and `_STATISTICS_TAGS` of mkvmerge. Such
  /// names may end in a language: `BPS-eng`.
  static func isStatistic(_ name: String) -> Bool {
    let upper = fieldName(name)
    let parts = upper.split(separator: "-", maxSplits: 1)
    let plain = parts.count == 2 && (2...3).contains(parts[1].count) ? String(parts[0]) : upper
    return plain.hasPrefix("_STATISTICS_") || statistics.contains(plain)
  }

  /// True if a field describes the original file's encoding in a note for people, not in data that encoders
  /// write for decoders.
  public static func isTechnicalNote(_ name: String) -> Bool {
    isTechnical(name) && !isStatistic(name) && !replaced.contains(bareName(name))
  }

  /// Technical fields that encoders write for decoders.
  private static let replaced: Set<String> = [
    "ENCODER", "ENCODERVERSION", "ENCODING PARAMS", "FILETYPE", "ISVBR", "ITUNSMPB", "WMFSDKNEEDED",
    "WMFSDKVERSION", "WM/ENCODINGSETTINGS", "WM/ENCODINGTIME",
  ]

  /// The name without what programs put before it: iTunes and J. River keep fields as comments with a description,
  /// `COMMENT:iTunNORM`, and players those of a cue sheet's tracks as `cue_track01_REPLAYGAIN_TRACK_GAIN`.
  private static func bareName(_ name: String) -> String {
    var rest = fieldName(name)[...]
    for prefix in ["COMMENT:", "MEDIA JUKEBOX:"] where rest.hasPrefix(prefix) {
      rest = rest.dropFirst(prefix.count).drop { $0 == " " }
    }
    if rest.hasPrefix("CUE_TRACK") {
      let behind = rest.dropFirst("CUE_TRACK".count).drop { $0.isNumber }
      if behind.first == "_" { rest = behind.dropFirst() }
    }
    return String(rest)
  }

  /// The upper-case name without the domains of MP4 freeform items and the prefix of ID3v2 TXXX frames.
  static func fieldName(_ name: String) -> String {
    let upper = name.uppercased()
    if upper.hasPrefix(Metadata.Comment.userPrefix) {
      return String(upper.dropFirst(Metadata.Comment.userPrefix.count))
    }
    return parts(ofFreeform: upper).map { String($0[1]) } ?? upper
  }

  /// The upper-case domain of an MP4 freeform item, `COM.APPLE.ITUNES`; empty for other names.
  private static func domain(_ name: String) -> String {
    parts(ofFreeform: name.uppercased()).map { String($0[0]) } ?? ""
  }

  /// The domain and the name of `----:domain:name`.
  private static func parts(ofFreeform name: String) -> [Substring]? {
    let prefix = "----:"
    guard name.hasPrefix(prefix) else { return nil }
    let parts = name.dropFirst(prefix.count).split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 ? parts : nil
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
  /// `keepingMeasured` keeps measured tags. Tags about the encoding of the original file are always dropped; only
  /// statistics among them are in the list. `movingPitch` drops the musical key too, and `movingTempo` a tempo that
  /// cannot be read. Cue sheets lose their measured remarks.
  public func withoutStaleTags(
    keepingMeasured: Bool, movingPitch: Bool = false, movingTempo: Bool = false
  ) -> (metadata: Metadata, dropped: [String]) {
    var fresh = self
    var dropped: [String] = []
    func drop(_ name: String) { if !dropped.contains(name) { dropped.append(name) } }
    fresh.comments.removeAll { comment in
      if StaleTags.isTechnical(comment.name) {
        if StaleTags.isStatistic(comment.name) { drop(comment.name) }
        return true
      }
      guard !keepingMeasured else { return false }
      let isUnread =
        movingTempo
        && (StaleTags.isTempo(comment.name) && Tempo.text(comment.value, dividedBy: 1) == nil
          || LoopTags.isLoop(comment.name) && !LoopTags.isRead(comment.value))
      guard isUnread || StaleTags.isStale(comment.name, movingPitch: movingPitch) else {
        return false
      }
      drop(comment.name)
      return true
    }
    if keepingMeasured { return (fresh, dropped) }
    for index in fresh.comments.indices
    where StaleTags.fieldName(fresh.comments[index].name) == "CUESHEET" {
      let lines = TextUnits(fresh.comments[index].value.utf16).lines
      let kept = lines.filter { StaleTags.measuredRemark($0) == nil }
      if kept.count == lines.count { continue }
      fresh.comments[index].value = String(decoding: Array(kept.joined()), as: UTF16.self)
      lines.compactMap(StaleTags.measuredRemark).forEach { drop("\($0) of CUESHEET") }
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
