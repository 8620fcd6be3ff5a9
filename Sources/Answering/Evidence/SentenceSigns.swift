public import Clinical
import Extraction
import TextAnalysis

/// What a sentence holds that some form of question asks for, whatever it is about.
struct SentenceSigns: OptionSet, Sendable {
  /// How many signs there may be.
  static let bitWidth = 32

  let rawValue: Int

  static let reason = SentenceSigns(rawValue: 1 << 0)
  static let frequency = SentenceSigns(rawValue: 1 << 1)
  static let person = SentenceSigns(rawValue: 1 << 2)
  static let date = SentenceSigns(rawValue: 1 << 3)
  static let number = SentenceSigns(rawValue: 1 << 4)
  static let dose = SentenceSigns(rawValue: 1 << 5)
  static let instruction = SentenceSigns(rawValue: 1 << 6)
  static let side = SentenceSigns(rawValue: 1 << 7)
  /// Started, stopped, raised, swapped.
  static let change = SentenceSigns(rawValue: 1 << 8)
  /// Grew, spread, went: what a comparison is after.
  static let comparison = SentenceSigns(rawValue: 1 << 9)
  /// Declined, not done, not sent, did not happen; not seen, none found.
  static let refusal = SentenceSigns(rawValue: 1 << 10)

  /// Must not be given: avoid, no more, reaction, alert.
  static let prohibition = SentenceSigns(rawValue: 1 << 11)

  /// Finished, stopped, no longer.
  static let ending = SentenceSigns(rawValue: 1 << 12)
  /// Normal, clear, unremarkable.
  static let health = SentenceSigns(rawValue: 1 << 13)
  /// A question of its own.
  static let question = SentenceSigns(rawValue: 1 << 14)
  /// The head of a letter or of a section.
  static let head = SentenceSigns(rawValue: 1 << 15)
  /// Says how many: "two", "third", "x3", or any digit.
  static let numeral = SentenceSigns(rawValue: 1 << 16)
  /// Says how long: "28 days", "4w", "nine months".
  static let duration = SentenceSigns(rawValue: 1 << 17)
  /// Talked of, not done: offered, discussed, quoted.
  static let proposal = SentenceSigns(rawValue: 1 << 18)

  /// Passes on what somebody else said or wrote: "owner says", "per chart".
  static let hearsay = SentenceSigns(rawValue: 1 << 19)
  /// Still to be done: "repeat in 4 weeks", "booked".
  static let plan = SentenceSigns(rawValue: 1 << 20)
  /// A treatment did nothing: "no better on", "much the same".
  static let inefficacy = SentenceSigns(rawValue: 1 << 21)

  /// Declined, put off, not done: of ``refusal`` what says that something did not happen.
  static let undone = SentenceSigns(rawValue: 1 << 22)

  /// Of ``undone``, what somebody did not want.
  static let declined = SentenceSigns(rawValue: 1 << 24)

  /// Takes back what stood before it: "…, then cancelled", "…, declined on cost".
  static let takenBack = SentenceSigns(rawValue: 1 << 23)

  /// Of ``reason``, a word that joins a reason to what it explains: "because of".
  static let cause = SentenceSigns(rawValue: 1 << 25)

  static let named: [String: SentenceSigns] = [
    "reason": .reason, "cause": [.reason, .cause], "frequency": .frequency, "person": .person, "date": .date,
    "instruction": .instruction,
    "change": .change, "comparison": .comparison, "refusal": .refusal,
    "prohibition": .prohibition, "ending": .ending, "health": .health, "head": .head,
    "numeral": .numeral, "proposal": .proposal, "hearsay": .hearsay, "plan": .plan, "inefficacy": .inefficacy,
    "undone": [.refusal, .undone], "declined": [.refusal, .undone, .declined],
    "takenback": [.refusal, .undone, .takenBack],
  ]

  // MARK: - Values of which only one can be

