public import Clinical
public import Extraction

/// Takes away what `assertion-rules.tsv` can do without, and writes families of cues once, with the class in which they differ.
///
/// Nothing is taken on trust: each step is tried on every text of a pool that holds the cue, and is taken back where one reading
/// differs from what the whole table said. Only a labelled target may be read otherwise, and only where that is nearer to its label.
/// Cues that no text of the pool hangs on are judged by sentences made for them (``CueCarriers``).
public struct CueReduction {
  /// What was done to one cue, for the list that goes with the table.
  public struct Step: Sendable {
    public enum Reason: String, Sendable, CaseIterable {
      /// A class stands for it.
      case merged
      /// The pool and its own sentences read the same without it.
      case covered
      /// No text of the pool hangs on it, it is long, and without it nothing is read as absent, past, advised or another's.
      case unused
    }
    public let row: String
    public let cue: String
    public let reason: Reason
  }

  /// The table as it became.
  public var text: String { sheet.text }
  public private(set) var steps: [Step] = []
  /// How many cues there were.
  public let before: Int
  public var after: Int { cues.count }

  private let tables: (rules: DataTable, classes: DataTable)
  private var sheet: CueSheet
  private let wordClasses: WordClasses
  private let notation: PhraseNotation
  /// The pool; of each text the labelled targets come first, then what is found in it.
  private let entries: [CuePool.Entry]
  private var cues: [CueTrial.Cue] = []
  /// What each entry says of its targets; empty until it is first read.
  private var reference: [[CueTrial.Reading]] = []

  /// - Parameters:
  ///   - table: `assertion-rules.tsv`.
  ///   - text: the same as its file is written.
  ///   - classes: `word-classes.tsv`.
  ///   - notation: what cues stand for that are written as several.
  ///   - extractors: finds what texts are asked about.
  ///   - files: labelled sentences and other texts; none may be of a set that is held back.
  /// - Throws: ``EvaluationError`` for a file that can't be read.
  public init(
    table: DataTable, text: String, classes: DataTable, notation: PhraseNotation, extractors: Extractors,
    files: [String]
  ) throws(EvaluationError) {
    guard let sheet = CueSheet(text, column: "cue"), sheet.rowCount == table.rows.count else {
      throw EvaluationError(file: table.name, line: nil, problem: "has no column 'cue'")
    }
    tables = (table, classes)
    self.sheet = sheet
    wordClasses = extractors.classifier.wordClasses
    self.notation = notation
    var pool = CuePool()
    for file in files { try pool.add(file) }
    for row in 0..<sheet.rowCount {
      for column in ["example", "negative_example"] where !sheet.cell(column, ofRow: row).isEmpty {
        pool.add(example: sheet.cell(column, ofRow: row), ofRow: row)
      }
      for cue in sheet.cues(ofRow: row) where !cues.contains(CueTrial.Cue(row: row, words: cue)) {
        cues.append(CueTrial.Cue(row: row, words: cue))
      }
    }
    entries = pool.entries.map { entry in
      var entry = entry
      for finding in extractors.findings.findings(in: entry.text) where !entry.targets.contains(finding.range) {
        entry.targets.append(finding.range)
      }
      return entry
    }
    before = cues.count
  }

  /// Merges families, then takes away what nothing hangs on.
  ///
  /// - Parameters:
  ///   - rounds: how often families are looked for; a family of two dimensions takes two.
  ///   - longest: an unused cue of at most so many words stays.
  /// - Throws: ``DataTableError`` for a cue that can't be read.
  public mutating func run(rounds: Int, longest: Int) throws(DataTableError) {
    for _ in 0..<rounds where try !merge() { break }
    try prune(longest: longest)
    var ofRow: [[String]] = Array(repeating: [], count: sheet.rowCount)
    for cue in cues { ofRow[cue.row].append(cue.words) }
    for (row, cues) in ofRow.enumerated() where cues != sheet.cues(ofRow: row) { sheet.setCues(cues, ofRow: row) }
  }

  // MARK: - Reading

  /// The pool as a trial reads it.
  private struct Bench {
    let trial: CueTrial
    let passages: [CueTrial.Passage]
    /// Per cue the passages in which it stands.
    let users: [[Int]]
  }

  private mutating func bench(_ cues: [CueTrial.Cue], active: [Bool]) throws(DataTableError) -> Bench {
    let trial = try CueTrial(table: tables.rules, cues: cues, wordClasses: wordClasses, notation: notation)
    let passages = entries.map { trial.passage($0.text, targets: $0.targets, row: $0.row) }
    var users: [[Int]] = Array(repeating: [], count: cues.count)
    for (place, passage) in passages.enumerated() { for cue in passage.cues { users[cue].append(place) } }
    if reference.isEmpty { reference = passages.map { trial.readings(of: $0, active: active) } }
    return Bench(trial: trial, passages: passages, users: users)
  }

  /// Reads some passages anew.
  ///
  /// - Returns: the passages of which a labelled target is read better now, with what is to be kept of them; nil where a reading
  ///   differs that isn't better.
  private func better(
    _ bench: Bench, _ places: some Sequence<Int>, active: [Bool]
  ) -> [(place: Int, readings: [CueTrial.Reading])]? {
    var better: [(Int, [CueTrial.Reading])] = []
    for place in places {
      let readings = bench.trial.readings(of: bench.passages[place], active: active)
      if readings == reference[place] { continue }
      let labels = entries[place].labels
      for (index, (new, old)) in zip(readings, reference[place]).enumerated() where new != old {
        guard index < labels.count, Self.rightAxes(new, labels[index]) > Self.rightAxes(old, labels[index]) else {
          return nil
        }
      }
      better.append((place, readings))
    }
    return better
  }

