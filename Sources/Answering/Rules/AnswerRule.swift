import Chart
import Clinical
import Extraction
import TextAnalysis

/// One way of answering: which questions it takes, and what the record says to them.
///
/// A rule knows of no other rule. What it finds rests on passages, each of which is cited, and says how much of the question it
/// accounts for; by that ``AnswerEngine`` compares it with what others found. A rule is one file, a line in
/// ``AnswerEngine/shipped``, and rows of examples in its test, some of which it must leave alone.
protocol AnswerRule: Sendable {
  /// As explanations name it.
  var name: String { get }

  /// What the record says; nil where the question is none of the rule's, or the record doesn't tell.
  func finding(for asked: AskedRecord) -> RuleFinding?
}

/// What a rule found, and where.
struct RuleFinding {
  typealias Passage = (unit: EvidenceUnit, range: Range<Int>)

  var answerClass = Answer.Class.found
  /// What it comes to ("1.9 kg less"), where the passages don't say so themselves. Each of its operands is among them.
  var headline: String?
  /// In the order in which they are told; empty only where the record is found to be silent.
  let passages: [Passage]
  /// The share of what the question names, by weight, that the finding accounts for, 0…1.
  let coverage: Double

  /// The record doesn't say.
  static let silence = RuleFinding(answerClass: .notRecorded, passages: [], coverage: 1)
}

/// A question and what can be known of the patient it is asked of.
struct AskedRecord {
  /// With words spelt as the record spells them.
  let question: Question
  let record: PatientRecord
  let chart: PatientChart
  let ranking: EvidenceRanking
  let reader: RecordReader

  var units: [EvidenceUnit] { ranking.finder.units }

  /// The question's words, in small letters, with their bytes.
  var words: [ClassedWord] { question.classes.words(in: question.text) }

  /// The share of what the question names, by weight, that lies within some of its bytes; 1 where it names nothing.
  func coverage(of ranges: [Range<Int>]) -> Double {
    let finder = ranking.finder
    let named = finder.groups.indices.filter { finder.groups[$0].force != .weak }
    let total = named.reduce(0) { $0 + finder.weights[$1] }
    guard total > 0 else { return 1 }
    let held = named.filter { index in ranges.contains { $0.overlaps(finder.groups[index].range) } }
    return held.reduce(0) { $0 + finder.weights[$1] } / total
  }

  /// Where a fact stands: its sentence, and the lines of it around the fact.
  func passage(of item: RecordedFact) -> RuleFinding.Passage? {
    let range = item.fact.valueRange ?? item.fact.range
    return units.first { $0.note.id == item.note.id && $0.range.overlaps(range) }.map {
      ($0, Passage.lines(of: $0, around: [item.fact.range, range]))
    }
  }

  func date(of note: ClinicalNote) -> CalendarDate { reader.zone.date(of: note.recordedAt) }
}

/// What reads questions and sentences, the same for every rule.
struct RecordReader {
  let analyzer: Analyzer
  let signs: SignReader
  let classifier: AssertionClassifier
  let groups: PreventionGroups
  let zone: PracticeTimeZone
  let askedAt: Timestamp
  /// Makes a question of the words for an event.
  let parse: (String) -> Question

  var naming: FactNaming { FactNaming(analyzer: analyzer) }
  var periods: PeriodParser { PeriodParser(now: askedAt, zone: zone) }
}