  /// Bits from here on are of values, three for each family of them.
  private static let firstValue = 32
  private static let valuesOfFamily = 3
  static let mostFamilies = (Int.bitWidth - 1 - firstValue) / valuesOfFamily

  /// A value of a family ("open", of how she was operated), each by its number; nil where there are no more bits.
  static func value(_ value: Int, of family: Int) -> SentenceSigns? {
    guard (0..<valuesOfFamily).contains(value), (0..<mostFamilies).contains(family) else { return nil }
    return SentenceSigns(rawValue: 1 << (firstValue + family * valuesOfFamily + value))
  }

  /// Whether two sentences give one thing two values that can't both be: heterozygous and homozygous.
  func excludes(_ other: SentenceSigns) -> Bool {
    (0..<Self.mostFamilies).contains { family in
      let mask = ((1 << Self.valuesOfFamily) - 1) << (Self.firstValue + family * Self.valuesOfFamily)
      let (one, two) = (rawValue & mask, other.rawValue & mask)
      return one != 0 && two != 0 && one & two == 0
    }
  }
}

/// Reads the signs of sentences. Data: `Models/briefing/answer-cues.tsv`, columns `sign` and `phrases`, and
/// `Models/briefing/answer-values.tsv`, columns `family`, `value` and `phrases`. A phrase may hold `<name>`: any word of that
/// class of `Models/extraction/word-classes.tsv`, and end in `<end>`: nothing follows but a mark.
public struct SignReader: Sendable {
  /// The phrases of all signs by their first word, so that each word of a sentence is looked up once.
  private let cues: [String: [(sign: SentenceSigns, words: [Part])]]
  /// The words of the classes that phrases name.
  private let classes: [Set<String>]
  /// The closed classes of questions, some of which sentences are read by too.
  let closed: QuestionClasses

  /// A word of a phrase, or any of a class by its place in ``classes``, or the end of what is said.
  fileprivate enum Part {
    case word(String)
    case any(Int)
    case end
  }

  /// The phrases of values by their first word, the longest first.
  private let values: [String: [(sign: SentenceSigns, words: [String])]]

  /// - Parameters:
  ///   - table: `answer-cues.tsv`.
  ///   - values: `answer-values.tsv`.
  ///   - classes: `word-classes.tsv` of extraction.
  ///   - closed: the closed classes of questions.
  /// - Throws: ``DataTableError`` for a sign or class that is not known, and for more families or values than there is room for.
  public init(
    table: DataTable, values: DataTable, classes: DataTable, closed: QuestionClasses
  ) throws(DataTableError) {
    self.closed = closed
    var families: [String] = []
    var valuesOf: [String: [String]] = [:]
    var phrases: [String: [(sign: SentenceSigns, words: [String])]] = [:]
    for row in values.rows {
      if !families.contains(row["family"]) { families.append(row["family"]) }
      if valuesOf[row["family"]]?.contains(row["value"]) != true {
        valuesOf[row["family"], default: []].append(row["value"])
      }
      guard let family = families.firstIndex(of: row["family"]),
        let value = valuesOf[row["family"]]?.firstIndex(of: row["value"]),
        let sign = SentenceSigns.value(value, of: family)
      else { throw row.error("value", "is one more than there is room for") }
      for phrase in row.list("phrases") {
        let words = WordPhrases.words(of: phrase)
        if let first = words.first { phrases[first, default: []].append((sign, words)) }
      }
    }
    self.values = phrases.mapValues { $0.sorted { $0.words.count > $1.words.count } }
    var members = ClassMembers(table: classes)
    var cues: [String: [(sign: SentenceSigns, words: [Part])]] = [:]
    for row in table.rows {
      guard let sign = SentenceSigns.named[row["sign"]] else { throw row.error("sign", "is no sign of a sentence") }
      for phrase in row.list("phrases") {
        let parts = try Self.parts(of: phrase, row, &members)
        switch parts.first {
        case .word(let first): cues[first, default: []].append((sign, parts))
        case .any(let place):
          for first in members.sets[place] { cues[first, default: []].append((sign, parts)) }
        case .end, nil: throw row.error("phrases", "has '\(phrase)', which begins with no word")
        }
      }
    }
    self.cues = cues
    self.classes = members.sets
  }

