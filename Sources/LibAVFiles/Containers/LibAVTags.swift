internal import AudioContainers
internal import AudioModel
internal import CLibAV

/// The tags, pictures and chapters that libavformat reads from a container.
enum LibAVTags {
  /// All metadata of a track.
  ///
  /// - Parameter delay: Seconds from the start of the container's timeline to the track's first
  ///   frame.
  static func metadata(
    of container: LibAVContainer, _ track: LibAVTrack, sampleRate: Int, delay: Double
  ) -> Metadata {
    var comments = Self.comments(container.pointer.pointee.metadata)
    let known = Set(comments.map(\.name))
    // The language of a track is a property, and its default carries no information.
    comments += Self.comments(track.stream.pointee.metadata).filter {
      !known.contains($0.name) && $0.name != "LANGUAGE"
    }
    var metadata = Metadata(
      comments: comments, pictures: container.streams.compactMap(Self.picture))
    metadata.chapters = chapters(of: container, sampleRate: sampleRate, delay: delay)
    let language = value("language", of: track.stream)?.lowercased()
    metadata.trackLanguage = language == "und" ? nil : language
    return metadata
  }

  /// The value of one of the container's tags.
  static func value(_ name: String, of container: LibAVContainer) -> String? {
    let entry = av_dict_get(container.pointer.pointee.metadata, name, nil, 0)
    return entry.map { text($0.pointee.value) }
  }

  /// The value of one of a track's tags.
  static func value(_ name: String, of stream: UnsafeMutablePointer<AVStream>) -> String? {
    av_dict_get(stream.pointee.metadata, name, nil, 0).map { text($0.pointee.value) }
  }

  // MARK: Text

  /// Vorbis comment names for libavformat's generic names, where they differ by more than case.
  ///
  /// Source: the list of names in libavformat/avformat.h; the field lists of Xiph and MusicBrainz.
  private static let names = [
    "album_artist": "ALBUMARTIST", "disc": "DISCNUMBER", "track": "TRACKNUMBER",
    "publisher": "LABEL", "synopsis": "SYNOPSIS", "year": "DATE", "wm/year": "DATE",
    "sort_name": "TITLESORT", "title-sort": "TITLESORT", "sort_artist": "ARTISTSORT",
    "artist-sort": "ARTISTSORT", "sort_album": "ALBUMSORT", "album-sort": "ALBUMSORT",
    "sort_album_artist": "ALBUMARTISTSORT", "sort_composer": "COMPOSERSORT",
    "keywords": "KEYWORDS",
    "encoded_by": "ENCODED-BY",
  ]

  /// Tags that describe the container or the encoder rather than the audio; they are dropped.
  private static let ignored: Set = [
    "major_brand", "minor_version", "compatible_brands", "handler_name", "vendor_id",
    "encoder", "duration", "creation_time", "itunsmpb", "itunnorm", "variant_bitrate",
    "wmfsdkversion", "wmfsdkneeded", "isvbr", "deviceconformancetemplate", "filename", "mimetype",
    "gapless_playback",
  ]

  private static func comments(_ dictionary: OpaquePointer?) -> [Metadata.Comment] {
    var comments: [Metadata.Comment] = []
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      let key = text(next.pointee.key)
      let value = text(next.pointee.value)
      let lowered = key.lowercased()
      // Statistics that mkvmerge writes about the original stream.
      let isStatistic =
        lowered.hasPrefix("_statistics") || lowered.hasPrefix("number_of_")
        || lowered.hasPrefix("bps")
      if ignored.contains(lowered) || isStatistic || value.isEmpty { continue }
      comments += fields(names[lowered] ?? key.uppercased(), value)
    }
    return comments
  }

  /// One field, or two for a number with its total, such as `3/12`.
  private static func fields(_ name: String, _ value: String) -> [Metadata.Comment] {
    let totals = ["TRACKNUMBER": "TRACKTOTAL", "DISCNUMBER": "DISCTOTAL"]
    let parts = value.split(separator: "/", omittingEmptySubsequences: false)
    guard let total = totals[name], parts.count == 2, parts.allSatisfy({ Int($0) != nil }) else {
      return [Metadata.Comment(name: name, value: value)]
    }
    return [
      Metadata.Comment(name: name, value: String(parts[0])),
      Metadata.Comment(name: total, value: String(parts[1])),
    ]
  }

  private static func text(_ characters: UnsafePointer<CChar>?) -> String {
    characters.map { String(cString: $0) } ?? ""
  }

  // MARK: Pictures

  /// MIME types by codec, for containers that do not state them.
  private static let mimeTypes: [UInt32: String] = [
    AV_CODEC_ID_MJPEG.rawValue: "image/jpeg", AV_CODEC_ID_PNG.rawValue: "image/png",
    AV_CODEC_ID_BMP.rawValue: "image/bmp", AV_CODEC_ID_GIF.rawValue: "image/gif",
    AV_CODEC_ID_TIFF.rawValue: "image/tiff", AV_CODEC_ID_WEBP.rawValue: "image/webp",
  ]

  private static func picture(_ stream: UnsafeMutablePointer<AVStream>) -> Metadata.Picture? {
    guard stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 else { return nil }
    let packet = stream.pointee.attached_pic
    let parameters = stream.pointee.codecpar.pointee
    guard let data = packet.data, packet.size > 0 else { return nil }
    let tags = comments(of: stream)
    return Metadata.Picture(
      type: type(tags["comment"]),
      mimeType: tags["mimetype"] ?? mimeTypes[parameters.codec_id.rawValue] ?? "image/jpeg",
      description: tags["title"] ?? "", width: UInt32(max(0, parameters.width)),
      height: UInt32(max(0, parameters.height)), depth: 0, colors: 0,
      data: Array(UnsafeBufferPointer(start: data, count: Int(packet.size)))
    ).withTypeOfData
  }

  private static func comments(of stream: UnsafeMutablePointer<AVStream>) -> [String: String] {
    var tags: [String: String] = [:]
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(stream.pointee.metadata, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      tags[text(next.pointee.key).lowercased()] = text(next.pointee.value)
    }
    return tags
  }

  /// The picture type for libavformat's name, which is the ID3v2 (APIC) name.
  private static func type(_ name: String?) -> UInt32 {
    let kind = Metadata.Picture.kinds.firstIndex { $0.id3Name == name }
    return UInt32(kind ?? 3)
  }

  // MARK: Chapters

  private static func chapters(
    of container: LibAVContainer, sampleRate: Int, delay: Double
  ) -> [Metadata.Chapter] {
    let count = Int(container.pointer.pointee.nb_chapters)
    let found = (0..<count).compactMap { container.pointer.pointee.chapters[$0]?.pointee }
    return found.compactMap { chapter -> Metadata.Chapter? in
      func frame(_ time: Int64) -> Double {
        let base = chapter.time_base
        let seconds = Double(time) * Double(base.num) / Double(max(1, base.den)) - delay
        return max(0, seconds * Double(sampleRate))
      }
      guard chapter.start != scaleaudio_av_nopts_value else { return nil }
      let title = av_dict_get(chapter.metadata, "title", nil, 0)
      let hasEnd = chapter.end != scaleaudio_av_nopts_value && chapter.end > chapter.start
      return Metadata.Chapter(
        start: frame(chapter.start), end: hasEnd ? frame(chapter.end) : nil,
        title: title.map { text($0.pointee.value) } ?? "")
    }.sorted { $0.start < $1.start }
  }
}
