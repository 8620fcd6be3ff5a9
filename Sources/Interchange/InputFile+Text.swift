extension InputFile {
  /// How the file is encoded, by all of its bytes.
  ///
  /// - Throws: ``InterchangeError`` with `undecidable` for bytes without a meaning.
  public func encoding() throws(InterchangeError) -> TextEncoding {
    switch try EncodingSurvey.survey(self, declared: nil) {
    case .encoding(let encoding): return encoding
    case .undecidable(let line, let column, let reason):
      throw InterchangeError(.undecidable, path: "\(path):\(line)", hint: "column \(column): \(reason)")
    }
  }

  /// Whether the first line that isn't blank is a JSON object with a text under `key`. No other line is read.
  public func beginsWithObject(holding key: String, encoding: TextEncoding) throws(InterchangeError) -> Bool {
    let lines = LineReader(self, encoding: encoding, maximumLength: 8 << 20, bufferSize: 1 << 16)
    while case .line(let line)? = try lines.next() {
      guard let first = line.bytes.first(where: { !isJSONSpace($0) }) else { continue }
      guard first == UInt8(ascii: "{"), let object = try? parseJSONObject(line.bytes).values, case .text = object[key]
      else {
        return false
      }
      return true
    }
    return false
  }

  /// The whole text; nil when the file has more than `limit` bytes.
  public func text(limit: Int, encoding: TextEncoding) throws(InterchangeError) -> String? {
    guard let bytes = try WholeFile(file: self, encoding: encoding).contents(upTo: limit) else { return nil }
    return String(decoding: bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...], as: UTF8.self)
  }
}
