#if Serve
  import ScaleAudio

  extension Remedy {
    /// The remedy in the controls of the page of `serve`, as part of a sentence; `nil` if neither the page nor the
    /// command line has one.
    var onPage: String? {
      switch self {
      case .declareRaw, .seeFormats: "audio without a header can be converted only in the terminal"
      case .repairHeader: "make the file again, or repair its header"
      case .salvage: "check Use what is readable of a damaged file, to convert what can be decoded"
      case .replaceOrSkip: "check Replace the one that exists, which then stays under another name"
      case .retry: "make it again"
      case .freeSpace: "free some disk space and make it again"
      case .useFormat(let formats): "choose the format \(Self.names(formats))"
      case .chooseFormat, .chooseFormatOrFolder: "choose a format"
      case .allowLayoutLoss: "choose another format, or check Merge all channels into one"
      case .mergeChannels: "check Merge all channels into one"
      case .set, .change: "choose another format, or convert it in the terminal"
      case .omit(_, let formats):
        formats.isEmpty ? "convert it in the terminal" : "choose the format \(Self.names(formats))"
      case .useMethod(let method):
        method == ScalingMethod.Kind.stretch.rawValue
          ? "choose Same pitch"
          : "choose Like a tape, with the engine \(method.prefix(1).uppercased())\(method.dropFirst())"
      case .chooseOutput, .chooseOutputFile, .nameOutput:
        "choose another speed or format, or start the server with another folder for results"
      case .shortenName: "give the file a shorter name, or convert it in the terminal"
      case .separateOutputs, .keepFolders, .keepExtensions, .nameOutputs:
        "choose Like the original as the format, or fewer files"
      // For outputs that no page has.
      case .writeSound, .nameOutputFolder: nil
      case .allowLosses: "choose another format"
      case .act(let words): words
      case .any(let remedies): Self.joined(remedies.compactMap(\.onPage))
      }
    }

    /// The names of formats as listed on the page.
    private static func names(_ ids: [String]) -> String {
      ids.map { id in AudioFormat.named(id)?.name ?? id }.joined(separator: " or ")
    }

    /// Several remedies in one sentence, each once.
    private static func joined(_ sentences: [String]) -> String? {
      var said: [String] = []
      for sentence in sentences where !said.contains(sentence) { said.append(sentence) }
      return said.isEmpty ? nil : said.joined(separator: ", or ")
    }
  }
#endif
