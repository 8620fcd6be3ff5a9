import Clinical
import FoundationEssentials
import VetNet

/// The records of a folder of questions, in a practice file of their own that is deleted with this value.
final class QuestionRecords {
  let folder: String
  let practice: Practice
  private let scratch: ScratchFolder

  /// - Parameters:
  ///   - folder: with `patients.jsonl` and `notes.jsonl`.
  ///   - models: what the shipped program works with.
  ///   - zone: of times without an offset.
  ///   - now: when the import happens.
  /// - Throws: ``EvaluationError`` for records that can't be used.
  init(folder: String, models: ModelDirectory, zone: PracticeTimeZone, now: Timestamp) throws {
    self.folder = folder
    scratch = try ScratchFolder()
    let file = scratch.file("questions.vetnet")
    try Practice.create(at: file, name: nil, timeZone: zone, now: now)
    practice = try Practice.open(at: file, models: models, access: .write)
    var problems: [String] = []
    var options = ImportOptions(rejectsPath: scratch.file("rejects.jsonl"))
    options.refusesFuture = false
    let summary = try practice.exchange.importFiles(
      [folder + "/patients.jsonl", folder + "/notes.jsonl"],
      options: options, now: now, progress: { _ in },
      message: { problems.append($0) })
    guard summary.isComplete else {
      throw EvaluationError(file: folder, line: nil, problem: problems.first ?? "has rows that can't be imported")
    }
  }

  /// The moment of asking; a day without a time means its end, as for the command.
  func askedAt(_ item: QuestionCase) throws(EvaluationError) -> Timestamp {
    guard let time = ISODateTime(item.askedAt) else {
      throw EvaluationError(
        file: folder + "/questions.jsonl", line: nil, problem: "'asked_at' of '\(item.id)' is not a date or time")
    }
    let zone = practice.timeZone
    guard let date = CalendarDate(iso: item.askedAt) else { return zone.timestamp(of: time) }
    return Timestamp(seconds: zone.interval(of: date).upperBound.seconds - 1)
  }
}