  /// The classes that phrases have named so far.
  private struct ClassMembers {
    let table: DataTable
    var sets: [Set<String>] = []
    private var places: [String: Int] = [:]

    init(table: DataTable) { self.table = table }

    /// Where the words of a class stand in ``sets``; nil where there is no such class.
    mutating func place(of name: String) -> Int? {
      if let known = places[name] { return known }
      let rows = table.rows.filter { $0["class"] == name }
      guard !rows.isEmpty else { return nil }
      places[name] = sets.count
      sets.append(Set(rows.flatMap { $0.list("words") }))
      return sets.count - 1
    }
  }

  private static func parts(
    of phrase: String, _ row: DataTable.Row, _ members: inout ClassMembers
  ) throws(DataTableError) -> [Part] {
    guard phrase.contains("<") else { return WordPhrases.words(of: phrase).map { .word($0) } }
    var parts: [Part] = []
    for part in phrase.split(separator: " ") {
      if part == "<end>" {
        parts.append(.end)
      } else if part.first == "<", part.last == ">" {
        guard let place = members.place(of: String(part.dropFirst().dropLast())) else {
          throw row.error("phrases", "has '\(part)', which names no class of words")
        }
        parts.append(.any(place))
      } else {
        parts += WordPhrases.words(of: String(part)).map { .word($0) }
      }
    }
    return parts
  }

  private func stands(_ cue: [Part], at start: Int, in words: [Token]) -> Bool {
    for (offset, part) in cue.enumerated() {
      let place = start + offset
      switch part {
      case .word(let own): if place >= words.count || words[place].text != own { return false }
      case .any(let own): if place >= words.count || !classes[own].contains(words[place].text) { return false }
      case .end:
        // A space alone goes on: "NT proBNP".
        if place < words.count, words[place].range.lowerBound - words[place - 1].range.upperBound < 2 { return false }
      }
    }
    return true
  }

  /// The signs of all phrases that begin at a word: "not sent" of "titre not sent".
  func signs(startingAt start: Int, in words: [Token]) -> SentenceSigns {
    guard start < words.count else { return [] }
    return (cues[words[start].text] ?? []).reduce(into: []) { signs, cue in
      if stands(cue.words, at: start, in: words) { signs.formUnion(cue.sign) }
    }
  }

  /// The signs by which what follows a clause in its sentence takes it back: it begins with such words and has no subject of its own
  /// but the owner.
  fileprivate func takenBack(by words: ArraySlice<Token>) -> SentenceSigns {
    let said = Array(words.drop { closed.isOne($0.text, of: .takingback) })
    let taken = cues[said.first?.text ?? ""]?.first { sign, cue in
      sign.contains(.takenBack) && stands(cue, at: 0, in: said)
    }
    return taken?.sign ?? []
  }

  /// The signs whose cues stand among the words; ``SentenceSigns/head`` at the first word only, where that is asked for.
  fileprivate func signs(in words: [Token], headsAnywhere: Bool) -> SentenceSigns {
    var signs: SentenceSigns = []
    for (index, word) in words.enumerated() {
      for (sign, cue) in cues[word.text] ?? [] where !signs.contains(sign) {
        // "Re:" begins a letter; within a sentence it is a preposition.
        if sign == .head, !headsAnywhere, index > 0 { continue }
        if stands(cue, at: index, in: words) { signs.insert(sign) }
      }
    }
    return signs
  }

  /// The signs of a text's words, wherever it stands.
  func signs(in text: String) -> SentenceSigns {
    signs(in: WordPhrases.words(in: text, range: 0..<text.utf8.count), headsAnywhere: false)
  }

