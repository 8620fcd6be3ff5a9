/// Keeps rejected rows, and rows that lost a field, so that they can be mended and imported again: one JSON object a line.
///
///     {"file":"notes.csv","line":7,"field":"recorded_at","reason":"…","hint":"…","kind":"notes","source":"practice",
///      "date_order":"dmy","row_format":"csv","delimiter":",","row":{"Visit date":"31/02/2025",…}}
///
/// Whoever corrects the row imports the file as it is: it says itself what its rows are, whose ids they have and in which
/// order their dates stand. `"kept":true` says that the record is on file, without the field, and under which `id`; of the
/// corrected row nothing but the fields it had lost are read. `taken_id` is an id that another record has.
/// A row of another program's table has its mapping beside it, as `map`.
/// A row that could not be taken apart is a text in place of an object, with the table's `columns`; one that was too long to
/// keep is null. The file is readable by its owner only. It comes into being with the first reject; an import without rejects
/// leaves none.
public final class RejectsWriter {
  public let path: String
  /// How many lines were written.
  public private(set) var count = 0
  private let source: String?
  private var file: OutputFile?

  /// - Parameters:
  ///   - path: of the file to be; one that is there is replaced.
  ///   - source: that the rows' ids belong to.
  public init(path: String, source: String? = nil) {
    self.path = path
    self.source = source
  }

  /// - Parameters:
  ///   - reject: with its row.
  ///   - isKept: whether the row is on file, without what could not be read.
  /// - Throws: ``InterchangeError`` when the file can't be created or written.
  public func write(_ reject: ImportReject, isKept: Bool = false) throws(InterchangeError) {
    if file == nil { file = try OutputFile(path: path) }
    try file?.write(line: RejectsLine.bytes(for: reject, isKept: isKept, source: source))
    count += 1
  }

  /// Writes out what is still held in memory; call it when the import is over.
  ///
  /// - Throws: ``InterchangeError`` when the system fails to write.
  public func finish() throws(InterchangeError) {
    try file?.flush()
  }
}
