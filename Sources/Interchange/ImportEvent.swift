public import Clinical

/// Where a row begins: the file as the caller named it, and the line from 1.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  public let file: String
  public let line: Int
  /// Of FHIR, the resource, such as `Patient/P1`.
  public let resource: String?

  public init(file: String, line: Int, resource: String? = nil) {
    self.file = file
    self.line = line
    self.resource = resource
  }

  /// `notes.jsonl:12`, `bundle.json:40 Patient/P1`
  public var description: String { "\(file):\(line)" + (resource.map { " \($0)" } ?? "") }
}

/// What an import meets on its way through the files.
public enum ImportEvent: Hashable, Sendable {
  /// A sound row, perhaps without some of its fields: `raw` names these. It is also the row as the file spells it, for a
  /// reject that only the practice file can pronounce; `stated` are the fields that the row speaks of.
  case record(ImportRecord, at: SourceLocation, raw: RawRow, stated: StatedFields)
  /// A row that lacks what a new record needs, and yet can change one that is on file; without that one it is a reject.
  case amendment(ImportRecord, raw: RawRow, stated: StatedFields, otherwise: ImportReject)
  case reject(ImportReject)
  /// Something about a whole file.
  case problem(ImportFileProblem)

  /// The event with an id for its row, should that have none of its own; see ``RawRow/id``.
  func with(id: String?) -> ImportEvent { editing { $0.id = id } }

  /// The event with something else known of its row.
  func editing(_ edit: (inout RawRow) -> Void) -> ImportEvent {
    switch self {
    case .record(let record, let location, var raw, let stated):
      edit(&raw)
      return .record(record, at: location, raw: raw, stated: stated)
    case .amendment(let record, var raw, let stated, let reject):
      edit(&raw)
      return .amendment(record, raw: raw, stated: stated, otherwise: reject.with(raw: raw))
    case .reject(let reject):
      var raw = reject.raw
      edit(&raw)
      return .reject(reject.with(raw: raw))
    case .problem: return self
    }
  }
}

/// A row that was not imported, or a field of it, and why. Neither ``reason`` nor ``hint`` nor ``value`` ever holds a note's text, a name
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
  /// The row as the file spells it; empty where it was too long to keep.
  public let raw: RawRow

  public init(
    at location: SourceLocation, field: String? = nil, value: String? = nil, reason: String, hint: String,
    raw: RawRow = RawRow()
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
    /// Its bytes are not what they should be: nothing of it was imported.
    case undecidable
    /// Its dates can't all be read in one order: nothing of it was imported.
    case disprovedOrder
    /// It is in another encoding than UTF-8.
    case encoding
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
    case .empty, .unreadable, .wrongFormat, .undecidable, .disprovedOrder: true
    case .noRows, .leftOut, .encoding, .unknownField, .unknownWord, .derivedIDs, .yearAlone: false
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
    "\(location): \(complaint)\(hint.isEmpty ? "" : "; \(hint)")"
  }

  /// Field, value and reason: `kind 'CONS' is unknown: consult?`.
  public var complaint: String {
    let shown = value.map { $0.hasPrefix("(") ? $0 : "'\($0)'" }
    return ([field, shown].compactMap { $0 } + [reason]).joined(separator: " ")
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror { Mirror(self, children: ["location": location.description, "reason": reason]) }
}

extension ImportReject {
  fileprivate func with(raw: RawRow) -> ImportReject {
    ImportReject(at: location, field: field, value: value, reason: reason, hint: hint, raw: raw)
  }
}
