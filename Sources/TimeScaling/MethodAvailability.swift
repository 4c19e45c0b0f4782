extension ScalingMethod.Kind {
  /// How to get the method into the program; `nil` where it is there.
  public var remedy: String? {
    #if RubberBand
      return nil
    #else
      guard self == .stretch else { return nil }
      return
        "build with the package trait RubberBand, which is on by default and needs librubberband, or "
        + "choose --method sinc, which moves the pitch too"
    #endif
  }
}
