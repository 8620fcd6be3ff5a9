public import Clinical
import TextAnalysis

/// How questions and notes speak of trouble under anaesthesia. Data: `Models/briefing/anaesthesia-words.tsv`, columns `use` and
/// `words`.
public struct AnaesthesiaWords: Sendable {
  enum Use: String, CaseIterable, Sendable {
    /// A question is about trouble under anaesthesia when it has both.
    case askedMeans = "asked-means"
    case askedTrouble = "asked-trouble"
    /// A note is about an anaesthetic.
    case noteMeans = "note-means"
    /// Something went wrong; nothing did.
    case trouble, smooth
  }

  private let phrases: [Use: WordPhrases]

  /// - Throws: ``DataTableError`` for an unknown use, and for a row without words.
  public init(table: DataTable) throws(DataTableError) {
    var texts: [Use: [String]] = [:]
    for row in table.rows {
      guard let use = Use(rawValue: row["use"]) else { throw row.error("use", "is no use of such words") }
      guard !row.list("words").isEmpty else { throw row.error("words", "is empty") }
      texts[use, default: []] += row.list("words")
    }
    phrases = texts.mapValues { WordPhrases($0) }
  }

  /// Where a text first has words of such a use; UTF-8 bytes of the text.
  func first(_ use: Use, in text: String, range: Range<Int>? = nil) -> Range<Int>? {
    phrases[use]?.first(in: WordPhrases.words(in: text, range: range))
  }
}

extension AnaesthesiaWords: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(list: phrases.sorted { $0.key.rawValue < $1.key.rawValue }) { packer, use in
      use.key.pack(into: &packer)
      use.value.pack(into: &packer)
    }
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    let uses = try unpacker.list { unpacker throws(PackingError) in
      (try unpacker.choice(Use.self), try WordPhrases(from: &unpacker))
    }
    phrases = Dictionary(uses, uniquingKeysWith: { first, _ in first })
  }
}
