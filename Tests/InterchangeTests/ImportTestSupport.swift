import Clinical
import Foundation
import Interchange
import VetNetTestSupport

/// A folder of its own for one test, gone with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "vetnet-interchange-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String { try write(name, Array(text.utf8)) }
}

let shippedVocabulary = Result {
  try ImportVocabulary(
    headers: try modelTable("import/header-aliases.tsv", uniqueKey: "id"),
    values: try modelTable("import/value-aliases.tsv", uniqueKey: "id"))
}

func importOptions(
  zone: String = "Europe/London", dateOrder: DateOrder? = nil, encoding: TextEncoding? = nil,
  today: CalendarDate? = nil, maximumLineLength: Int = 8 << 20
) throws -> ImportOptions {
  ImportOptions(
    timeZone: PracticeTimeZone(identifier: zone) ?? .utc, dateOrder: dateOrder, encoding: encoding, today: today,
    vocabulary: try shippedVocabulary.get(), maximumLineLength: maximumLineLength)
}

/// Everything an import said, by kind of event.
struct ImportResult {
  var records: [ImportRecord] = []
  var lines: [Int] = []
  /// Of rows that were kept.
  var losses: [FieldLoss] = []
  var stated: [StatedFields] = []
  var amendments: [(record: ImportRecord, stated: StatedFields)] = []
  var rejects: [ImportReject] = []
  var problems: [ImportFileProblem] = []

  init(_ reader: ImportReader) throws {
    while let event = try reader.next() {
      switch event {
      case .record(let record, let location, let raw, let fields):
        losses += raw.losses
        records.append(record)
        lines.append(location.line)
        stated.append(fields)
      case .amendment(let record, _, let fields, let reject):
        amendments.append((record, fields))
        rejects.append(reject)
      case .reject(let reject): rejects.append(reject)
      case .problem(let problem): problems.append(problem)
      }
    }
  }

  /// Reads one file of the given name and contents.
  init(_ name: String, _ contents: [UInt8], kind: ImportKind? = nil, options: ImportOptions? = nil) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(name, contents)
    try self.init(try ImportReader([path], kind: kind, options: try options ?? importOptions()))
  }

  init(_ name: String, _ contents: String, kind: ImportKind? = nil, options: ImportOptions? = nil) throws {
    try self.init(name, Array(contents.utf8), kind: kind, options: options)
  }

  var notes: [ClinicalNote] {
    records.compactMap { record in
      if case .note(let note, _) = record { note } else { nil }
    }
  }

  var patients: [Patient] {
    records.compactMap { record in
      if case .patient(let patient) = record { patient } else { nil }
    }
  }

  var appointments: [Appointment] {
    records.compactMap { record in
      if case .appointment(let appointment, _) = record { appointment } else { nil }
    }
  }
}

/// Seconds of a UTC reading such as `2024-03-05T10:40Z`.
func utc(_ text: String) -> Timestamp? {
  ISODateTime(text).map { PracticeTimeZone.utc.timestamp(of: $0) }
}
