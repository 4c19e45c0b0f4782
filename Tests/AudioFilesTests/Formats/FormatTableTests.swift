import AudioFiles
import AudioModel
import CSndFile
import SndFileFiles
import Testing

@testable import AudioIO

@Suite("The table of formats", .tags(.packageTraits))
struct FormatTableTests {
  @Test func idsAreUniqueAndFallbacksExist() {
    let ids = AudioFormat.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    for format in AudioFormat.all {
      #expect(format.id == format.id.lowercased())
      #expect(!format.extensions.isEmpty)
      if let id = format.fallbackID { #expect(ids.contains(id)) }
      #expect(format.isWritable || format.fallbackID != nil, "\(format.id)")
    }
  }

  /// libsndfile agrees to every row that is written, at both ends of its channels, and to no more.
  @Test func libsndfileAcceptsEveryWritableRow() {
    for format in AudioFormat.all where format.isWritable {
      guard format.isSndFile else { continue }
      var info = SF_INFO()
      info.format = format.library.code
      for channels in [format.channels.lowerBound, format.channels.upperBound] {
        for rate in format.sampleRates ?? [8000, format.highestSampleRate] {
          info.channels = Int32(channels)
          info.samplerate = Int32(rate)
          #expect(sf_format_check(&info) != 0, "\(format.id), \(channels) channels, \(rate) Hz")
        }
      }
    }
  }

  /// Every major format that the library has is in the table, but SD2 and what is read without it.
  @Test func noFormatWithAHeaderIsMissing() {
    var count: Int32 = 0
    sf_command(nil, Int32(SFC_GET_FORMAT_MAJOR_COUNT), &count, 4)
    #expect(count > 20)
    let known = Set(
      AudioFormat.all.compactMap { format -> Int? in
        format.isSndFile ? Int(format.library.code) & SF_FORMAT_TYPEMASK : nil
      })
    let pcm = [
      SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64, SF_FORMAT_W64, SF_FORMAT_AIFF, SF_FORMAT_CAF,
      SF_FORMAT_AU, SF_FORMAT_RAW,
    ]
    let others = pcm + [SF_FORMAT_SD2, SF_FORMAT_FLAC, SF_FORMAT_VOC]
    for index in 0..<count {
      var info = SF_FORMAT_INFO()
      info.format = index
      sf_command(nil, Int32(SFC_GET_FORMAT_MAJOR), &info, Int32(MemoryLayout<SF_FORMAT_INFO>.size))
      let major = Int(info.format)
      #expect(known.contains(major) || others.contains(major), "\(String(cString: info.name))")
    }
  }

  @Test(arguments: [
    ("wav", "wav"), ("WAV", "wav"), ("aif", "aiff"), ("aifc", "aifc"), ("ogg", "ogg"),
    ("oga", "oga"), ("opus", "opus"), ("flac", "flac"), ("mp3", "mp3"), ("caf", "caf"),
    ("caf-alac", "caf-alac"), ("snd", "au"), ("sph", "nist"), ("mat", "mat5"), ("8svx", "svx"),
  ])
  func namesAndExtensionsAreFound(text: String, id: String) {
    #expect(AudioFormat.named(text)?.id == id)
  }

  @Test func unknownNamesAreNotFound() {
    #expect(AudioFormat.named("m4x") == nil)
    #expect(AudioFormat.forExtension("caf-alac") == nil)
  }
}

extension AudioFormat {
  fileprivate var isSndFile: Bool { library.type == SndFileLibrary.self }
}
