import Clinical
import FoundationEssentials
import VetNet

/// A practice file of its own with the clients and patients of a labelled set, which goes when the suite ends.
struct ScratchPractice {
  let practice: Practice
  private let scratch: ScratchFolder

  /// - Parameters:
  ///   - labelled: path of the labelled texts, beside `patients.jsonl` and `clients.jsonl`.
  ///   - models: what the shipped program works with.
  ///   - now: when the records are taken in.
  /// - Throws: ``EvaluationError`` for records that can't be used.
  init(besides labelled: String, models: ModelDirectory, now: Timestamp) throws {
    let parts = labelled.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let folder = parts.isEmpty ? "." : parts.joined(separator: "/")
    scratch = try ScratchFolder()
    let file = scratch.file("records.vetnet")
    try Practice.create(at: file, name: nil, timeZone: .utc, now: now)
    practice = try Practice.open(at: file, models: models, access: .write)
    let summary = try practice.exchange.importFiles(
      ["clients", "patients"].map { "\(folder)/\($0).jsonl" },
      options: ImportOptions(rejectsPath: scratch.file("rejects.jsonl")), now: now, progress: { _ in },
      message: { _ in })
    guard summary.isComplete else {
      throw EvaluationError(file: folder, line: nil, problem: "has records that can't be imported")
    }
  }

  /// Reads a text as the file that it came as.
  ///
  /// - Parameters:
  ///   - id: names the file.
  ///   - ending: the file's, such as `txt`.
  ///   - text: what stands in it.
  ///   - now: when it is read.
  /// - Returns: what was read from it.
  /// - Throws: ``EvaluationError`` naming the case that can't be read.
  func letter(_ id: String, ending: String, text: String, at now: Timestamp) throws -> LetterReading {
    let path = scratch.file("\(id).\(ending)")
    try Data(text.utf8).write(to: URL(filePath: path))
    let readings = try practice.perform(ReadLetters(paths: [path]), by: .local, at: now)
    guard let letter = readings.letters.first else {
      throw EvaluationError(file: id, line: nil, problem: readings.unread.first?.reason ?? "can't be read")
    }
    return letter
  }
}
