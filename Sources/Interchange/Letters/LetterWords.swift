public import Clinical

/// What words of a letter say who wrote it, when, and of whom: `Models/import/letter-words.tsv`.
public struct LetterWords: Sendable {
  enum List: String, CaseIterable {
    case closing, written, birth, about, signer, qualification, quoted, month
    case otherDay = "other_day"
  }

  private var lists: [List: Set<String>] = [:]
  private var months: [String: Int] = [:]

  /// - Throws: ``DataTableError`` for an unknown list, and for a month without its number.
  public init(_ table: DataTable) throws(DataTableError) {
    for row in table.rows {
      guard let list = List(rawValue: row["list"]) else { throw row.error("list", "is no list of words") }
      let words = row.list("words").map(Self.folded)
      lists[list, default: []].formUnion(words)
      guard list == .month else { continue }
      guard let number = Int(row["id"].split(separator: ".").last ?? ""), (1...12).contains(number) else {
        throw row.error("id", "ends in no month's number")
      }
      for word in words { months[word] = number }
    }
  }

  /// Lower case, without full stops, colons and commas, single spaces.
  static func folded(_ text: some StringProtocol) -> String {
    text.lowercased().map { ".:,;!".contains($0) ? " " : String($0) }.joined().split(separator: " ")
      .joined(separator: " ")
  }

  func has(_ text: some StringProtocol, _ list: List) -> Bool { lists[list]?.contains(Self.folded(text)) ?? false }

  /// The words of a list that a line begins with, as long as possible; nil for none.
  func beginning(of line: some StringProtocol, _ list: List) -> String? {
    let words = Self.folded(line).split(separator: " ").map(String.init)
    for count in stride(from: min(5, words.count), through: 1, by: -1) {
      let begin = words.prefix(count).joined(separator: " ")
      if lists[list]?.contains(begin) == true { return begin }
    }
    return nil
  }

  func month(_ word: some StringProtocol) -> Int? { months[Self.folded(word)] }
}
