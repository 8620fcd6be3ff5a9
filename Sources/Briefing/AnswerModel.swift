public import Clinical
import Glibc

/// What is measured of a sentence beside a question. The names are those of the rows of `Models/briefing/answer-weights.tsv`.
enum EvidenceFeature: String, CaseIterable, Sendable {
  /// The share of the question's weight that the sentence names, of what the record knows at all.
  case own
  /// The same with the sentences before and after it.
  case beside
  /// The same with the sentences up to two before or after it.
  case around
  /// The same with the whole note.
  case note
  /// The share named in the question's very words.
  case exact
  /// The share that it doesn't name, as closely as what it names is related to it: creatinine, of kidneys.
  case related
  /// How closely it names the rarest thing asked about.
  case rarest
  /// The share of the specific things asked about that it names; how closely the worst named is, by it, by it and its
  /// neighbours, by its note.
  case things, weakest, weakestBeside, weakestNote
  /// It names the other animal or the person that the question names; it doesn't, though the question does.
  case named, unnamed
  /// It is about the side that the question names, or about the other one only.
  case sameSide, otherSide
  /// It has a fact of the kind asked about; so has its note.
  case kind, kindInNote
  /// It names a drug where one is asked for; it has a measured value of what is asked about.
  case drugNamed, value
  /// A value is asked for, and a number follows what is asked about: "digoxin 2.4".
  case valueBeside
  /// It holds what the form of the question is after, and the question has that form.
  case date, dose, number, reason, person, side, frequency, instruction, change, comparison, refusal,
    prohibition, ending, duration
  /// Its note is the latest (1) … the earliest (0) of those that compete, where the question is about now, about the
  /// beginning, about what was, terse, or about no time.
  case recencyNow, recencyFirst, recencyPast, recencyTerse, recencyAny
  /// Its note is of the kind that such questions are answered from.
  case labNote, prescriptionNote, surgeryNote, messageNote
  /// How late it stands in its note, where the question is about now; in a plan, where it is about what is next or advised.
  case lateNow, planWanted, plan
  /// It asks rather than tells; it is the head of a letter or of a section; it was carried over from an earlier note.
  case asks, head, copied
  /// Its note says that it belongs to another patient.
  case otherPatient
  /// It denies what is asked about, where the question is when something was, or which was the first.
  case deniedWhen
  /// A mention of the patient's past.
  case historical
  /// Its note is of the time that the question names, or of another.
  case inPeriod, outOfPeriod
  /// A value is asked for, and it holds no number: the head of a table.
  case noNumber
  case deniedInYesNo, denied, hypotheticalAdvice, hypothetical, someoneElse, someoneAsked, uncertain
  /// The logarithm of its length in words.
  case length
}

/// What is measured of a question beside a record: does the record say anything about it?
enum SilenceFeature: String, CaseIterable, Sendable {
  case bias
  /// The share of the weight of the specific things asked about that the record never names.
  case unknown
  /// The same, of things that some table knows, so that another word for them would have been found.
  case unknownTerm
  /// A drug is asked about that the record never names; something is that a table knows, and the record does not.
  case unknownDrug, missingTerm
  /// The record names everything specific.
  case allKnown
  /// Coverage of all that was asked, unknown things included, by the best sentence, by it and its neighbours, by its note.
  case own, beside, note, exact
  /// How closely the record names something related to each specific thing that it never names.
  case related
  /// Some sentence names everything that was asked in the very words.
  case told
  /// How closely some sentence names the specific thing that it names worst; the same with its neighbours, with its note.
  case weakest, weakestBeside, weakestNote
  /// The question names another animal or a person; no sentence about what is asked does.
  case named, unnamed
  /// The question names a side, and the best sentence is about the other one.
  case otherSide
  /// The record has a fact of the kind asked about; the best sentence has.
  case kind, kindHere
  /// Nothing but a kind of fact is asked about.
  case onlyKind
  case yesNo, ever, terse
  case someoneElse, hypothetical, denied, asks
  /// A value is asked for and the best sentence has none.
  case noNumber
  /// How much the best sentence stands out.
  case confidence
  /// How well the best sentence fits, by the weights of ``EvidenceFeature``.
  case fit
  /// The share of the weight of everyday words that the record never names.
  case unknownPlain
  /// What is asked about is a lab test, a vaccine or parasite control, a procedure, an owner's decision.
  case asksLab, asksPrevention, asksProcedure, asksDecision
  /// The question names a time, and the best sentence is of another; the record has no note of that time.
  case outOfPeriod, emptyPeriod
  /// How many specific things are asked about, four or more being 1: of many the record seldom knows each by its name.
  case things
  /// ``unknown``, where "no" would be an answer.
  case unknownYesNo
  /// A test of something is asked for, and some sentence tells of it as tested; none does, whatever else is said of it.
  case tested, untested
}

