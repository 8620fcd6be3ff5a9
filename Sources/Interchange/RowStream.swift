/// One file on its way to events.
protocol RowStream: AnyObject {
  /// The next event, nil at the end of the file.
  func next() throws(InterchangeError) -> ImportEvent?
  var bytesRead: Int64 { get }
  /// The source that the last row's ids belong to, where the file says so.
  var sourceName: String? { get }
}

extension RowStream {
  var sourceName: String? { nil }
}

/// What the streams of one import share.
struct StreamContext {
  let options: ImportOptions
  let derivedIDs: DerivedIdentifiers
  /// What the FHIR files among them hold together.
  var fhir: FHIRLibrary?
}

extension ImportReject {
  init(_ error: FieldError, at location: SourceLocation, raw: RawRow) {
    self.init(
      at: location, field: error.field, value: error.value, reason: error.reason, hint: error.hint, raw: raw)
  }

  static func invalidUTF8(
    at location: SourceLocation, line: Int, offset: Int, raw: RawRow
  ) -> ImportReject {
    ImportReject(
      at: location, reason: "not UTF-8 at byte \(offset + 1) of line \(line)",
      hint: "save the file as UTF-8 and import it again", raw: raw)
  }

  static func tooLong(at location: SourceLocation, length: Int, maximum: Int) -> ImportReject {
    ImportReject(
      at: location, reason: "the line has \(length) bytes, at most \(maximum) are read",
      hint: "look for a missing line break; the row is not kept in the rejects file")
  }
}
