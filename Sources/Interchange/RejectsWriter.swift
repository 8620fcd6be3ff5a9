import FoundationEssentials

/// Keeps rejected rows so that they can be mended and imported again: JSON Lines of
/// `{"file","line","field","reason","hint","row"}`, in a file that only its owner may read.
///
/// The file comes into being with the first reject; an import without rejects leaves none. A row that isn't UTF-8 is
/// kept as `row_base64`.
public final class RejectsWriter {
  public let path: String
  /// How many rejects were written.
  public private(set) var count = 0
  private var file: OutputFile?

  public init(path: String) {
    self.path = path
  }

  /// - Throws: ``InterchangeError`` when the file can't be created or written.
  public func write(_ reject: ImportReject) throws(InterchangeError) {
    if file == nil { file = try OutputFile(path: path) }
    try file?.write(line: Self.line(for: reject))
    count += 1
  }

  /// Writes out what is still held in memory; call it when the import is over.
  ///
  /// - Throws: ``InterchangeError`` when the system fails to write.
  public func finish() throws(InterchangeError) {
    try file?.flush()
  }

  static func line(for reject: ImportReject) -> [UInt8] {
    var json = JSONText()
    json.object { json in
      json.pair("file", reject.location.file)
      json.pair("line", Double(reject.location.line))
      json.key("field")
      if let field = reject.field { json.text(field) } else { json.null() }
      json.pair("reason", reject.reason)
      json.pair("hint", reject.hint)
      if reject.raw.isEmpty {
        json.key("row")
        json.null()
      } else if firstInvalidUTF8Offset(in: reject.raw) == nil {
        json.pair("row", String(decoding: reject.raw, as: UTF8.self))
      } else {
        json.pair("row_base64", Data(reject.raw).base64EncodedString())
      }
    }
    return json.bytes
  }
}