  private static func rightAxes(_ reading: CueTrial.Reading, _ label: Assertion) -> Int {
    let polarity = label.temporality == .hypothetical || reading.polarity == label.polarity
    return (polarity ? 1 : 0) + (reading.temporality == label.temporality ? 1 : 0)
      + (reading.experiencer == label.experiencer ? 1 : 0)
  }

  // MARK: - Families

  /// One round over all rows.
  ///
  /// - Returns: whether anything became shorter.
  private mutating func merge() throws(DataTableError) -> Bool {
    let finder = CueFamilies(classes: tables.classes, named: cues.map(\.words))
    var all = cues
    var candidates: [(cue: Int, members: [Int])] = []
    for row in 0..<sheet.rowCount {
      let own = cues.indices.filter { cues[$0].row == row }
      for found in finder.candidates(own.map { cues[$0].words }) {
        candidates.append((all.count, found.members.map { own[$0] }))
        all.append(CueTrial.Cue(row: row, words: found.cue))
      }
    }
    var active = all.indices.map { $0 < cues.count }
    let bench = try bench(all, active: active)
    var isShorter = false
    for (cue, members) in candidates {
      let members = members.filter { active[$0] }
      guard members.count > 1 else { continue }
      active[cue] = true
      for member in members { active[member] = false }
      let places = Set(members.flatMap { bench.users[$0] } + bench.users[cue]).sorted()
      if let better = better(bench, places, active: active) {
        isShorter = true
        for (place, readings) in better { reference[place] = readings }
        steps += members.map { Step(row: sheet.cell("id", ofRow: all[$0].row), cue: all[$0].words, reason: .merged) }
      } else {
        active[cue] = false
        for member in members { active[member] = true }
      }
    }
    keep(all, active)
    return isShorter
  }

  /// Keeps the active ones, each row's in the order in which they came.
  private mutating func keep(_ all: [CueTrial.Cue], _ active: [Bool]) {
    cues = zip(all, active).filter(\.1).map(\.0)
  }

  // MARK: - Cues that nothing hangs on

  private mutating func prune(longest: Int) throws(DataTableError) {
    var active = cues.map { _ in true }
    let bench = try bench(cues, active: active)
    let carriers = CueCarriers(classes: tables.classes)
    let lengths = cues.map { $0.words.split(separator: " ").count }
    // The longest first: what a shorter one says as well goes before that one is tried.
    let order = cues.indices.sorted {
      (lengths[$1], bench.users[$0].count, $0) < (lengths[$0], bench.users[$1].count, $1)
    }
    var left = cues.reduce(into: [Int: Int]()) { $0[$1.row, default: 0] += 1 }
    // A row without a cue would be refused.
    for cue in order where left[cues[cue].row, default: 0] > 1 {
      active[cue] = false
      guard let better = better(bench, bench.users[cue], active: active),
        let reason = reason(cue, bench, carriers, &active, isShort: lengths[cue] <= longest)
      else {
        active[cue] = true
        continue
      }
      for (place, readings) in better { reference[place] = readings }
      left[cues[cue].row, default: 0] -= 1
      steps.append(Step(row: sheet.cell("id", ofRow: cues[cue].row), cue: cues[cue].words, reason: reason))
    }
    keep(cues, active)
  }

  /// Why a cue that no text of the pool hangs on can go; nil where it has to stay.
  private func reason(
    _ cue: Int, _ bench: Bench, _ carriers: CueCarriers, _ active: inout [Bool], isShort: Bool
  ) -> Step.Reason? {
    let row = cues[cue].row
    let (direction, sets) = (sheet.cell("direction", ofRow: row), sheet.cell("sets", ofRow: row))
    let about = sheet.cell("about", ofRow: row)
    let made = (notation.phrases(of: cues[cue].words) ?? []).flatMap {
      carriers.carriers(of: $0, direction: direction, about: about)
    }
    var isCovered = !made.isEmpty
    for carrier in made {
      let passage = bench.trial.passage(carrier.text, targets: [carrier.target], isOpen: false)
      // The sentence doesn't hold the cue: it proves nothing.
      guard passage.cues.contains(cue) else {
        isCovered = false
        continue
      }
      active[cue] = true
      let with = bench.trial.readings(of: passage, active: active)
      active[cue] = false
      let without = bench.trial.readings(of: passage, active: active)
      if with == without { continue }
      isCovered = false
      if isShort { return nil }
      let isNotGiven = direction != "pre" && sets.contains("absent")
      for (with, without) in zip(with, without) where Self.isDangerous(with, without, isNotGiven: isNotGiven) {
        return nil
      }
    }
    if isCovered { return .covered }
    return isShort ? nil : .unused
  }

  /// Whether something would be read as absent, past, advised or another's that is not so; or as given that was not.
  private static func isDangerous(
    _ with: CueTrial.Reading, _ without: CueTrial.Reading, isNotGiven: Bool
  ) -> Bool {
    if without.polarity == .absent, with.polarity != .absent { return true }
    if isNotGiven, with.polarity == .absent, without.polarity != .absent { return true }
    if with.temporality == .current, without.temporality != .current { return true }
    return with.experiencer == .patient && without.experiencer == .other
  }
}
