import Chart
import Clinical
import Extraction
import TextAnalysis

/// What the records of an owner's other animals say that matters for this one.
extension BriefBuilder {
  private static let agreedLimit = 2

  /// What others may have caught, what was agreed for all, who came last time, and which of the others was here last. Each line
  /// quotes a note.
  func householdLines(
    _ record: PatientRecord, _ outlines: [NoteOutline], _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    let since = context.now.adding(days: -knowledge.household.days)
    var lines = context.household.flatMap { spreadLines($0, near: record.patient.species, context, &desk) }
    let others = context.household.flatMap { other in
      other.notes.filter { $0.recordedAt >= since }.map { (other.patient, outline($0)) }
    }
    let own = outlines.filter { $0.note.recordedAt >= since }.map { (record.patient, $0) }
    if !context.household.isEmpty {
      lines += agreedLines(own + others, records: [record] + context.household, context, &desk)
    }
    if let line = cameLine(own.map(\.1), &desk) { lines.append(line) }
    if let line = lastLine(others, &desk) { lines.append(line) }
    return lines
  }

  private func outline(_ note: ClinicalNote) -> NoteOutline {
    NoteOutline(note, sections: sections, splitter: sentences)
  }

  /// Problems of another animal that this one, or people, can catch, as far as they are open.
  private func spreadLines(
    _ other: PatientRecord, near species: Species, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    let items = other.recordedFacts([.problem])
    let courses = ProblemCourses(items)
    return (courses.active(at: context.now) + courses.suspected(at: context.now)).compactMap { course in
      guard let spread = knowledge.household.spread(of: course.name), let reached = spread.words(near: species) else {
        return nil
      }
      if let days = spread.days, course.lastAt < context.now.adding(days: -days) { return nil }
      let word = items.last {
        $0.fact.name == course.name && $0.fact.assertion.experiencer == .patient
          && [.present, .uncertain].contains($0.fact.assertion.polarity)
      }
      guard let word, let sentence = outline(word.note).sentence(at: word.fact.range.lowerBound) else { return nil }
      let range = sentence.range.lowerBound..<max(sentence.range.upperBound, word.fact.range.upperBound)
      let doubt = course.state == .suspected ? "perhaps " : ""
      var line = desk.line(
        "\(Self.naming(other.patient)): \(doubt)\(course.name), can spread to \(reached)",
        quoting: Excerpt(word.note, range, focus: word.fact.range))
      line?.references.append(spread.reference)
      return line
    }
  }

  /// Sentences that plan or give something, and say it of all animals; the latest first.
  private func agreedLines(
    _ outlines: [(Patient, NoteOutline)], records: [PatientRecord], _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    let facts = Dictionary(
      records.flatMap { record in record.facts.map { ($0.key, $0.value) } }, uniquingKeysWith: { first, _ in first })
    let kinds: Set<FactKind> = [.drug, .vaccination, .parasiteControl, .procedure]
    var found: [(patient: Patient, excerpt: Excerpt)] = []
    for (patient, outline) in outlines.sorted(by: { $0.1.note.recordedAt > $1.1.note.recordedAt }) {
      for sentence in outline.sentences {
        guard
          let words = knowledge.household.shared.first(
            in: WordPhrases.words(in: outline.note.text, range: sentence.range))
        else { continue }
        let gives = (facts[outline.note.id] ?? []).contains {
          kinds.contains($0.kind) && sentence.range.contains($0.range.lowerBound) && $0.assertion.polarity != .absent
        }
        guard gives || lexicon.plans.mark(sentence.range, of: outline.note),
          let excerpt = Excerpt(outline.note, sentence.range, focus: words)
        else { continue }
        found.append((patient, excerpt))
      }
      if found.count >= Self.agreedLimit { break }
    }
    return found.prefix(Self.agreedLimit).compactMap {
      desk.line("For all of them (record of \($0.patient.name))", quoting: $0.excerpt)
    }
  }

  /// Who brought the animal the last time that a note says so, if that was the last visit.
  private func cameLine(_ outlines: [NoteOutline], _ desk: inout BriefDesk) -> Brief.Line? {
    guard let last = outlines.last(where: { Self.visitKinds.contains($0.note.kind) }) else { return nil }
    for sentence in last.sentences {
      let words = WordPhrases.words(in: last.note.text, range: sentence.range)
      guard let came = knowledge.household.came.first(in: words) else { continue }
      return desk.line("Came last time", quoting: Excerpt(last.note, sentence.range, focus: came))
    }
    return nil
  }

  /// Which of the others was here last, and why.
  private func lastLine(_ outlines: [(Patient, NoteOutline)], _ desk: inout BriefDesk) -> Brief.Line? {
    let visits = outlines.filter { Self.visitKinds.contains($0.1.note.kind) }
    guard
      let (patient, outline) = visits.max(by: {
        ($0.1.note.recordedAt, $1.1.note.id) < ($1.1.note.recordedAt, $0.1.note.id)
      }),
      let first = outline.sentences.first, let excerpt = Excerpt(outline.note, first.range), !desk.isQuoted(excerpt)
    else { return nil }
    return desk.line("\(Self.naming(patient)) was here last", quoting: excerpt)
  }

  private static let visitKinds: Set<NoteKind> = [.consult, .nurse, .surgery]

  /// `Tiggy (P012, cat)`
  private static func naming(_ patient: Patient) -> String {
    "\(patient.name) (\(patient.id), \(patient.species.rawValue))"
  }
}
