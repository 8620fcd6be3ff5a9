/// A decomposition that LAPACK could not carry out.
///
/// Wrong shapes are mistakes of the caller and trap; this error is about the numbers themselves.
public struct LinearAlgebraError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Equatable, Sendable {
    /// The iteration did not converge, which infinite or undefined entries also cause.
    case noConvergence
    /// LAPACK refused an argument: an entry that is not a number, or a shape beyond 32-bit indices.
    case refusedArgument
    /// OpenBLAS, which LAPACK comes with, can't be loaded.
    case libraryMissing
  }

  public let code: Code
  /// The LAPACK routine, such as `sgesdd`.
  public let routine: String
  /// LAPACK's `info`: negative names the refused argument, positive counts what did not converge.
  public let info: Int32

  public init(code: Code, routine: String, info: Int32) {
    self.code = code
    self.routine = routine
    self.info = info
  }

  public var description: String {
    switch code {
    case .noConvergence: "\(routine) did not converge (info \(info))"
    case .libraryMissing: "\(routine) needs OpenBLAS, and libopenblas.so.0 can't be loaded"
    case .refusedArgument: "\(routine) refused argument \(-info)"
    }
  }

  /// The one place where LAPACK's `info` becomes an error.
  static func check(_ info: Int32, _ routine: String) throws(LinearAlgebraError) {
    if info < 0 { throw LinearAlgebraError(code: .refusedArgument, routine: routine, info: info) }
    if info > 0 { throw LinearAlgebraError(code: .noConvergence, routine: routine, info: info) }
  }
}
