import Clinical
import FoundationEssentials

/// Finds what is wrong with labelled cases before anything is measured on them: offsets, ids, labels, and cases of one split
/// that stand, or nearly stand, in another.
public struct LabelCheck: Sendable {
  /// Something to mend.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    public let file: String
    public let problem: String

    public var description: String { "\(file): \(problem)" }
  }

  /// What was looked at and what was found.
  public struct Outcome: Sendable {
    /// Cases by file, in the order in which they were read.
    public internal(set) var counts: [(file: String, cases: Int)] = []
    public internal(set) var problems: [Problem] = []
  }

  /// Two texts of different splits that share more than this share of the shorter one's five-word sequences are one text.
  public static let nearDuplicateShare = 0.5

  public init() {}

  /// Checks one suite's folder, or a folder of such folders.
  ///
  /// The suite is recognised by the folder's name: `triage`, `urgency`, `exemplars`, `complexity`, `assertions`, `questions`, `retrieval`,
  /// `duration`, `schedule`.
  ///
  /// - Throws: ``EvaluationError`` when the folder can't be read or is none of these.
  public func run(_ folder: String) throws(EvaluationError) -> Outcome {
    var outcome = Outcome()
    let name = URL(filePath: folder).lastPathComponent
    if Self.suites.contains(name) {
      try check(name, folder, &outcome)
      return outcome
    }
    let inside = Self.entries(folder).filter(Self.suites.contains)
    guard !inside.isEmpty else {
      throw EvaluationError(
        file: folder, line: nil, problem: "is no suite's folder and has none: \(Self.suites.joined(separator: ", "))")
    }
    for suite in inside { try check(suite, folder + "/" + suite, &outcome) }
    return outcome
  }

  static let suites = ["triage", "urgency", "exemplars", "complexity", "assertions", "questions", "retrieval"]

  private func check(_ suite: String, _ folder: String, _ outcome: inout Outcome) throws(EvaluationError) {
    switch suite {
    case "triage":
      try checkSplits(folder, &outcome) { file throws(EvaluationError) in
        try intakes(file, [.urgency, .abcde, .specialties, .visitType, .complexity])
      }
    case "urgency":
      try checkSplits(folder, &outcome) { file throws(EvaluationError) in try intakes(file, [.urgency]) }
    case "exemplars":
      try checkSplits(folder, &outcome) { file throws(EvaluationError) in try intakes(file, [.urgency, .visitType]) }
    case "complexity":
      try checkSplits(folder, &outcome) { file throws(EvaluationError) in try intakes(file, [.complexity]) }
    case "assertions":
      try checkSplits(folder, &outcome) { file throws(EvaluationError) in
        try AssertionSuite([file]).cases.map { Row(id: $0.id, situation: $0.situation, text: $0.text) }
      }
    case "questions": try checkQuestions(folder, &outcome)
    default: try checkRetrieval(folder, &outcome)
    }
  }

  /// What the checks across splits need of a case.
  private struct Row {
    let id: String
    let situation: String?
    let text: String
  }

  private enum Label: String { case urgency, abcde, specialties, visitType, complexity }

  private func intakes(_ file: String, _ labels: [Label]) throws(EvaluationError) -> [Row] {
    try IntakeCase.read([file]).map { item throws(EvaluationError) in
      for label in labels {
        let isThere =
          switch label {
          case .urgency: item.labels.urgency != nil
          case .abcde: ABCDELetter.allCases.allSatisfy { item.labels.abcde?[$0] != nil }
          case .specialties:
            item.labels.specialties?.isEmpty == false
              && item.labels.specialties?.allSatisfy(Specialty.all.contains) == true
          case .visitType: item.labels.visitType.map(VisitType.builtIn.contains) ?? false
          case .complexity: item.labels.complexity != nil
          }
        guard isThere else {
          throw EvaluationError(
            file: file, line: nil, problem: "case '\(item.id)' lacks a usable label '\(label.rawValue)'")
        }
      }
      let history = (item.history ?? []).map(\.text).joined(separator: "\n")
      return Row(id: item.id, situation: item.situation, text: history + "\n" + item.text)
    }
  }

  /// Reads every `.jsonl` of a folder as a split of its own and compares them.
  private func checkSplits(
    _ folder: String, _ outcome: inout Outcome, _ read: (String) throws(EvaluationError) -> [Row]
  ) throws(EvaluationError) {
    var splits: [(file: String, rows: [Row])] = []
    for name in Self.entries(folder) where name.hasSuffix(".jsonl") {
      let file = folder + "/" + name
      let rows = try read(file)
      outcome.counts.append((file, rows.count))
      splits.append((file, rows))
    }
    guard !splits.isEmpty else { throw EvaluationError(file: folder, line: nil, problem: "has no .jsonl file") }
    compare(splits, &outcome)
  }

  private func compare(_ splits: [(file: String, rows: [Row])], _ outcome: inout Outcome) {
    var places: [String: String] = [:]
    var situations: [String: String] = [:]
    for (file, rows) in splits {
      for row in rows {
        if let other = places.updateValue(file, forKey: row.id) {
          outcome.problems.append(Problem(file: file, problem: "the id '\(row.id)' stands in \(other) too"))
        }
        guard let situation = row.situation else { continue }
        if let other = situations[situation], other != file {
          outcome.problems.append(
            Problem(file: file, problem: "the situation '\(situation)' of '\(row.id)' stands in \(other) too"))
        }
        situations[situation] = file
      }
    }
    // Sequences of five words by the cases that have them, of other splits only.
    var owners: [[Substring]: [(split: Int, row: Int)]] = [:]
    var shingles: [[Set<[Substring]>]] = []
    for (split, item) in splits.enumerated() {
      shingles.append(item.rows.map { Self.shingles($0.text) })
      for (row, set) in shingles[split].enumerated() {
        for shingle in set { owners[shingle, default: []].append((split, row)) }
      }
    }
    for (split, item) in splits.enumerated() {
      for (row, value) in item.rows.enumerated() {
        var shared: [String: (split: Int, row: Int, count: Int)] = [:]
        for shingle in shingles[split][row] {
          for owner in owners[shingle] ?? [] where owner.split > split {
            shared["\(owner.split) \(owner.row)", default: (owner.split, owner.row, 0)].count += 1
          }
        }
        for other in shared.values.sorted(by: { ($0.split, $0.row) < ($1.split, $1.row) }) {
          let shorter = min(shingles[split][row].count, shingles[other.split][other.row].count)
          guard Double(other.count) > Self.nearDuplicateShare * Double(shorter) else { continue }
          outcome.problems.append(
            Problem(
              file: item.file,
              problem:
                "'\(value.id)' is nearly '\(splits[other.split].rows[other.row].id)' of \(splits[other.split].file)"))
        }
      }
    }
  }

  private func checkQuestions(_ folder: String, _ outcome: inout Outcome) throws(EvaluationError) {
    var patients: [String: String] = [:]
    for split in Self.entries(folder) where Self.entries("\(folder)/\(split)").contains("questions.jsonl") {
      let file = "\(folder)/\(split)/questions.jsonl"
      let cases = try QuestionCase.read(file)
      let notes = try Self.notes("\(folder)/\(split)/notes.jsonl")
      outcome.counts.append((file, cases.count))
      for item in cases {
        for note in item.evidence where notes[note] == nil {
          outcome.problems.append(Problem(file: file, problem: "'\(item.id)' rests on '\(note)', which is no note"))
        }
        if let patient = item.patientID {
          let foreign = item.evidence.filter { notes[$0].map { $0 != patient } ?? false }
          if !foreign.isEmpty {
            outcome.problems.append(
              Problem(file: file, problem: "'\(item.id)' rests on '\(foreign[0])', another patient's note"))
          }
          if let other = patients[patient], other != split {
            outcome.problems.append(
              Problem(file: file, problem: "patient '\(patient)' of '\(item.id)' is in split '\(other)' too"))
          }
          patients[patient] = split
        }
        let needsEvidence = ["found", "negative", "conflicting"].contains(item.answerClass)
        if needsEvidence, item.evidence.isEmpty {
          outcome.problems.append(Problem(file: file, problem: "'\(item.id)' has an answer and no evidence"))
        }
        if item.answerClass == "not_recorded", !item.evidence.isEmpty {
          outcome.problems.append(Problem(file: file, problem: "'\(item.id)' has evidence for a silent record"))
        }
      }
    }
  }

  private struct NoteLine: Decodable {
    let id: String
    let patient_id: String
  }

  /// Patients by note id.
  private static func notes(_ file: String) throws(EvaluationError) -> [String: String] {
    Dictionary(
      try LabelledFile.rows(file, as: NoteLine.self, expected: "a note").map { ($0.value.id, $0.value.patient_id) },
      uniquingKeysWith: { first, _ in first })
  }

  private func checkRetrieval(_ folder: String, _ outcome: inout Outcome) throws(EvaluationError) {
    var queries: [String: String] = [:]
    for (split, collection) in try Self.collections(folder) {
      outcome.counts.append((split, collection.queries.count))
      let documents = Set(collection.documents.map(\.id))
      for query in collection.queries {
        if let other = queries.updateValue(split, forKey: query.id) {
          outcome.problems.append(Problem(file: split, problem: "the query '\(query.id)' stands in \(other) too"))
        }
        let judged = collection.judgements[query.id] ?? [:]
        if !judged.values.contains(where: { $0 > 0 }) {
          outcome.problems.append(Problem(file: split, problem: "the query '\(query.id)' has no relevant document"))
        }
        for (document, grade) in judged.sorted(by: { $0.key < $1.key }) {
          if !documents.contains(document) {
            outcome.problems.append(
              Problem(file: split, problem: "'\(query.id)' judges '\(document)', which is not in the corpus"))
          }
          if !(0...3).contains(grade) {
            outcome.problems.append(Problem(file: split, problem: "'\(query.id)' has the grade \(grade), not 0 to 3"))
          }
        }
      }
      for query in collection.judgements.keys.sorted() where !collection.queries.contains(where: { $0.id == query }) {
        outcome.problems.append(Problem(file: split, problem: "judgements for '\(query)', which is no query"))
      }
    }
  }

  private static func collections(_ folder: String) throws(EvaluationError) -> [(String, RetrievalCollection)] {
    var found: [(String, RetrievalCollection)] = []
    let inside = entries(folder)
    if inside.contains("queries.jsonl") { found.append((folder, try RetrievalCollection(folder: folder))) }
    for entry in inside { found += try collections("\(folder)/\(entry)") }
    return found
  }

  private static func entries(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// The five-word sequences of a text; a shorter text is one sequence.
  static func shingles(_ text: String) -> Set<[Substring]> {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
    guard words.count > 5 else { return words.isEmpty ? [] : [words] }
    return Set((0...(words.count - 5)).map { Array(words[$0..<($0 + 5)]) })
  }
}
