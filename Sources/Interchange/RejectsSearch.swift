import Clinical

/// Finds the rows of a rejects file that are about somebody, and takes them out.
public struct RejectsSearch: Sendable {
  /// Ids and numbers that nobody else has.
  private let ids: Set<String>
  /// Names that nobody else has, folded.
  private let names: Set<String>

  public init(ids: Set<String>, names: Set<String>) {
    self.ids = ids
    self.names = Set(names.map(Self.folded))
  }

  /// How many rows of a file are about them.
  ///
  /// - Complexity: reads the file once, in the memory of one line.
  public func count(in path: String) throws(InterchangeError) -> Int {
    var count = 0
    let lines = try reader(path)
    while let item = try lines.next() { if isAbout(item) { count += 1 } }
    return count
  }

  /// Writes a file anew without these rows; one that has no others is deleted.
  ///
  /// - Returns: how many there were.
  public func erase(in path: String) throws(InterchangeError) -> Int {
    guard try count(in: path) > 0 else { return 0 }
    let partial = path + ".partial"
    var erased = 0
    var kept = 0
    do {
      let file = try OutputFile(path: partial)
      let lines = try reader(path)
      while let item = try lines.next() {
        guard !isAbout(item), case .line(let line) = item else {
          erased += 1
          continue
        }
        try file.write(line: line.bytes)
        kept += 1
      }
      try file.flush()
    }
    guard kept > 0 ? OutputFile.replace(path, by: partial) : OutputFile.remove([path, partial]) else {
      throw InterchangeError(.writeFailed, path: path)
    }
    return erased
  }

  /// As long as rows may be, with escapes and the reason beside them.
  private static let maximumLineLength = (16 << 20) + (1 << 16)

  private func reader(_ path: String) throws(InterchangeError) -> LineReader {
    try LineReader(path: path, maximumLength: Self.maximumLineLength)
  }

  /// A line too long to be looked at may be about anybody.
  private func isAbout(_ item: LineReader.Item) -> Bool {
    guard case .line(let line) = item else { return true }
    guard let values = try? parseJSONObject(line.bytes).values else { return false }
    return ["id", "taken_id"].contains { isID(values[$0], under: "id") }
      || values["row"].map { isAbout($0, under: "") } ?? false
  }

  private func isAbout(_ value: FieldValue, under key: String) -> Bool {
    switch value {
    case .object(let object): return object.contains { isAbout($0.value, under: $0.key) }
    case .list(let list): return list.contains { isAbout($0, under: key) }
    case .truth: return false
    case .cell(let text), .text(let text):
      if key.isEmpty { return words(of: text).contains { isAboutWord($0) } || namesStand(in: text) }
      return isID(value, under: key) || names.contains(Self.folded(text))
    case .number: return isID(value, under: key)
    }
  }

  /// A row that could not be taken apart has cells without keys.
  private func words(of text: String) -> [String] {
    text.split { ",;\t|\"'\r\n{}[] ".contains($0) }.map(String.init)
  }

  private func isAboutWord(_ word: String) -> Bool { ids.contains(word) && !isPlainNumber(word) }

  private func namesStand(in text: String) -> Bool {
    let cells = text.split { ",;\t|\"\r\n{}[]:".contains($0) }.map { Self.folded(String($0)) }
    return cells.contains(where: names.contains)
  }

  private func isID(_ value: FieldValue?, under key: String) -> Bool {
    guard let text = value?.cellText?.trimmingSpaces(), ids.contains(text) else { return false }
    // A weight may be the same number as an id.
    guard isPlainNumber(text) else { return true }
    let key = key.lowercased()
    return ["id", "patient", "client", "owner", "chip", "number", "no", "nr", "ref", "pet", "animal"]
      .contains { key.contains($0) }
  }

  private func isPlainNumber(_ text: String) -> Bool {
    text.utf8.count < 9 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
  }

  private static func folded(_ text: String) -> String { text.trimmingSpaces().lowercased() }
}
