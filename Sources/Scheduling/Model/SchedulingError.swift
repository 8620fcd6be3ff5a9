/// Data from which no schedule can be made: which field, which value, and what is wrong with it.
///
/// A day without room for everybody is not an error: jobs stay unplaced then.
public struct SchedulingError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// The text is not JSON, or a key is missing or of the wrong type.
    case unreadable
    /// The `schema` is not the one this version reads.
    case unknownSchema
    /// A value lies outside its range, or points to something that isn't there.
    case invalidValue
    /// What is fixed beforehand, pins and breaks, can't hold together.
    case infeasible
  }

  public let code: Code
  /// The path to the value, such as `jobs[3].cand[0].slots`.
  public let field: String
  /// The value as it was found.
  public let value: String
  /// What would have been right.
  public let problem: String

  public init(_ code: Code, field: String, value: String, problem: String) {
    self.code = code
    self.field = field
    self.value = value
    self.problem = problem
  }

  public var description: String { "\(field) = \(value): \(problem)" }
}