  /// The values that are told; "no resection" is none of resection.
  private func values(in words: [Token]) -> SentenceSigns {
    var signs: SentenceSigns = []
    var index = 0
    while index < words.count {
      let found = values[words[index].text]?.first { value in
        value.words.count <= words.count - index
          && zip(words[index..<(index + value.words.count)], value.words).allSatisfy { $0.text == $1 }
      }
      if let found { signs.insert(found.sign) }
      index += found?.words.count ?? 1
    }
    return signs
  }

  func signs(of unit: EvidenceUnit) -> SentenceSigns {
    signs(of: unit, WordPhrases.words(in: unit.note.text, range: unit.range))
  }

  /// The same of a sentence whose words are known.
  ///
  /// - Complexity: O(words × cues that begin alike).
  func signs(of unit: EvidenceUnit, _ words: [Token]) -> SentenceSigns {
    var signs = signs(in: words, headsAnywhere: false).union(values(in: words))
    if words.contains(where: { $0.text.utf8.contains { (0x30...0x39).contains($0) } }) { signs.insert(.number) }
    if Self.hasDate(words) { signs.insert(.date) }
    if signs.contains(.number) { signs.insert(.numeral) }
    if signs.contains(.numeral), hasDuration(words) { signs.insert(.duration) }
    if unit.facts.contains(where: { $0.kind == .allergy && $0.assertion.polarity != .absent }) {
      signs.insert(.prohibition)
    }
    for fact in unit.facts where fact.kind == .drug {
      if fact.dosage?.dose != nil || fact.dosage?.rate != nil { signs.insert(.dose) }
      if fact.dosage?.frequency != nil { signs.insert(.frequency) }
      if fact.hasAction(in: [.started, .stopped, .changed]) { signs.insert(.change) }
    }
    if !Side.named(in: unit, closed).isEmpty { signs.insert(.side) }
    let text = unit.text.utf8
    if text.last == UInt8(ascii: "?") { signs.insert(.question) }
    if text.last == UInt8(ascii: ":"), words.count <= 6 { signs.insert(.head) }
    return signs
  }

  /// "28 days", "9d", "two weeks": a number and a unit of time.
  private func hasDuration(_ words: [Token]) -> Bool {
    words.indices.contains { index in
      let text = words[index].text
      if text.first?.isNumber == true {
        let unit = text.drop { $0.isNumber || $0 == "." || $0 == "-" || $0 == "/" }
        if !unit.isEmpty, closed.isOne(String(unit), of: .lengths) { return true }
      }
      return index > 0 && text.count > 1 && closed.isOne(text, of: .lengths)
    }
  }

  /// "21/11", "10/02/27", "2019": as written; the names of months are cues.
  private static func hasDate(_ words: [Token]) -> Bool {
    words.contains { word in
      // Few words begin with what a number may begin with.
      guard let first = word.text.utf8.first, (0x30...0x39).contains(first) || first == UInt8(ascii: "+") else {
        return false
      }
      let parts = word.text.split(separator: "/", omittingEmptySubsequences: false)
      if parts.count == 2 || parts.count == 3 {
        let numbers = parts.compactMap { Int($0) }
        return numbers.count == parts.count && numbers.allSatisfy { $0 > 0 } && numbers[0] <= 31
          && (numbers[1] <= 12 || (numbers[0] <= 12 && (20...40).contains(numbers[1])))
      }
      return word.text.utf8.count == 4 && Int(word.text).map { (2000...2060).contains($0) } == true
    }
  }
}

/// The signs of the clauses of one sentence, whose words are read once, and each clause once.
struct ClauseSigns {
  /// Of the whole sentence.
  let words: [Token]
  private let bytes: [UInt8]
  private let unit: EvidenceUnit
  private let reader: SignReader
  private var known: [Range<Int>: SentenceSigns] = [:]

  init(_ unit: EvidenceUnit, _ reader: SignReader) {
    self.unit = unit
    self.reader = reader
    bytes = Array(unit.text.utf8)
    words = WordPhrases.words(in: unit.note.text, range: unit.range)
  }

