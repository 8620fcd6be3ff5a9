/// A file of `Models/` that this target can't work with.
public struct AssessmentError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Equatable, Sendable {
    /// The text is no JSON of the protocol's shape.
    case malformed
    /// The shape is right, what stands in it is not.
    case invalid
    /// The protocol builds on one that is not there.
    case unknownBase
  }

  public let code: Code
  public let file: String
  /// The discriminator, question or other entry at fault, by id or place; empty when it is the whole file.
  public let item: String
  public let problem: String
  /// The line of the file on which the item begins, from 1; nil where it isn't known.
  public let line: Int?

  public init(code: Code, file: String, item: String = "", problem: String, line: Int? = nil) {
    self.line = line
    self.code = code
    self.file = file
    self.item = item
    self.problem = problem
  }

  public var description: String {
    "\(file)\(line.map { ", line \($0)" } ?? "")\(item.isEmpty ? "" : ", \(item)"): \(problem)"
  }
}
