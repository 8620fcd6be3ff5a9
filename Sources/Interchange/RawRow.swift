import Clinical

/// Where a row came from, and how to read it again: what all rows of a file share.
public struct RowOrigin: Hashable, Sendable {
  public var kind: ImportKind
  public var format: ImportFormat
  /// Of a table: the byte between cells.
  var delimiter: UInt8?
  /// Of a table: its head line.
  var columns: [String] = []
  /// The order of day and month under which the row was read; nil where none was needed or known.
  var dateOrder: DateOrder?
  /// The source that the row's ids belong to, where the file says so.
  public var source: String?
  /// Of another program's table: how its columns are read.
  var table: MappedTable?

  init(kind: ImportKind, format: ImportFormat, delimiter: UInt8? = nil, columns: [String] = []) {
    self.kind = kind
    self.format = format
    self.delimiter = delimiter
    self.columns = columns
  }
}

/// What one field of a row lost: it could not be read, and the row was kept without it.
public struct FieldLoss: Hashable, Sendable {
  public let field: String
  /// As in ``ImportReject/value``.
  public let value: String?
  public let reason: String
  public let hint: String
  /// Whether it is one only where the row makes a new record: one that is on file keeps what it has.
  public let isOnlyOfNew: Bool

  public init(field: String, value: String?, reason: String, hint: String, isOnlyOfNew: Bool = false) {
    self.field = field
    self.value = value
    self.reason = reason
    self.hint = hint
    self.isOnlyOfNew = isOnlyOfNew
  }
}

/// The cell that a file ends in without a line's end: there may have been more of it.
public struct LastCell: Hashable, Sendable {
  public let field: String
  /// As it stands in the file.
  public let text: String
}

/// A row as its file spells it, for the rejects file, and what had to be left out of the record made of it.
public struct RawRow: Hashable, Sendable {
  /// In UTF-8, whatever the file is in; empty where the row was too long to keep.
  public let bytes: [UInt8]
  public let origin: RowOrigin?
  /// The id that was made for a row without one, so that it keeps it when it is mended elsewhere.
  public var id: String?
  /// Fields that could not be read, each with why; the record has nothing in their place.
  public var losses: [FieldLoss]
  /// Of the last row of a table that ends without a line's end.
  public var lastCell: LastCell?
  /// Whether it is a rejects file's row of a record that is on file, of which it states no more than it lost.
  public var isOfKept = false
  /// The id for which the row was rejected because another record has it.
  public var takenID: String?
  /// What it says beside its record.
  public var additions: RowAdditions?

  public init(_ bytes: [UInt8] = [], origin: RowOrigin? = nil, id: String? = nil, losses: [FieldLoss] = []) {
    self.bytes = bytes
    self.origin = origin
    self.id = id
    self.losses = losses
  }
}

/// What is learned about a row while it is read, beside its record.
final class RowReport {
  var losses: [FieldLoss] = []
  var derivedID: String?

  func lose(_ error: FieldError, onlyIfNew: Bool = false) {
    losses.append(
      FieldLoss(
        field: error.field, value: error.value, reason: error.reason, hint: error.hint, isOnlyOfNew: onlyIfNew))
  }
}

extension Row {
  /// The row with what was learned of it, to be kept where it, or a field of it, is rejected.
  ///
  /// An appointment without an id gets one there: the one it was imported under, or one after its file, place and content,
  /// since an id that counts its neighbours means another row where these are missing. Notes and intakes need none: they are
  /// known by what they say.
  func raw(_ bytes: [UInt8], origin: RowOrigin, at location: SourceLocation) -> RawRow {
    var id = report.derivedID
    if id == nil, values["id"] == nil, origin.kind == .appointments {
      let name = location.file.split(separator: "/").last.map(String.init) ?? location.file
      id = "\(origin.format.rawValue):\(name):\(location.line):\(String(FNV1a.hash(bytes), radix: 36))"
    }
    return RawRow(bytes, origin: origin, id: id, losses: report.losses)
  }

  /// What a field says that a row can do without: one that can't be read is reported, and nil.
  func optional<Value>(_ read: @autoclosure () throws(FieldError) -> Value?) -> Value? {
    do throws(FieldError) {
      return try read()
    } catch {
      report.lose(error)
      return nil
    }
  }
}