  /// The signs of the clause around a place, by its words alone.
  ///
  /// - Complexity: O(bytes + words × cues that begin alike), the first time that a clause is asked for.
  mutating func signs(near place: Range<Int>) -> SentenceSigns {
    let clause = clause(around: place)
    if let signs = known[clause] { return signs }
    let inside = words.filter { clause.contains($0.range.lowerBound) }
    let behind = words.firstIndex { $0.range.lowerBound >= clause.upperBound } ?? words.endIndex
    let signs = reader.signs(in: inside, headsAnywhere: true).union(reader.takenBack(by: words[behind...]))
    known[clause] = signs
    return signs
  }

  /// What lies between the nearest marks that part clauses, in bytes of the note.
  private func clause(around place: Range<Int>) -> Range<Int> {
    func isBorder(_ index: Int) -> Bool {
      let byte = bytes[index]
      if byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\n") { return true }
      // A decimal comma or point is none.
      return (byte == UInt8(ascii: ",") || byte == UInt8(ascii: ".")) && index + 1 < bytes.count
        && bytes[index + 1] <= 0x20
    }
    let start = unit.range.lowerBound
    var lower = min(max(0, place.lowerBound - start), bytes.count)
    var upper = min(max(lower, place.upperBound - start), bytes.count)
    while lower > 0, !isBorder(lower - 1) { lower -= 1 }
    while upper < bytes.count, !isBorder(upper) { upper += 1 }
    return start + lower..<start + upper
  }
}

extension SignReader {
  package func pack(into packer: inout Packer) {
    packer.add(list: classes) { $0.add(set: $1) }
    packer.add(list: cues.sorted { $0.key < $1.key }) { packer, cue in
      packer.add(cue.key)
      packer.add(list: cue.value) { packer, phrase in
        packer.add(Int64(phrase.sign.rawValue))
        packer.add(list: phrase.words) { $1.pack(into: &$0) }
      }
    }
    packer.add(list: values.sorted { $0.key < $1.key }) { packer, value in
      packer.add(value.key)
      packer.add(list: value.value) { packer, phrase in
        packer.add(Int64(phrase.sign.rawValue))
        packer.add(texts: phrase.words)
      }
    }
  }

  /// With the closed classes of questions, which are packed by themselves.
  package init(from unpacker: inout Unpacker, closed: QuestionClasses) throws(PackingError) {
    self.closed = closed
    classes = try unpacker.list { unpacker throws(PackingError) in try unpacker.set() }
    func sign(_ unpacker: inout Unpacker) throws(PackingError) -> SentenceSigns {
      SentenceSigns(rawValue: Int(try unpacker.value(Int64.self)))
    }
    let cues = try unpacker.list { unpacker throws(PackingError) in
      let first = try unpacker.text()
      return (
        first,
        try unpacker.list { unpacker throws(PackingError) in
          (
            sign: try sign(&unpacker),
            words: try unpacker.list { unpacker throws(PackingError) in try Part(from: &unpacker) }
          )
        }
      )
    }
    self.cues = Dictionary(cues, uniquingKeysWith: { first, _ in first })
    let values = try unpacker.list { unpacker throws(PackingError) in
      let first = try unpacker.text()
      return (
        first,
        try unpacker.list { unpacker throws(PackingError) in
          (sign: try sign(&unpacker), words: try unpacker.texts())
        }
      )
    }
    self.values = Dictionary(values, uniquingKeysWith: { first, _ in first })
  }
}

extension SignReader.Part: Packable {
  func pack(into packer: inout Packer) {
    switch self {
    case .end: packer.add(UInt8(0))
    case .any(let place):
      packer.add(UInt8(1))
      packer.add(UInt32(place))
    case .word(let word):
      packer.add(UInt8(2))
      packer.add(word)
    }
  }

  init(from unpacker: inout Unpacker) throws(PackingError) {
    switch try unpacker.value(UInt8.self) {
    case 0: self = .end
    case 1: self = .any(Int(try unpacker.value(UInt32.self)))
    case 2: self = .word(try unpacker.text())
    default: throw PackingError()
    }
  }
}
