import Clinical
public import VetNet

/// The suite `names`: whether names of people, places and animals are taken out of notes, and what else is.
public struct NamesSuite: Sendable {
  /// A note with its names marked, and what the practice would have on file.
  struct Case: Decodable, Sendable {
    struct Name: Decodable, Sendable {
      /// Code points, end exclusive.
      let start: Int
      let end: Int
      let kind: RemovedName.Kind
    }

    let id: String
    let text: String
    let names: [Name]
    let people: [String]
    let staff: [String]
    let places: [String]
    let animals: [String]
    /// A file beside this one: what the practice has on file of everybody else.
    let register: String?
  }

  /// Whom a practice has on file.
  struct Register: Decodable, Sendable {
    let people: [String]
    let staff: [String]
    let places: [String]
    let animals: [String]
  }

  /// What was taken out, as a line of `--predictions`.
  public struct Prediction: Encodable, Sendable {
    public let id: String
    public let removed: [RemovedName]
    /// Marked names of which a letter is left.
    public let missed: [String]
    /// Words that are taken out and belong to no name.
    public let lost: [String]
  }

  public static let metricNames = [
    "recall", "person_recall", "place_recall", "contact_recall", "animal_recall", "precision", "words_lost",
  ]

  let cases: [Case]
  private let registers: [String: Register]

  /// - Parameter path: JSON Lines of notes.
  /// - Throws: ``EvaluationError`` naming file, line and field.
  public init(_ path: String) throws(EvaluationError) {
    let rows = try LabelledFile.rows(path, as: Case.self, expected: "a note with its names marked")
    guard !rows.isEmpty else { throw EvaluationError(file: path, line: nil, problem: "has no notes") }
    cases = rows.map(\.value)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var registers: [String: Register] = [:]
    for (line, item) in rows {
      guard let name = item.register, registers[name] == nil else { continue }
      guard !name.contains("/") else {
        throw EvaluationError(file: path, line: line, problem: "'register' names no file beside this one")
      }
      registers[name] = try LabelledFile.rows(folder + name, as: Register.self, expected: "a register").first?.value
    }
    self.registers = registers
  }

  /// What is on file where a note was written.
  private func onFile(_ item: Case) -> Register {
    let others = item.register.flatMap { registers[$0] }
    return Register(
      people: item.people + (others?.people ?? []), staff: item.staff + (others?.staff ?? []),
      places: item.places + (others?.places ?? []), animals: item.animals + (others?.animals ?? []))
  }

  /// What takes names out of a note as its practice does.
  func remover(of item: Case, models: ModelDirectory, written: WrittenWords) throws -> NameRemover {
    let register = onFile(item)
    return try NameRemover(
      models: models, people: register.people, staff: register.staff, places: register.places,
      animals: register.animals, written: written)
  }

  /// Takes the names out of each note and compares.
  ///
  /// - Parameters:
  ///   - models: what the shipped program works with.
  ///   - seed: for intervals.
  /// - Returns: the report, and what was taken out of each note. `recall` is the share of names of people and places (and how to reach them) of
  ///   which no letter is left; `precision` the share of words taken out that belong to a name; `words_lost` the share of all other words that
  ///   are taken out.
  /// - Throws: ``PracticeError`` for a table that can't be used.
  public func run(models: ModelDirectory, seed: UInt64) throws -> (report: SuiteReport, predictions: [Prediction]) {
    var found: [(kind: RemovedName.Kind, isGone: Bool)] = []
    var wordsOut: [Bool] = []
    var otherWordsOut: [Bool] = []
    var predictions: [Prediction] = []
    let written = WrittenWords(cases.map(\.text))
    for item in cases {
      let remover = try remover(of: item, models: models, written: written)
      let removed = remover.redact(item.text, about: item.people + item.animals).removed
      let scalars = Array(item.text.unicodeScalars)
      var isOut = [Bool](repeating: false, count: scalars.count)
      var isName = isOut
      for name in removed { for place in name.original { isOut[place] = true } }
      var missed: [String] = []
      for name in item.names where name.start >= 0 && name.start < name.end && name.end <= scalars.count {
        let range = name.start..<name.end
        let isGone = range.allSatisfy { isOut[$0] || !scalars[$0].properties.isAlphabetic && name.kind != .contact }
        found.append((name.kind, isGone))
        if !isGone { missed.append(Self.text(scalars[range])) }
        for place in range { isName[place] = true }
      }
      var lost: [String] = []
      for word in Self.words(scalars) {
        let isTaken = word.contains { isOut[$0] }
        if isTaken { wordsOut.append(word.contains { isName[$0] }) }
        if !word.contains(where: { isName[$0] }) {
          otherWordsOut.append(isTaken)
          if isTaken { lost.append(Self.text(scalars[word])) }
        }
      }
      predictions.append(Prediction(id: item.id, removed: removed, missed: missed, lost: lost))
    }
    var metrics: [String: MetricValues] = [
      "recall": .share(found.map(\.isGone), where: found.map { $0.kind != .animal }),
      "precision": .share(wordsOut), "words_lost": .share(otherWordsOut),
    ]
    for kind in RemovedName.Kind.allCases {
      metrics["\(kind.rawValue)_recall"] = .share(found.map(\.isGone), where: found.map { $0.kind == kind })
    }
    let report = SuiteReport(
      suite: "names", n: cases.count, systems: ["default": metrics], baselines: [:],
      versions: ["vetnet": VetNetVersion.current], seed: seed)
    return (report, predictions)
  }

  private static func text(_ scalars: ArraySlice<UnicodeScalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// Runs of letters and digits.
  private static func words(_ scalars: [UnicodeScalar]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var place = 0
    while place < scalars.count {
      let start = place
      while place < scalars.count, scalars[place].properties.isAlphabetic || ("0"..."9").contains(scalars[place]) {
        place += 1
      }
      if place > start { words.append(start..<place) } else { place += 1 }
    }
    return words
  }
}
