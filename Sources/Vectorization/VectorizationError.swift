/// A projection or a model file that can't be used.
public struct VectorizationError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Equatable, Sendable {
    /// The file doesn't begin like a model file.
    case notAModelFile
    /// The file was written by a newer VetNet.
    case unsupportedVersion
    /// The file ends too early, or goes on after its end.
    case wrongLength
    case malformedHeader
    /// The content isn't what the checksum was computed from.
    case checksumMismatch
    /// A row's length isn't the model's rank.
    case wrongRank
    /// Not even a model without rows fits the size asked for.
    case sizeLimitTooSmall
  }

  public let code: Code
  /// Names and numbers; never text of a note.
  public let context: String

  public init(_ code: Code, _ context: String) {
    self.code = code
    self.context = context
  }

  public var description: String { context }

  static func wrongRank(_ rank: Int, expected: Int, bucket: UInt32?) -> VectorizationError {
    let place = bucket.map { " of bucket \($0)" } ?? ""
    return VectorizationError(.wrongRank, "a projection row\(place) has \(rank) numbers, the model \(expected)")
  }
}
