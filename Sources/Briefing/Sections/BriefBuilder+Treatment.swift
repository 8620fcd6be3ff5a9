import Chart
import Clinical
import Extraction
import TextAnalysis

// What is given: drugs, vaccines, parasite control. Doses and dates are the notes' own words.

extension BriefBuilder {
  private static let drugLimit = 8
  private static let preventionLimit = 3
  /// A packet of so long before the last word on the drug is not the one in the house.
  private static let dispensedDays = 400

  func drugLines(
    _ record: PatientRecord, _ chart: PatientChart, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    chart.drugs.current(at: context.now).prefix(Self.drugLimit).compactMap { entry in
      drugLine(entry, in: record, &desk)
    }
  }

  /// The drug's name, its dose in the note's own words, and when it was last spoken of.
  func drugLine(_ entry: DrugCourse, in record: PatientRecord, _ desk: inout BriefDesk) -> Brief.Line? {
    let source = entry.regimen ?? entry.dosed ?? entry.latest
    guard var line = desk.line(entry.drug, quoting: regimen(source, in: record, desk)) else { return nil }
    // "Still on it BID": how much stands in an older note.
    if !DrugCourse.isDosed(source.fact), let dosed = entry.dosed, dosed.note.id != source.note.id,
      let dose = desk.line("before", quoting: regimen(dosed, in: record, desk))
    {
      line.text += "; " + dose.text
      line.citations += dose.citations
    }
    if let change = doseChange(after: source, in: record, desk), let more = desk.line("then", quoting: change) {
      line.text += "; " + more.text
      line.citations += more.citations.filter { !line.citations.contains($0) }
    }
    if let planned = entry.planned, let plan = desk.line("plan", quoting: regimen(planned, in: record, desk)) {
      line.text += "; " + plan.text
      line.citations += plan.citations.filter { !line.citations.contains($0) }
    } else if source.note.id != entry.latest.note.id, let latest = desk.line("", [entry.latest]) {
      line.text += ", last named \(desk.date(entry.latest.note))"
      line.citations += latest.citations.filter { !line.citations.contains($0) }
    }
    if let dispensed = lastDispensed(entry, in: record), dispensed.note.id != source.note.id,
      dispensed.note.recordedAt >= entry.latest.note.recordedAt.adding(days: -Self.dispensedDays),
      let more = desk.line("dispensed", quoting: regimen(dispensed, in: record, desk))
    {
      line.text += "; " + more.text
      line.citations += more.citations.filter { !line.citations.contains($0) }
    }
    return line
  }

  /// The latest note that hands the drug out.
  private func lastDispensed(_ entry: DrugCourse, in record: PatientRecord) -> RecordedFact? {
    record.recordedFacts([.drug]).last { item in
      item.fact.name == entry.drug && item.fact.assertion.polarity == .present
        && item.fact.assertion.experiencer == .patient && item.fact.assertion.temporality != .hypothetical
        && (item.fact.action == .dispensed || item.note.kind == .prescription)
    }
  }

  /// The words from a drug's dose or name to the next drug or the end of its sentence.
  private func regimen(_ item: RecordedFact, in record: PatientRecord, _ desk: BriefDesk) -> Excerpt? {
    let sentence = desk.sentence(item)
    let others = (record.facts[item.note.id] ?? []).filter {
      $0.kind == .drug && $0.range.lowerBound >= item.fact.range.upperBound
    }
    let bytes = Array(item.note.text.utf8)
    var start = item.fact.range.lowerBound
    var end = min(sentence.upperBound, others.map(\.range.lowerBound).min() ?? .max)
    end = max(item.fact.range.upperBound, end)
    // "furosemide 20 mg BID and pimobendan": what joins the two is part of neither.
    while let word = bytes[item.fact.range.upperBound..<end].split(whereSeparator: { $0 <= 0x20 }).last,
      Self.joints.contains(String(decoding: word, as: UTF8.self).lowercased())
    {
      end = word.startIndex
    }
    // "5 mg prednisolone": the dose stands before the name.
    if let dose = item.fact.dosage?.dose?.text {
      let lower = max(sentence.lowerBound, start - dose.utf8.count - 4)
      start = lower + (Self.offset(of: dose, in: Array(bytes[lower..<start])) ?? start - lower)
    }
    return Excerpt(item.note, start..<end, focus: item.fact.range, limit: 90)
  }

