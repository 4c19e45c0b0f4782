import Foundation
import ScaleAudio
import TestSupport
import Testing

@testable import scaleaudio_cli

/// Every remedy that the program prints, read from an error that names it and followed to the letter.
@Suite("Remedies that work")
struct RemedyProofTests {
  @Test(arguments: RemedyProof.all) func works(_ proof: RemedyProof) throws {
    if proof.needsRoot, !canMount { try Test.cancel("Only root may mount file systems") }
    let failed = try proof.outcome(of: RemedyProof.Way(arguments: proof.arguments))
    #expect(failed.status != 0)
    let sentence = proof.remedy.sentence(namedOutput: proof.namedOutput)
    let said = failed.errorText.split(separator: "\n").first { $0.contains(sentence) }
    let printed = try #require(said, "\(failed.errorText)")
    let ways = proof.ways(following: String(printed[printed.firstRange(of: sentence)!]))
    #expect(!ways.isEmpty, "nothing to do is found in: \(printed)")
    for way in ways {
      let mended = try proof.outcome(of: way)
      #expect(mended.status == 0, "\(way): \(mended.outputText)\(mended.errorText)")
    }
  }

  @Test func everyRemedyHasAProof() {
    let kinds = Set(RemedyProof.all.flatMap { $0.remedy.parts.map(RemedyKind.init) })
    for kind in RemedyKind.allCases where kind != .any { #expect(kinds.contains(kind), "\(kind)") }
    #expect(RemedyProof.all.contains { RemedyKind($0.remedy) == .any })
  }

  @Test func everySettingHasAProof() {
    let settings = Set(RemedyProof.all.flatMap { $0.remedy.parts.flatMap(\.settings) })
    for setting in Remedy.Setting.allCases {
      #expect(settings.contains(setting) != setting.isRefusedWhenParsed, "\(setting)")
    }
  }

  /// The words of remedies that are nothing but words, as they stand in the sources.
  @Test func everyDeedHasAProof() throws {
    let sources = FilePath(#filePath).removingLastComponent().removingLastComponent()
      .removingLastComponent().appending("Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.string))
    var found: Set<String> = []
    for case let name as String in files where name.hasSuffix(".swift") {
      let text = try String(contentsOfFile: sources.appending(name).string, encoding: .utf8)
      for match in text.matches(of: /\.act\(\s*"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\))*)"/) {
        found.insert(String(match.1))
      }
    }
    #expect(found.count > 20)
    var proved: Set<String> = []
    for case .act(let words) in RemedyProof.all.flatMap(\.remedy.parts) { proved.insert(words) }
    let unproved = Set(RemedyProof.unproved.keys)
    #expect(found.subtracting(proved).symmetricDifference(unproved).sorted() == [])
  }
}

extension Remedy {
  /// The remedies of which any one helps.
  fileprivate var parts: [Remedy] {
    if case .any(let remedies) = self { return remedies.flatMap(\.parts) }
    return [self]
  }

  /// The settings that it names.
  fileprivate var settings: [Setting] {
    switch self {
    case .set(let setting, _), .omit(let setting, _): [setting]
    case .change(let settings): settings
    default: []
    }
  }
}

extension Remedy.Setting {
  /// True for settings whose wrong values this program refuses before any error of a file; only errors of the library
  /// name them.
  fileprivate var isRefusedWhenParsed: Bool {
    switch self {
    case .compressionLevel: true
    case .bitRate, .quality, .sampleFormat, .sampleRate, .track, .downmix, .channels, .range,
      .partStart, .partEnd, .only, .pixelsPerSecond, .port, .listenAddress, .bpm, .strict:
      false
    }
  }
}

/// The cases of `Remedy` without their values: a new case does not compile without one of these, and needs a proof.
private enum RemedyKind: CaseIterable {
  case salvage, declareRaw, seeFormats, repairHeader, replaceOrSkip, retry, freeSpace, useFormat
  case chooseFormat, chooseFormatOrFolder, allowLayoutLoss, mergeChannels, set, change, omit
  case useMethod, chooseOutput, chooseOutputFile, shortenName, nameOutput, writeSound
  case nameOutputFolder, separateOutputs, keepFolders, keepExtensions, nameOutputs, allowLosses, act
  case any

  init(_ remedy: Remedy) {
    self =
      switch remedy {
      case .salvage: .salvage
      case .declareRaw: .declareRaw
      case .seeFormats: .seeFormats
      case .repairHeader: .repairHeader
      case .replaceOrSkip: .replaceOrSkip
      case .retry: .retry
      case .freeSpace: .freeSpace
      case .useFormat: .useFormat
      case .chooseFormat: .chooseFormat
      case .chooseFormatOrFolder: .chooseFormatOrFolder
      case .allowLayoutLoss: .allowLayoutLoss
      case .mergeChannels: .mergeChannels
      case .set: .set
      case .change: .change
      case .omit: .omit
      case .useMethod: .useMethod
      case .chooseOutput: .chooseOutput
      case .chooseOutputFile: .chooseOutputFile
      case .shortenName: .shortenName
      case .nameOutput: .nameOutput
      case .writeSound: .writeSound
      case .nameOutputFolder: .nameOutputFolder
      case .separateOutputs: .separateOutputs
      case .keepFolders: .keepFolders
      case .keepExtensions: .keepExtensions
      case .allowLosses: .allowLosses
      case .nameOutputs: .nameOutputs
      case .act: .act
      case .any: .any
      }
  }
}
