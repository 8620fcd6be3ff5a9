import Chart
import Clinical
import Extraction
import Formulary
import TextAnalysis

/// Two notes that can't both be right about something that matters for safety, where neither corrects the other.
struct RecordConflict {
  /// What one note says of it.
  struct Side {
    let note: ClinicalNote
    /// UTF-8 bytes of the sentence, and of the words in it that count.
    let sentence: Range<Int>
    let focus: Range<Int>
  }

  /// `notes disagree about the weight`
  let label: String
  /// In time order.
  let first: Side
  let second: Side
}

/// Finds what notes disagree about: a drug allergy and a later "no known allergies", two weights that no animal has within days,
/// two doses of a drug in force of which neither is a change, an animal that is neutered and entire.
struct RecordConflicts {
  /// Two scales, and a full stomach, differ by less than this share of the weight.
  private static let scaleShare = 0.06
  /// Within these days no animal gains or loses so much of its weight.
  private static let weightDays = 3
  private static let weightShare = 0.25
  /// Doses further apart in time are a change that nobody wrote down.
  private static let doseDays = 14

  /// Words of a correction or of a change: beside them a difference is explained.
  private static let corrections = WordPhrases([
    "correction", "corrected", "correcting", "in error", "error", "mistake", "mistaken", "wrongly", "wrong", "misread",
    "misrecorded", "in fact", "not allergic", "tolerated", "rechallenged", "not as recorded", "should read", "typo",
  ])
  private static let changes = WordPhrases([
    "increase", "increased", "increasing", "reduce", "reduced", "reducing", "up to", "down to", "from", "change",
    "changed",
    "taper", "tapering", "half", "halve", "halved", "double", "doubled", "instead", "drop", "dropped", "then", "until",
    "now", "new dose", "step", "restart", "restarted", "wean", "weaning", "loading", "was", "if", "started", "start",
  ])

  let record: PatientRecord
  let chart: PatientChart
  let desk: BriefDesk
  let classifier: AssertionClassifier
  let formulary: Formulary
  let opposites: StateOpposites

  /// - Parameter now: of what is given then.
  /// - Returns: at most one of each kind, and one a drug.
  /// - Complexity: linear in the length of the record.
  func all(at now: Timestamp) -> [RecordConflict] {
    [allergy(), neutering(), weight()].compactMap { $0 } + doses(at: now)
  }

  // MARK: - Allergy

  /// A reaction to a drug, and "no known allergies" as the last word.
  private func allergy() -> RecordConflict? {
    let said = record.recordedFacts([.allergy]).filter {
      !isOfOther($0.note) && $0.fact.assertion.experiencer == .patient
    }
    guard let denied = said.last, denied.fact.assertion.polarity == .absent, !isExplained(denied, by: Self.corrections),
      let asserted = said.last(where: {
        $0.fact.assertion.isActiveOrPast && $0.note.recordedAt < denied.note.recordedAt && isDrug($0.fact)
      })
    else { return nil }
    return conflict("notes disagree about an allergy to \(asserted.fact.name)", asserted, denied)
  }

  private func isDrug(_ fact: Fact) -> Bool {
    (fact.drugEvent?.drugID.flatMap { formulary.drug(id: $0) } ?? formulary.drug(generic: fact.name)) != nil
  }

  // MARK: - Neutering

  private func neutering() -> RecordConflict? {
    let places = desk.outlines.filter { !isOfOther($0.note) }.flatMap { outline in
      outline.sentences.map { StateOpposites.Place(note: outline.note, range: $0.range) }
    }
    guard let (one, other) = opposites.contradiction(of: StateOpposites.neutered, in: places, classifier: classifier)
    else { return nil }
    func side(_ index: Int) -> RecordConflict.Side {
      RecordConflict.Side(note: places[index].note, sentence: places[index].range, focus: places[index].range)
    }
    return RecordConflict(label: "notes disagree whether it is neutered", first: side(one), second: side(other))
  }

  // MARK: - Weight

  /// Of the last two days of weighing: two weights of one day that scales don't explain, or a change that none makes in days.
  private func weight() -> RecordConflict? {
    let weights = record.recordedFacts([.weight]).filter {
      $0.fact.assertion.isActive && $0.fact.value != nil && !$0.fact.isImplausible
        && $0.fact.amount?.upper == nil && $0.fact.writtenDate == nil && !isOfOther($0.note)
    }
    var days: [CalendarDate] = []
    for item in weights where days.last != desk.date(item.note) { days.append(desk.date(item.note)) }
    guard let from = days.suffix(2).first else { return nil }
    let late = weights.filter { desk.date($0.note) >= from }
    for (index, second) in late.enumerated().reversed() {
      for first in late[..<index].reversed() where first.note.id != second.note.id {
        guard let one = first.fact.value, let other = second.fact.value else { continue }
        let apart = desk.date(second.note).daysSince1970 - desk.date(first.note).daysSince1970
        let share = abs(one - other) / max(one, other)
        guard share > (apart == 0 ? Self.scaleShare : Self.weightShare), apart <= Self.weightDays,
          !isExplained(first, by: Self.corrections), !isExplained(second, by: Self.corrections)
        else { continue }
        return conflict("notes disagree about the weight", first, second)
      }
    }
    return nil
  }

  // MARK: - Doses

  /// The last two doses of each drug in force, where they differ, were written within days and neither is a change.
  private func doses(at now: Timestamp) -> [RecordConflict] {
    let drugs = record.recordedFacts([.drug])
    return chart.drugs.current(at: now).compactMap { entry in
      let dosed = drugs.filter {
        $0.fact.name == entry.latest.fact.name && $0.fact.assertion.isActive && Self.dose($0.fact) != nil
          && !isOfOther($0.note)
      }
      guard let last = dosed.last, let before = dosed.last(where: { $0.note.id != last.note.id }),
        let one = Self.dose(before.fact), let other = Self.dose(last.fact), one.unit == other.unit,
        one.value != other.value, before.fact.dosage?.frequency == last.fact.dosage?.frequency,
        last.note.recordedAt <= before.note.recordedAt.adding(days: Self.doseDays),
        // Several doses of one note are a course.
        [before, last].allSatisfy({ item in dosed.count { $0.note.id == item.note.id } == 1 }),
        [before, last].allSatisfy({ !$0.fact.hasAction(in: [.changed, .stopped]) }),
        [before, last].allSatisfy({ !isExplained($0, by: Self.changes) && !isExplained($0, by: Self.corrections) })
      else { return nil }
      return conflict("notes disagree about the dose of \(last.fact.name)", before, last)
    }
  }

  /// `20 mg` as a number and its unit; nil for a fact without dose and frequency.
  private static func dose(_ fact: Fact) -> ConvertedValue? {
    fact.dosage?.frequency == nil ? nil : fact.dosage?.dose?.comparable
  }

  // MARK: -

  private func conflict(_ label: String, _ first: RecordedFact, _ second: RecordedFact) -> RecordConflict {
    func side(_ item: RecordedFact) -> RecordConflict.Side {
      RecordConflict.Side(note: item.note, sentence: desk.sentence(item), focus: item.fact.range)
    }
    return RecordConflict(label: label, first: side(first), second: side(second))
  }

  private func isExplained(_ item: RecordedFact, by phrases: WordPhrases) -> Bool {
    phrases.first(in: WordPhrases.words(in: item.note.text, range: desk.sentence(item))) != nil
  }

  private func isOfOther(_ note: ClinicalNote) -> Bool {
    (record.facts[note.id] ?? []).contains { $0.kind == .notice && $0.name == "another patient" }
  }
}
