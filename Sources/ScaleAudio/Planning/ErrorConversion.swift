extension ConversionError {
  /// Runs work on files; its errors become errors of the conversion.
  static func files<Result: ~Copyable>(
    _ work: @autoclosure () throws(AudioFileError) -> Result
  ) throws(ConversionError) -> Result {
    do throws(AudioFileError) {
      return try work()
    } catch {
      throw .file(error)
    }
  }

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