/// Measures of a denial: does the record say no? Where none of the signs of a no is there, it does not.
enum DenialFeature: String, CaseIterable, Sendable {
  case bias
  /// The share of the best sentences' probability that denies, and in a question that "no" would answer.
  case denied, deniedYesNo
  /// The best sentence denies what weighs most, or anything specific, of what is asked.
  case bestDenied, bestDeniedYesNo, partDenied, partDeniedYesNo
  /// The latest sentence near the best denies.
  case latestDenied
  /// A drug asked about as current has ended.
  case ended
  /// Words of refusal or of something left undone in the best sentence, and in a question that "no" would answer.
  case refusal, refusalYesNo
  /// The share of the sentences heard that hold words of refusal, of an end or of health, in a question that "no" would answer.
  case refusalHeard, healthHeard
  /// Words of an end in the best sentence of a question about now.
  case endingNow
  /// Words of refusal beside anything specific that the best sentence names, in a question that "no" would answer.
  case partRefused
  /// The same anywhere in the best sentence.
  case sentenceRefused
  /// Words of an end, and words of health, in the best sentence of a question that "no" would answer.
  case endingYesNo, healthYesNo
  /// The question has no verb, so that "no" would answer it as well as a value.
  case terse
  /// The best sentence affirms what is asked.
  case affirmed
  /// The question asks for an account: a result, a level, details.
  case account
  /// A test is asked for, and the best sentence says that it was not done, or found nothing.
  case undoneTest
  /// The best sentence has a laboratory value within its printed range, or outside.
  case normalValue, abnormalValue
  case ever, open
  /// The question is whether something may be given, and the best sentence says it must not.
  case prohibited
  /// The best sentence only talks of it (offered, discussed, quoted, if), and the question is whether it was so.
  case proposed
}

/// What is measured of two sentences that may be the sides of a disagreement.
enum ConflictFeature: String, CaseIterable, Sendable {
  case bias
  /// The rules of ``ConflictFinder`` name this pair.
  case ruled
  /// They name different sides, and the question asks for one; it doesn't.
  case sideAsked, side
  /// One says no to what the other says, and the question can be answered by no; it can't; the later one says no.
  case polarityAsked, polarity, denialLater
  /// The later one says that it was never so.
  case never
  /// They give different numbers of what is asked about; of a count; on one day.
  case number, count, numberSameDay
  /// They give different numbers of one length by which the animal is known.
  case identifier
  /// Written on one day, within one episode; how far apart, by the logarithm of the days.
  case sameDay, sameEpisode, apart
  /// The later one tells of what was; it speaks of a change.
  case toldLater, changed
  /// What the question is about.
  case allergy, procedure, vaccination, weight, drug
  /// The question is about what was; about what changes with time; it names both sides; both notes are of its time.
  case past, overTime, eitherOr, inPeriod
  /// How much less likely the weaker one is than the best sentence, and how much of the question both name.
  case weaker, coverage
}

/// How many sentences an answer shows, and how near to the best they must come. Engineering choices, judged on labelled
/// questions; the rows of the model `limit`. Shares are of the best sentence's probability.
struct AnswerLimits: Sendable {
  /// For a further sentence of the best one's note.
  var sentenceShare = 0.12
  /// For a sentence of another note.
  var noteShare = 0.6
  /// For a sentence of another note where a list, a trend or a comparison is asked for.
  var listShare = 0.3
  /// For one side of a conflict.
  var conflictShare = 0.15
  /// For a sentence that says no.
  var denialShare = 0.3
  var sentencesOfNote = 4.0
  var notes = 2.0
  var notesOfList = 4.0
  /// How many sentences after the best one are shown with it, where the question is open.
  var following = 2.0
  /// The probability of silence from which nothing is answered, that of a "no" from which it is one.
  var silence = 0.5
  var denial = 0.5
  /// The probability that some two sentences disagree from which both are shown.
  var conflict = 0.5

  static let named: [String: any WritableKeyPath<AnswerLimits, Double> & Sendable] = [
    "sentenceShare": \.sentenceShare, "noteShare": \.noteShare, "listShare": \.listShare,
    "conflictShare": \.conflictShare, "denialShare": \.denialShare, "sentencesOfNote": \.sentencesOfNote,
    "notes": \.notes,
    "notesOfList": \.notesOfList, "following": \.following, "silence": \.silence, "denial": \.denial,
    "conflict": \.conflict,
  ]
}

/// Weights of the four decisions, each a logistic model over measures with a name. Data:
/// `Models/briefing/answer-weights.tsv`, columns `model` (`evidence`, `silence`, `denial`, `conflict`, `limit`), `feature`, `weight`.
public struct AnswerModel: Sendable {
  private var evidence = [Double](repeating: 0, count: EvidenceFeature.allCases.count)
  private var silence = [Double](repeating: 0, count: SilenceFeature.allCases.count)
  private var denial = [Double](repeating: 0, count: DenialFeature.allCases.count)
  private var conflict = [Double](repeating: 0, count: ConflictFeature.allCases.count)
  private(set) var limits = AnswerLimits()