  /// The next sentence that changes the dose without naming a drug: "… dropped it to 300 mg in the evening".
  private func doseChange(after item: RecordedFact, in record: PatientRecord, _ desk: BriefDesk) -> Excerpt? {
    let drugs = (record.facts[item.note.id] ?? []).filter { $0.kind == .drug }
    var sentence = desk.sentence(item)
    for _ in 0..<2 {
      guard let next = desk.sentence(after: sentence, of: item.note),
        !drugs.contains(where: { next.contains($0.range.lowerBound) })
      else { return nil }
      if lexicon.plans.marksDoseChange(next, of: item.note) { return Excerpt(item.note, next, limit: 120) }
      sentence = next
    }
    return nil
  }

  private static let joints: Set<String> = ["and", "+", "&", "/", "plus", "with", "or", "then"]

  private static func offset(of words: String, in bytes: [UInt8]) -> Int? {
    let words = Array(words.utf8)
    return bytes.indices.first { bytes[$0...].starts(with: words) }
  }

  func preventionLines(
    _ prevention: PreventionCourses, of species: Species, _ context: BriefContext, _ desk: inout BriefDesk
  ) -> [Brief.Line] {
    let today = context.zone.date(of: context.visit.appointment?.start ?? context.now)
    // Vaccines given together stand in one sentence and one line.
    var sentences: [(note: ClinicalNote, range: Range<Int>, entries: [PreventionStanding])] = []
    for entry in prevention.standings(at: context.now, zone: context.zone, of: species) {
      let range = desk.sentence(entry.latest)
      if let known = sentences.firstIndex(where: { $0.note.id == entry.latest.note.id && $0.range == range }) {
        sentences[known].entries.append(entry)
      } else {
        sentences.append((entry.latest.note, range, [entry]))
      }
    }
    return sentences.prefix(Self.preventionLimit).compactMap { sentence in
      let labels = sentence.entries.map(\.label).joined(separator: ", ")
      let dues = sentence.entries.compactMap(\.due).filter {
        $0.item.note.id == sentence.note.id && desk.sentence($0.item) == sentence.range
      }
      let upper = dues.map { Self.dueWords($0.item).upperBound }.max() ?? 0
      let range = sentence.range.lowerBound..<max(sentence.range.upperBound, upper)
      guard
        var line = desk.line(
          labels, quoting: Excerpt(sentence.note, range, focus: sentence.entries.first?.latest.fact.range, limit: 110))
      else { return nil }
      for entry in sentence.entries {
        guard let due = entry.due else { continue }
        if due.item.note.id != sentence.note.id || desk.sentence(due.item) != sentence.range,
          let more = desk.line(
            sentence.entries.count > 1 ? "\(entry.label) due" : "due",
            quoting: Excerpt(due.item.note, Self.dueWords(due.item), limit: 90))
        {
          line.text += "; " + more.text
          line.citations += more.citations.filter { !line.citations.contains($0) }
        }
        if due.date.isPast(on: today), due.item.note.recordedAt >= entry.latest.note.recordedAt {
          line.text += " – \(sentence.entries.count > 1 ? entry.label + " " : "")OVERDUE"
        }
      }
      return line
    }
  }

  /// From a vaccine's name to its due date.
  private static func dueWords(_ item: RecordedFact) -> Range<Int> {
    let range = item.fact.range
    guard let due = item.fact.prevention?.due else { return range }
    let after = Array(item.note.text.utf8.dropFirst(range.upperBound).prefix(200))
    return range
      .lowerBound..<(offset(of: due, in: after).map { range.upperBound + $0 + due.utf8.count } ?? range.upperBound)
  }
}
