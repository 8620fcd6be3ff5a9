import Clinical
import Extraction
import Glibc
import TextAnalysis

/// Ranks the sentences of a record by how likely they answer a question.
package struct EvidenceRanking {
  package let question: Question
  let finder: EvidenceFinder
  /// Best first.
  package let readings: [Reading]
  let replies: ReplyModel

  init(_ finder: EvidenceFinder, signs: SignReader, classifier: AssertionClassifier, model: AnswerModel) {
    self.init(finder, Self.readings(finder, signs: signs, classifier: classifier), model: model)
  }

  /// Ranks readings that were measured before.
  package init(_ finder: EvidenceFinder, _ measured: [Reading], model: AnswerModel) {
    question = finder.question
    self.finder = finder
    replies = model.replies
    var readings = measured
    for index in readings.indices { readings[index].score = model.score(readings[index].features) }
    let best = readings.map(\.score).max() ?? 0
    let total = readings.reduce(0) { $0 + exp($1.score - best) }
    for index in readings.indices { readings[index].share = exp(readings[index].score - best) / max(total, 1e-12) }
    self.readings = readings.sorted {
      ($1.score, $0.match.unit.position) < ($0.score, $1.match.unit.position)
    }
  }

  /// The sentences that hold anything of what was asked, measured, in the order of the record.
  static func readings(
    _ finder: EvidenceFinder, signs: SignReader, classifier: AssertionClassifier, all: Bool = false
  ) -> [Reading] {
    // By note: what a note says is read once for all of its sentences.
    var notes: [[Match]] = []
    for match in finder.matches(all: all) {
      if notes.last?.last?.unit.note.id == match.unit.note.id {
        notes[notes.count - 1].append(match)
      } else {
        notes.append([match])
      }
    }
    var readings = Concurrent.map(notes, portion: 4) { matches -> [Reading] in
      guard let note = matches.first?.unit.note else { return [] }
      let context = classifier.context(of: note.text)
      return matches.map { reading($0, finder, signs, classifier, context) }
    }.flatMap { $0 }
    measureRecency(&readings, finder.question)
    return translated(readings, by: finder)
  }

  /// The readings that are candidates, with what the finder's translation says of each.
  package static func translated(_ readings: [Reading], by finder: EvidenceFinder) -> [Reading] {
    guard let translation = finder.translation else { return readings }
    return readings.filter { finder.isCandidate($0.match) }.map { reading in
      var reading = reading
      reading.features[.met] = translation.met[reading.match.place]
      guard !translation.own.isEmpty else { return reading }
      reading.features[.translated] = translation.own[reading.match.place]
      reading.features[.translatedBeside] = translation.beside[reading.match.place]
      reading.features[.translatedNote] = translation.note[reading.match.place]
      return reading
    }
  }

  private static func reading(
    _ match: Match, _ finder: EvidenceFinder, _ signs: SignReader, _ classifier: AssertionClassifier,
    _ context: AssertionContext
  ) -> Reading {
    let assertions = match.parts.map { part -> Assertion in
      let said = Self.assertion(of: part, in: match.unit, classifier, context)
      return part.isContrary ? said.reversed : said
    }
    let deniesPart = zip(match.parts, assertions).contains { part, assertion in
      finder.groups[part.group].force == .specific && assertion.polarity == .absent
    }
    let topic = topicPart(of: match, finder) ?? 0
    var clauses = ClauseSigns(match.unit, signs)
    let unitSigns = signs.signs(of: match.unit, clauses.words)
    var reading = Reading(
      match: match, assertion: assertions.indices.contains(topic) ? assertions[topic] : Assertion(),
      deniesPart: deniesPart, signs: unitSigns,
      nearSigns: match.parts.isEmpty ? unitSigns : clauses.signs(near: match.parts[topic].range),
      features: Measures())
    measure(&reading, finder)
    return reading
  }

  private static func assertion(
    of part: Match.Part, in unit: EvidenceUnit, _ classifier: AssertionClassifier, _ context: AssertionContext
  ) -> Assertion {
    // "Hx of Addison's? no hx."
    if let answer = unit.answer, answer.asked.contains(part.range.lowerBound) {
      var assertion = classifier.assertion(of: part.range, in: context)
      assertion.polarity = answer.isYes ? .present : .absent
      return assertion
    }
    // "NKDA": the denial is in the fact itself.
    if let fact = part.fact, fact.kind == .allergy, fact.assertion.polarity == .absent { return fact.assertion }
    let head = classifier.assertion(of: part.range, in: context)
    guard head.polarity == .present else { return head }
    // "HR 108, no murmur", "cornea: no ulcer": a phrase is denied with any of its words.
    return part.others.lazy.map { classifier.assertion(of: $0, in: context) }.first { $0.polarity == .absent } ?? head
  }

  /// The part that says what is asked: the weightiest, but of "stones on x-ray" the stones, not the x-ray.
  private static func topicPart(of match: Match, _ finder: EvidenceFinder) -> Int? {
    let tests = finder.question.tests.asked
    func isMeans(_ part: Match.Part) -> Bool {
      let group = finder.groups[part.group]
      return part.fact?.kind == .procedure || group.kinds.contains(.lab)
        || WordForm.words(of: group.text).contains(where: tests.contains)
    }
    func first(_ force: Question.Force) -> Int? {
      match.parts.indices.first { index in
        finder.groups[match.parts[index].group].force == force && !isMeans(match.parts[index])
      }
    }
    return first(.specific) ?? first(.generic) ?? first(.weak) ?? match.parts.indices.first
  }
}

extension Assertion {
  /// What it says of the contrary: benign is not malignant.
  fileprivate var reversed: Assertion {
    var other = self
    switch polarity {
    case .present: other.polarity = .absent
    case .absent: other.polarity = .present
    default: break
    }
    return other
  }
}