  init(evidence: [Double]) { self.evidence = evidence }

  init(evidence: [Double], silence: [Double], denial: [Double], conflict: [Double], limits: AnswerLimits) {
    self.evidence = evidence
    self.silence = silence
    self.denial = denial
    self.conflict = conflict
    self.limits = limits
  }

  /// - Throws: ``DataTableError`` for a model or feature that is not known, and for a weight that is no number.
  public init(table: DataTable) throws(DataTableError) { try self.init(table: table, weights: "weight") }

  /// - Parameters:
  ///   - table: of weights or of priors.
  ///   - column: where the weights stand.
  ///   - models: whose rows something else reads.
  /// - Throws: as ``init(table:)``.
  init(table: DataTable, weights column: String, passingOver models: Set<String> = []) throws(DataTableError) {
    for row in table.rows where !models.contains(row["model"]) {
      let weight = try row.number(column)
      func place(in names: [String]) throws(DataTableError) -> Int {
        guard let index = names.firstIndex(of: row["feature"]) else {
          throw row.error("feature", "is no feature of that model")
        }
        return index
      }
      switch row["model"] {
      case "evidence": evidence[try place(in: EvidenceFeature.allCases.map(\.rawValue))] = weight
      case "silence": silence[try place(in: SilenceFeature.allCases.map(\.rawValue))] = weight
      case "denial": denial[try place(in: DenialFeature.allCases.map(\.rawValue))] = weight
      case "conflict": conflict[try place(in: ConflictFeature.allCases.map(\.rawValue))] = weight
      case "limit":
        guard let key = AnswerLimits.named[row["feature"]] else { throw row.error("feature", "is no limit") }
        limits[keyPath: key] = weight
      default: throw row.error("model", "is none of evidence, silence, denial, conflict and limit")
      }
    }
  }

  /// The table that ``init(table:)`` reads, weights to three decimals.
  public func text(head: [(String, String)]) -> String {
    var lines = head.map { "# \($0.0): \($0.1)" } + ["model\tfeature\tweight"]
    func add(_ model: String, _ names: [String], _ weights: [Double]) {
      for (name, weight) in zip(names, weights) {
        lines.append("\(model)\t\(name)\t\((weight * 1000).rounded() / 1000)")
      }
    }
    add("evidence", EvidenceFeature.allCases.map(\.rawValue), evidence)
    add("silence", SilenceFeature.allCases.map(\.rawValue), silence)
    add("denial", DenialFeature.allCases.map(\.rawValue), denial)
    add("conflict", ConflictFeature.allCases.map(\.rawValue), conflict)
    let named = AnswerLimits.named.sorted { $0.key < $1.key }
    add("limit", named.map(\.key), named.map { limits[keyPath: $0.value] })
    return lines.joined(separator: "\n") + "\n"
  }

  /// The logarithm of how likely a sentence is evidence, up to what all sentences of the question share.
  func score(_ features: Measures<EvidenceFeature>) -> Double { features.dot(evidence) }

  /// Whether the record is silent.
  func isSilent(_ features: Measures<SilenceFeature>) -> Bool {
    1 / (1 + exp(-features.dot(silence))) >= limits.silence
  }

  /// The pair that most likely is a disagreement; nil where it is likelier that there is none.
  func conflict(among pairs: [ConflictPair]) -> ConflictPair? {
    let scores = pairs.map { $0.features.dot(conflict) }
    let odds = scores.reduce(0) { $0 + exp($1) }
    guard odds / (1 + odds) > limits.conflict else { return nil }
    return zip(pairs, scores).max { $0.1 < $1.1 }?.0
  }

  /// Whether the record says no; never where nothing in it does.
  func isDenied(_ features: Measures<DenialFeature>) -> Bool {
    features[.bias] != 0 && 1 / (1 + exp(-features.dot(denial))) > limits.denial
  }
}

/// A value for each feature of a model; 0 unless set.
struct Measures<Feature: CaseIterable & Hashable & RawRepresentable & Sendable>: Sendable
where Feature.RawValue == String {
  private(set) var values: [Double]

  init() { values = [Double](repeating: 0, count: Feature.allCases.count) }

  subscript(feature: Feature) -> Double {
    get { values[Self.place(feature)] }
    set { values[Self.place(feature)] = newValue }
  }

  func dot(_ weights: [Double]) -> Double { zip(values, weights).reduce(0) { $0 + $1.0 * $1.1 } }

  /// The features that are not 0, by name, in the order of their declaration.
  var named: [(name: String, value: Double)] {
    zip(Feature.allCases, values).filter { $1 != 0 }.map { ($0.rawValue, $1) }
  }

  private static func place(_ feature: Feature) -> Int {
    var index = 0
    for other in Feature.allCases {
      if other == feature { return index }
      index += 1
    }
    return index
  }
}
