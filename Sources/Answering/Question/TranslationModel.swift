public import Clinical
import Glibc

/// Which terms of sentences go with which terms of the questions that they answer, learned from questions with their answers:
/// "insur" with "petplan", "fed" with "diet".
///
/// Data: `Models/briefing/answer-translations.tsv`, columns `word`, a term of questions; `rarity`, the
/// negative logarithm of its share of their words; `met`, the share of the questions with it whose answers have it too; `terms`, of sentences, each with the
/// logarithm of how many times likelier the word is in a question where the term stands in its answer. Terms that begin with a
/// colon are kinds of fact.
///
/// - Source: A. Berger, R. Caruana, D. Cohn, D. Freitag, V. Mittal, "Bridging the lexical chasm: statistical approaches to
///   answer-finding", SIGIR 2000, 192-199; the estimate is Model 1 of P. Brown et al., "The mathematics of statistical machine
///   translation", Computational Linguistics 1993;19:263-311.
public struct TranslationModel: Sendable {
  /// A term that says something by itself: a number is any number.
  static func isWord(_ term: String) -> Bool {
    term.utf8.count > 1 && !(term.utf8.first.map { (0x30...0x39).contains($0) } ?? true)
  }

  /// From this logarithm on a term speaks for a word as much as any can.
  static let fullLift = 4.0
  /// What is less likely than this says nothing.
  package static let leastLift = 1.0

  /// The cells of all words one after the other, each the word and its terms as they are written: a question reads few of them.
  private var letters: [UInt8] = []
  private var cells: [Cell] = []
  /// By the hash of a word, its cell.
  private var places: [UInt64: UInt32] = [:]

  private struct Cell: Sendable {
    let rarity: Double
    let met: Double
    let start: UInt32
    let wordEnd: UInt32
    let end: UInt64
  }

  /// What is learned of a word.
  package struct Word {
    /// The negative logarithm of its share of all words of questions.
    let rarity: Double
    /// In what share of the questions with it the answer has it too.
    let met: Double
    let terms: [(term: String, lift: Double)]

    package init(rarity: Double, met: Double, terms: [(term: String, lift: Double)]) {
      self.rarity = rarity
      self.met = met
      self.terms = terms
    }
  }

  /// Stands for the words that were asked once or never.
  package static let rare = "*"

  /// Knows no word.
  public init() {}

  package init(words: [String: Word]) {
    for (word, meaning) in words.sorted(by: { $0.key < $1.key }) {
      let terms = meaning.terms.map { "\($0.term) \(Self.rounded($0.lift, to: 10))" }.joined(separator: "|")
      _ = Array(word.utf8).withUnsafeBufferPointer { word in
        Array(terms.utf8).withUnsafeBufferPointer { terms in
          add(word, rarity: Self.rounded(meaning.rarity, to: 10), met: Self.rounded(meaning.met, to: 100), terms)
        }
      }
    }
  }

  /// - Returns: false where the word is known already.
  private mutating func add(
    _ word: UnsafeBufferPointer<UInt8>, rarity: Double, met: Double, _ terms: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard places.updateValue(UInt32(cells.count), forKey: FNV1a.hash(word)) == nil else { return false }
    let start = letters.count
    letters.append(contentsOf: word)
    letters.append(contentsOf: terms)
    cells.append(
      Cell(
        rarity: rarity, met: met, start: UInt32(start), wordEnd: UInt32(start + word.count),
        end: UInt64(letters.count)))
    return true
  }

  private func cell(of word: String) -> Cell? { places[FNV1a.hash(word.utf8)].map { cells[Int($0)] } }

  private func text(_ start: Int, _ end: Int) -> String {
    letters.withUnsafeBufferPointer {
      String(decoding: UnsafeBufferPointer(rebasing: $0[start..<end]), as: UTF8.self)
    }
  }

  private static func rounded(_ value: Double, to parts: Double) -> Double { (value * parts).rounded() / parts }

  /// - Throws: ``DataTableError`` for a word that stands twice, and for a rarity or share that is no number. Terms are read when asked
  ///   for: a question has few words.
  public init(table: DataTable) throws(DataTableError) {
    places.reserveCapacity(table.rows.count)
    for row in table.rows {
      let (rarity, met) = (try row.number("rarity"), try row.number("met"))
      let isNew = row.withBytes("word") { word in row.withBytes("terms") { add(word, rarity: rarity, met: met, $0) } }
      guard isNew else { throw row.error("word", "stands twice") }
    }
  }

  /// The table that ``init(table:)`` reads.
  public func text(head: [(String, String)]) -> String {
    let lines = head.map { "# \($0.0): \($0.1)" } + ["word\trarity\tmet\tterms"]
    let rows = cells.map { cell in
      (word: text(Int(cell.start), Int(cell.wordEnd)), cell: cell)
    }.sorted { $0.word < $1.word }.map { word, cell in
      "\(word)\t\(cell.rarity)\t\(cell.met)\t\(text(Int(cell.wordEnd), Int(cell.end)))"
    }
    return (lines + rows).joined(separator: "\n") + "\n"
  }

  /// How much a word of a question says, by its rarity, and how closely each term of sentences means it, 0...1; nil for a word
  /// that no answer taught.
  func meanings(of word: String) -> (rarity: Double, terms: [(term: String, closeness: Double)])? {
    guard let cell = cell(of: word), cell.end > UInt64(cell.wordEnd),
      let lifts = Self.lifts(of: text(Int(cell.wordEnd), Int(cell.end)))
    else { return nil }
    return (cell.rarity, lifts.map { ($0.term, min(1, $0.lift / Self.fullLift)) })
  }

  /// How much it says of a sentence that it lacks a word of the question, in nats: what is always in the answer where it is
  /// asked for ("rabies") must be there, what never is ("problem") need not.
  func weight(of word: String) -> Double {
    -log(1 - min(Self.mostMet, (cell(of: word) ?? cell(of: Self.rare))?.met ?? 0))
  }

  private static let mostMet = 0.95

  private static func lifts(of cell: String) -> [(term: String, lift: Double)]? {
    var lifts: [(term: String, lift: Double)] = []
    for part in cell.utf8.split(separator: UInt8(ascii: "|")) {
      guard let space = part.lastIndex(of: UInt8(ascii: " ")),
        let lift = Double(String(decoding: part[part.index(after: space)...], as: UTF8.self))
      else { return nil }
      lifts.append((String(decoding: part[..<space], as: UTF8.self), lift))
    }
    return lifts
  }
}

extension TranslationModel: Packable {
  package func pack(into packer: inout Packer) {
    packer.add(all: letters)
    packer.add(all: cells)
    let places = places.sorted { $0.value < $1.value }
    packer.add(all: places.map(\.key))
    packer.add(all: places.map(\.value))
  }

  package init(from unpacker: inout Unpacker) throws(PackingError) {
    letters = try unpacker.all()
    cells = try unpacker.all()
    let (keys, values) = (try unpacker.all(UInt64.self), try unpacker.all(UInt32.self))
    places = Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })
    guard cells.allSatisfy({ $0.end <= UInt64(letters.count) }) else { throw PackingError() }
  }
}
