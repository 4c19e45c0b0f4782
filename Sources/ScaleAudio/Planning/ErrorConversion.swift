extension ConversionError {
  /// Runs the work of a scaler; its errors become errors of the conversion of `path`.
  static func scaling<Result>(
    _ path: FilePath, _ work: @autoclosure () throws(ScalingError) -> Result
  ) throws(ConversionError) -> Result {
    do throws(ScalingError) {
      return try work()
    } catch {
      throw .cannotScale(path, error)
    }
  }
}
