/// Tells from a file's first rows what they are.
struct KindRecognizer {
  let vocabulary: ImportVocabulary

  /// - Returns: the kind, nil when the rows are of none; and whether the file has no rows at all.
  func kind(ofFile path: String, format: ImportFormat) throws(InterchangeError) -> (kind: ImportKind?, isEmpty: Bool) {
    let lines = try LineReader(path: path, maximumLength: 1 << 20, bufferSize: 1 << 14)
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
