import FoundationEssentials

/// A JSON Lines file of labelled cases.
enum LabelledFile {
  /// The rows of a file, each with its line, counted from 1. Blank lines are passed over.
  ///
  /// - Parameters:
  ///   - path: of the file.
  ///   - type: what a row decodes to.
  ///   - expected: what a row is, in words, for the error: "a sentence with target, start, end and labels".
  /// - Returns: the rows in their order.
  /// - Throws: ``EvaluationError`` naming file, line and, where one field is at fault, that field.
  static func rows<Row: Decodable>(
    _ path: String, as type: Row.Type, expected: String
  ) throws(EvaluationError) -> [(line: Int, value: Row)] {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw EvaluationError(file: path, line: nil, problem: "can't be read")
    }
    guard String(validating: data, as: UTF8.self) != nil else {
      throw EvaluationError(file: path, line: nil, problem: "is not UTF-8")
    }
    let decoder = JSONDecoder()
    var rows: [(line: Int, value: Row)] = []
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0d || $0 == 0x09 }) {
      do {
        rows.append((index + 1, try decoder.decode(Row.self, from: Data(line))))
      } catch let error as DecodingError {
        throw EvaluationError(file: path, line: index + 1, problem: "is not \(expected)\(field(error))")
      } catch {
        throw EvaluationError(file: path, line: index + 1, problem: "is not \(expected)")
      }
    }
    return rows
  }

  /// Which field is missing or of the wrong kind, as `: 'labels.urgency' is missing`; never what stands in it.
  private static func field(_ error: DecodingError) -> String {
    func name(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
    switch error {
    case .keyNotFound(let key, let context): return ": '\(name(context.codingPath + [key]))' is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return context.codingPath.isEmpty ? "" : ": '\(name(context.codingPath))' is of the wrong kind"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty ? "" : ": '\(name(context.codingPath))' is not among the words it may be"
    @unknown default: return ""
    }
  }
}
