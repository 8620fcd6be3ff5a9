import Interchange

/// What somebody hands to triage: one case in words, or many as JSON Lines, told apart by the first line alone.
public struct IntakeFile {
  let file: InputFile
  private let encoding: TextEncoding

  /// - Parameter path: `-` for standard input, which is kept in a nameless temporary file, so that it may have any length.
  /// - Throws: ``PracticeError`` for a file that can't be read or decoded.
  public init(_ path: String) throws {
    do throws(InterchangeError) {
      file = try InputFile(path)
      encoding = try file.encoding()
    } catch {
      throw PracticeError(.failed, error.description)
    }
  }

  /// Whether the first line that isn't blank is an object with a text.
  public func holdsLines() throws -> Bool {
    try reporting { try file.beginsWithObject(holding: "text", encoding: encoding) }
  }

  /// All of it; nil when it has more than `limit` bytes.
  public func text(limit: Int) throws -> String? { try reporting { try file.text(limit: limit, encoding: encoding) } }

  private func reporting<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as InterchangeError {
      throw PracticeError(.failed, error.description)
    }
  }
}
