public import ArgumentParser
public import ScaleAudio

/// How the length is changed.
struct MethodOptions: ParsableArguments {
  @Option(
    help:
      "How the length is changed: smoothstep and linear interpolate between samples, sinc resamples."
  )
  var method: ScalingMethod.Kind = .smoothstep

  @Option(help: "Quality of sinc: fast, high or best.")
  var quality: ScalingQuality = .high

  /// What was asked for.
  var value: ScalingMethod {
    switch method {
    case .smoothstep: .smoothstep
    case .linear: .linear
    case .sinc: .sinc(quality: quality)
    case .stretch: .stretch(StretchSettings(quality: quality))
    }
  }
}

extension ScalingMethod.Kind: ExpressibleByArgument {}
extension ScalingQuality: ExpressibleByArgument {}
