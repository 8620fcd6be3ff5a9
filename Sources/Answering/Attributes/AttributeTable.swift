public import Clinical
import TextAnalysis

/// What practices ask of an animal's life and people (insurance, who may consent, what it eats, whom it lives with), and the
/// words in which records state it. Such things are no facts of a kind: a name or a neighbour's word beside them says nothing.
///
/// Data: `Models/briefing/attributes.tsv`, columns `asked` (words of a question that ask for it), `unless` (words of a question
/// beside which it is not meant), `stated` (words of a note that state it), `denied` (words that state the contrary),
/// `hinted` (words that touch on it: a record with these only is not silent, and is left to be searched), `not` (words of a
/// sentence beside which none of them counts), `needs` (`money` or `phone`: what must stand in the sentence too), `closed`
/// (`yes` where records have no other words for it, so that a record without them is silent), `timed` (`yes` where it tells when:
/// when to ring).
public struct AttributeTable: Sendable {
  struct Row: Sendable {
    let id: String
    let asked: WordPhrases
    let unless: WordPhrases
    let wording: Wording
    let isClosed: Bool
    let isTimed: Bool
  }

  /// How notes word a thing.
  struct Wording: Sendable {
    enum Need: String, Sendable { case money, phone }

    enum Statement {
      case contrary
      /// By the words at these bytes.
      case thing(Range<Int>)
    }

    let stated: WordPhrases
    let denied: WordPhrases
    let hinted: WordPhrases
    let excluded: WordPhrases
    let need: Need?

    /// What a sentence states of the thing; nil where it states nothing.
    func statement(in words: [Token], of text: String, _ classes: QuestionClasses) -> Statement? {
      guard excluded.first(in: words) == nil else { return nil }
      if denied.first(in: words) != nil { return .contrary }
      guard let range = stated.first(in: words), need?.isMet(by: words, in: text, classes) ?? true else { return nil }
      return .thing(range)
    }

    /// Whether a sentence touches on it.
    func isHinted(in words: [Token]) -> Bool { hinted.first(in: words) != nil && excluded.first(in: words) == nil }
  }

  let rows: [Row]
  /// What the phrases of all rows may name.
  let slots: PhraseSlots

  /// - Parameters:
  ///   - table: `attributes.tsv`.
  ///   - classes: `extraction/word-classes.tsv`, whose slots the phrases may name.
  /// - Throws: ``DataTableError`` for a need that is not known.
  public init(table: DataTable, classes: DataTable) throws(DataTableError) {
    var rows: [Row] = []
    let slots = WordPhrases.slots(of: classes)
    func phrases(_ row: DataTable.Row, _ column: String) -> WordPhrases { WordPhrases(row, column, slots: slots) }
    for row in table.rows {
      let need = Wording.Need(rawValue: row["needs"])
      guard need != nil || row["needs"].isEmpty else { throw row.error("needs", "is neither money nor phone") }
      guard ["yes", "no"].contains(row["closed"]) else { throw row.error("closed", "is neither yes nor no") }
      guard ["yes", "no"].contains(row["timed"]) else { throw row.error("timed", "is neither yes nor no") }
      rows.append(
        Row(
          id: row["id"], asked: phrases(row, "asked"), unless: phrases(row, "unless"),
          wording: Wording(
            stated: phrases(row, "stated"), denied: phrases(row, "denied"), hinted: phrases(row, "hinted"),
            excluded: phrases(row, "not"), need: need),
          isClosed: row["closed"] == "yes", isTimed: row["timed"] == "yes"))
    }
    self.rows = rows
    self.slots = slots
  }

  /// The rows that a question asks for, with the words that ask, in the table's order.
  func rows(askedIn question: String) -> [(row: Row, words: Range<Int>)] {
    let words = WordPhrases.words(in: question, range: nil)
    return rows.compactMap { row in
      guard let range = row.asked.first(in: words), row.unless.first(in: words) == nil else { return nil }
      return (row, range)
    }
  }
}

extension AttributeTable.Wording.Need {
  /// Whether the words of a sentence hold it.
  func isMet(by words: [Token], in text: String, _ classes: QuestionClasses) -> Bool {
    switch self {
    case .money:
      text.contains { "£$€".contains($0) }
        || words.indices.contains { index in
          guard let number = Int(words[index].text.filter(\.isNumber)), number >= Self.leastSum else { return false }
          return words[index].text.allSatisfy { $0.isNumber || $0 == "," || $0 == "." }
        } || words.contains { classes.isOne($0.text, of: .currency) }
    case .phone: Self.longestRunOfDigits(in: Self.withoutDates(text)) >= Self.phoneDigits
    }
  }

  /// Sums that owners set are no smaller; doses and days are.
  private static let leastSum = 50
  private static let phoneDigits = 9

  /// Without words such as "05-06-2024" and "10:30".
  private static func withoutDates(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).filter { word in
      let parts = word.split(whereSeparator: { "-/.".contains($0) })
      let isDate =
        parts.count == 3 && parts.allSatisfy { $0.prefix(4).allSatisfy(\.isNumber) && $0.count <= 5 }
        && parts[0].count + parts[1].count + parts[2].count <= 9 && (parts[0].count <= 2 || parts[1].count <= 2)
      return !isDate && !word.contains(":")
    }.joined(separator: " ")
  }

  /// Digits of a number that begins as telephone numbers do, spaces within it left out.
  private static func longestRunOfDigits(in text: String) -> Int {
    var (best, run) = (0, 0)
    var isNumber = false
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39:
        if run == 0 { isNumber = byte == 0x30 || isNumber }
        run += 1
        if isNumber { best = max(best, run) }
      case UInt8(ascii: "+"): (run, isNumber) = (0, true)
      case 0x20, UInt8(ascii: "-"), UInt8(ascii: "("), UInt8(ascii: ")"): break
      default: (run, isNumber) = (0, false)
      }
    }
    return best
  }
}

extension AttributeTable: Packable {
  package func pack(into packer: inout Packer) {
    slots.pack(into: &packer)
    packer.add(list: rows) { packer, row in
      packer.add(row.id)
      row.asked.pack(into: &packer)
      row.unless.pack(into: &packer)
      row.wording.pack(into: &packer)
      packer.add(row.isClosed)
      packer.add(row.isTimed)
    }
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    let slots = try PhraseSlots(from: &unpacker)
    self.slots = slots
    rows = try unpacker.list { unpacker throws(PackingError) in
      Row(
        id: try unpacker.text(), asked: try WordPhrases(from: &unpacker, slots: slots),
        unless: try WordPhrases(from: &unpacker, slots: slots), wording: try Wording(from: &unpacker, slots: slots),
        isClosed: try unpacker.flag(), isTimed: try unpacker.flag())
    }
  }
}

extension AttributeTable.Wording {
  fileprivate func pack(into packer: inout Packer) {
    for phrases in [stated, denied, hinted, excluded] { phrases.pack(into: &packer) }
    packer.add(need?.rawValue ?? "")
  }

  fileprivate init(from unpacker: inout Unpacker, slots: PhraseSlots) throws(PackingError) {
    stated = try WordPhrases(from: &unpacker, slots: slots)
    denied = try WordPhrases(from: &unpacker, slots: slots)
    hinted = try WordPhrases(from: &unpacker, slots: slots)
    excluded = try WordPhrases(from: &unpacker, slots: slots)
    need = Need(rawValue: try unpacker.text())
  }
}
