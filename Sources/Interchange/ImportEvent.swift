public import Clinical

/// Where a row begins: the file as the caller named it, and the line from 1.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  public let file: String
  public let line: Int

  public init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  /// `notes.jsonl:12`
  public var description: String { "\(file):\(line)" }
}

/// What an import meets on its way through the files.
public enum ImportEvent: Hashable, Sendable {
  /// A sound row. `raw` is the row as the file spells it, for a reject that only the practice file can pronounce; `stated`
  /// are the fields that it speaks of.
  case record(ImportRecord, at: SourceLocation, raw: [UInt8], stated: StatedFields)
  /// A row that lacks what a new record needs, and yet can change one that is on file; without that one it is a reject.
  case amendment(ImportRecord, raw: [UInt8], stated: StatedFields, otherwise: ImportReject)
  case reject(ImportReject)
  /// Something about a whole file.
  case problem(ImportFileProblem)
}

/// A row that was not imported, and why. Neither ``reason`` nor ``hint`` nor ``value`` ever holds a note's text, a name
/// or a phone number; ``raw`` does, and belongs in the rejects file only.
public struct ImportReject: Hashable, Sendable {
  public let location: SourceLocation
  /// The key at fault, such as `recorded_at`, or `working_hours[0].start` in the first entry of a list; nil where the
  /// row as a whole is.
  public let field: String?
  /// What the field held, for short ids, dates, numbers and words from a fixed list.
  public let value: String?
  public let reason: String
  /// What to do about it.
  public let hint: String
  /// The row as the file spells it; empty where it was too long to keep or is a file of its own.
  public let raw: [UInt8]

  public init(
    at location: SourceLocation, field: String? = nil, value: String? = nil, reason: String, hint: String,
    raw: [UInt8] = []
  ) {
    self.location = location
    self.field = field
    self.value = value
    self.reason = reason
    self.hint = hint
    self.raw = raw
  }
}

/// Something about a file as a whole: it is empty, can't be opened, or has keys that nobody knows.
public struct ImportFileProblem: Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Hashable, Sendable {
    /// Not a byte, or nothing but white space.
    case empty
    /// A head line without rows below it.
    case noRows
    /// In the folder, but not to be opened or read.
    case unreadable
    /// Not the format that its name promises: a JSON array, UTF-16, columns that say nothing.
    case wrongFormat
    /// In the folder, and left out.
    case leftOut
    /// A key or column that was ignored.
    case unknownField
    /// A word that was understood as "other" or "unknown".
    case unknownWord
    /// Rows without ids got ids derived from patient and time.
    case derivedIDs
    /// A date of which only the year was given.
    case yearAlone
  }

  public let code: Code
  public let file: String
  /// Where it was seen first, where that is a line.
  public let line: Int?
  /// How many rows, or files, it concerns.
  public let count: Int
  public let message: String
  public let hint: String

  public init(_ code: Code, file: String, line: Int? = nil, count: Int = 1, message: String, hint: String = "") {
    self.code = code
    self.file = file
    self.line = line
    self.count = count
    self.message = message
    self.hint = hint
  }

  /// Whether something that should have been imported wasn't, so that the import did not succeed in full.
  public var isFailure: Bool {
    switch code {
    case .empty, .unreadable, .wrongFormat: true
    case .noRows, .leftOut, .unknownField, .unknownWord, .derivedIDs, .yearAlone: false
    }
  }

  /// One line for people, the file first.
  public var description: String {
    "\(file)\(line.map { ":\($0)" } ?? ""): \(message)\(hint.isEmpty ? "" : "; \(hint)")"
  }
}

/// How far an import has come, for a progress bar.
public struct ImportProgress: Hashable, Sendable {
  /// The file being read, as the caller named it; empty before the first.
  public let file: String
  /// From 1; 0 before the first.
  public let fileNumber: Int
  public let fileCount: Int
  public let bytesRead: Int64
  /// Nil for standard input and pipes.
  public let totalBytes: Int64?
  /// Over all files.
  public let overallBytesRead: Int64
  /// Over all files; nil where one of them can't say.
  public let overallTotalBytes: Int64?
}

/// File, line, field, value and reason; never the row itself, whichever way a reject is printed.
extension ImportReject: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    let what = [field, value.map { "'\($0)'" }].compactMap { $0 }.joined(separator: " ")
    return "\(location): \(what.isEmpty ? "" : what + " ")\(reason)\(hint.isEmpty ? "" : "; \(hint)")"
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["location": location.description, "reason": reason]) }
}
