/// Tells from a file's first rows what they are.
struct KindRecognizer {
  let vocabulary: ImportVocabulary

  /// - Returns: the kind, nil when the rows are of none; and whether the file has no rows at all.
  func kind(ofFile path: String, format: ImportFormat) throws(InterchangeError) -> (kind: ImportKind?, isEmpty: Bool) {
    let file = try InputFile(path)
    let encoding = TextEncoding.announced(by: try file.start(count: 1 << 12)) ?? .utf8
    let lines = LineReader(file, encoding: encoding, maximumLength: 1 << 20, bufferSize: 1 << 14)
    var sawLine = false
    var looked = 0
    while looked < 5, let item = try lines.next() {
      guard case .line(let line) = item else {
        sawLine = true
        looked += 1
        continue
      }
      if line.bytes.allSatisfy(isJSONSpace) { continue }
      sawLine = true
      looked += 1
      switch format {
      case .text: return (.notes, false)
      case .calendar: return (.appointments, false)
      case .fhir: return (nil, false)
      case .rejects: return (RejectsLine.kind(of: line.bytes), false)
      case .csv:
        if CSVHeader.declaredDelimiter(line.bytes) != nil { continue }
        return (kind(ofHeader: line.bytes), false)
      case .jsonLines:
        guard firstInvalidUTF8Offset(in: line.bytes) == nil, let object = try? parseJSONObject(line.bytes).values else {
          continue
        }
        if let kind = kind(ofKeys: Set(object.keys)) { return (kind, false) }
      }
    }
    return (nil, !sawLine)
  }

  /// The format of standard input, which has no name to say it: told by the first line that isn't blank.
  func format(
    of file: InputFile, encoding: TextEncoding, kind: ImportKind
  ) throws(InterchangeError) -> ImportFormat {
    let lines = LineReader(file, encoding: encoding, maximumLength: 32 << 20, bufferSize: 1 << 14)
    while case .line(let line)? = try lines.next() {
      guard let first = line.bytes.first(where: { !isJSONSpace($0) }) else { continue }
      if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
        return RejectsLine.isOne(line.bytes) ? .rejects : .jsonLines
      }
      if kind == .notes, FrontMatter.begins(line.bytes + [0x0A]) { return .text }
      if kind == .appointments, line.bytes.starts(with: Array("BEGIN:VCALENDAR".utf8)) { return .calendar }
      if CSVHeader.declaredDelimiter(line.bytes) != nil { return .csv }
      return CSVHeader(line: line.bytes, kind: kind, vocabulary: vocabulary).suits(kind) ? .csv : .jsonLines
    }
    return .jsonLines
  }

  /// Whether the first row of JSON Lines is one that an import rejected.
  func isRejectsFile(_ path: String) throws(InterchangeError) -> Bool {
    let lines = try LineReader(path: path, maximumLength: 32 << 20, bufferSize: 1 << 14)
    guard case .line(let line)? = try lines.next(), firstInvalidUTF8Offset(in: line.bytes) == nil else { return false }
    return RejectsLine.isOne(line.bytes)
  }

  /// The kind whose fields the keys are, for the better part; of several the one with the most keys in common.
  func kind(ofKeys keys: Set<String>) -> ImportKind? {
    best { kind in
      let known = Set(kind.fields + kind.extraFields).intersection(keys)
      let isTold = kind.telltales.allSatisfy { !known.isDisjoint(with: $0) }
      return isTold && known.count * 2 >= keys.count ? known.count : nil
    }
  }

  /// The same of a table's head line, whatever its delimiter.
  func kind(ofHeader line: [UInt8]) -> ImportKind? {
    best { kind in
      let header = CSVHeader(line: line, kind: kind, vocabulary: vocabulary)
      let known = header.fields.count { $0 != nil }
      return header.suits(kind) && known * 2 >= header.names.count ? known : nil
    }
  }

  private func best(_ score: (ImportKind) -> Int?) -> ImportKind? {
    var best: (kind: ImportKind, score: Int)?
    for kind in ImportKind.allCases {
      if let value = score(kind), value > best?.score ?? -1 { best = (kind, value) }
    }
    return best?.kind
  }
}
