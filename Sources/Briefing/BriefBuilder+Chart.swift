import Clinical
import Extraction

// The lines that rest on notes. Each quotes or counts cited words.

extension BriefBuilder {
  private static let problemLimit = 6
  private static let earlierLimit = 6
  private static let drugLimit = 8
  private static let preventionLimit = 4
  private static let resultLimit = 6
  private static let resultValues = 3
  /// Older values say little of today; the last ones are shown where there are no newer.
  private static let resultDays = 2 * 365
  private static let oldResultLimit = 3
  private static let pendingLimit = 3
  private static let pendingDays = 365
  private static let ownerLimit = 3
  private static let ownerDays = 2 * 365

  func alertLines(_ record: PatientRecord, _ context: BriefContext, _ desk: inout BriefDesk) -> [Brief.Line] {
    var alerts: [(labels: [String], note: ClinicalNote, range: Range<Int>, focus: Range<Int>)] = []
    func add(_ label: String, _ note: ClinicalNote, _ range: Range<Int>, _ focus: Range<Int>) {
      // Neighbouring sentences are one warning; one sentence may be several alerts.
      for index in alerts.indices where alerts[index].note.id == note.id {
        let known = alerts[index].range
        let union = min(known.lowerBound, range.lowerBound)..<max(known.upperBound, range.upperBound)
        guard known.overlaps(range) || union.count <= Self.alertBytes, !isApart(known, range, in: note, desk) else { continue }
        alerts[index].range = union
        if !alerts[index].labels.contains(label) { alerts[index].labels.append(label) }
        return
      }
      alerts.append(([label], note, range, focus))
    }
    var names: Set<String> = []
    for item in record.recordedFacts([.allergy]).reversed() where item.fact.assertion.isActiveOrPast {
      // Without words of its own for the reaction ("alert on file") the name is a guess, and the phrases below do better.
      guard let reaction = item.fact.attributes["reaction"], !lexicon.alerts.isException(desk.sentence(item), of: item.note),
        names.insert(item.fact.name).inserted
      else { continue }
      add("\(reaction) \(item.fact.name)", item.note, desk.sentence(item), item.fact.range)
    }
    for found in lexicon.alerts.found(in: desk.outlines, by: classifier, at: context.now) {
      add(found.alert.label, found.note, found.sentence, found.focus)
    }
    return alerts.compactMap { alert in
      // "Alert on file" alone: what for stands in the sentence before.
      var range = alert.range
      if range.count < Self.shortBytes, let before = desk.sentence(before: range, of: alert.note),
        range.upperBound - before.lowerBound <= Self.alertBytes
      {
        range = before.lowerBound..<range.upperBound
      }
      return desk.line(alert.labels.joined(separator: "; "), quoting: Excerpt(alert.note, range, focus: alert.focus, limit: Self.alertBytes))
    }
  }

  private static let alertBytes = 150
  /// A sentence so short leans on the one before it.
  private static let shortBytes = 24

  /// Whether a sentence that is neither stands between two.
  private func isApart(_ one: Range<Int>, _ other: Range<Int>, in note: ClinicalNote, _ desk: BriefDesk) -> Bool {
    let (first, second) = one.lowerBound < other.lowerBound ? (one, other) : (other, one)
    guard first.upperBound < second.lowerBound else { return false }
    return desk.sentence(before: second, of: note).map { $0.lowerBound >= first.upperBound + Self.shortBytes } ?? true
  }

  func problemLines(_ problems: ProblemList, _ desk: inout BriefDesk) -> [Brief.Line] {
    let listed = problems.active.map { ($0, $0.name) } + problems.suspected.map { ($0, "suspected \($0.name)") }
    var lines: [Brief.Line] = []
    for (entry, label) in listed.prefix(Self.problemLimit) {
      guard var line = desk.line(label, quoting: desk.excerpt(around: entry.latest, limit: 80)) else { continue }
      if entry.lastAt.seconds - entry.firstAt.seconds > 90 * 86_400, let first = entry.mentions.first {
        line.text += ", since \(desk.date(first))"
      }
      lines.append(line)
    }
    func dated(_ entry: ProblemList.Entry) -> String {
      let doubt = entry.latest.fact.assertion.polarity == .uncertain ? "suspected " : ""
      return "\(doubt)\(entry.name) (\(desk.date(entry.latest.note)))"
    }
    let more = listed.dropFirst(Self.problemLimit).map(\.0) + problems.earlier
    for (label, entries) in [("earlier", more), ("ruled out", problems.ruledOut)] where !entries.isEmpty {
      let shown = Array(entries.prefix(Self.earlierLimit))
      lines += [desk.line("\(label): \(shown.map(dated).joined(separator: ", "))", shown.map(\.latest))].compactMap { $0 }
    }
    return lines
  }

  func drugLines(_ record: PatientRecord, _ context: BriefContext, _ desk: inout BriefDesk) -> [Brief.Line] {
    MedicationList.current(record, at: context.now).prefix(Self.drugLimit).compactMap { entry in
      drugLine(entry, in: record, &desk)
    }
  }

  /// The drug's name, its dose in the note's own words, and when it was last spoken of.
  func drugLine(_ entry: MedicationList.Entry, in record: PatientRecord, _ desk: inout BriefDesk) -> Brief.Line? {
    let source = entry.dosed ?? entry.latest
    guard var line = desk.line(entry.name, quoting: regimen(source, in: record, desk)) else { return nil }
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
    return line
  }

  /// The words from a drug's dose or name to the next drug or the end of its sentence.
  private func regimen(_ item: RecordedFact, in record: PatientRecord, _ desk: BriefDesk) -> Excerpt? {
    let sentence = desk.sentence(item)
    let others = (record.facts[item.note.id] ?? []).filter { $0.kind == .drug && $0.range.lowerBound >= item.fact.range.upperBound }
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
    if let dose = item.fact.attributes["dose"] {
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
      guard let next = desk.sentence(after: sentence, of: item.note), !drugs.contains(where: { next.contains($0.range.lowerBound) })
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

  func preventionLines(_ record: PatientRecord, _ context: BriefContext, _ desk: inout BriefDesk) -> [Brief.Line] {
    let today = context.zone.date(of: context.appointment?.start ?? context.now)
    let list = PreventionList(record, groups: lexicon.prevention, zone: context.zone)
    // Vaccines given together stand in one sentence and one line.
    var sentences: [(note: ClinicalNote, range: Range<Int>, entries: [PreventionList.Entry])] = []
    for entry in list.entries {
      let range = desk.sentence(entry.latest)
      if let known = sentences.firstIndex(where: { $0.note.id == entry.latest.note.id && $0.range == range }) {
        sentences[known].entries.append(entry)
      } else {
        sentences.append((entry.latest.note, range, [entry]))
      }
    }
    return sentences.prefix(Self.preventionLimit).compactMap { sentence in
      let labels = sentence.entries.map(\.label).joined(separator: ", ")
      guard var line = desk.line(labels, quoting: Excerpt(sentence.note, sentence.range, focus: sentence.entries.first?.latest.fact.range, limit: 110))
      else { return nil }
      for entry in sentence.entries {
        guard let due = entry.due else { continue }
        if due.item.note.id != sentence.note.id || desk.sentence(due.item) != sentence.range,
          let more = desk.line(sentence.entries.count > 1 ? "\(entry.label) due" : "due", quoting: desk.excerpt(around: due.item, limit: 70))
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

  func resultLines(_ record: PatientRecord, _ context: BriefContext, _ desk: inout BriefDesk) -> [Brief.Line] {
    let trends = ResultTrend.all(in: record, zone: context.zone)
    let horizon = context.zone.date(of: context.now.adding(days: -Self.resultDays))
    let recent = trends.filter { ($0.values.last?.date ?? horizon) > horizon }
    let shown = recent.isEmpty ? trends.prefix(Self.oldResultLimit) : recent.prefix(Self.resultLimit)
    return shown.compactMap { trend in
      let line = trend.line(latest: Self.resultValues)
      return desk.line(line.text, line.items)
    }
  }

  func pendingLines(_ record: PatientRecord, _ context: BriefContext, _ desk: inout BriefDesk) -> [Brief.Line] {
    let horizon = context.now.adding(days: -Self.pendingDays)
    var lines: [Brief.Line] = []
    var cited: Set<[Int]> = []
    for item in record.recordedFacts([.pendingResult]).reversed() where item.note.recordedAt >= horizon && lines.count < Self.pendingLimit {
      guard !hasCome(item, in: record), let line = desk.line("", quoting: desk.excerpt(around: item, limit: 120)),
        cited.insert(line.citations).inserted
      else { continue }
      lines.append(line)
    }
    return lines
  }

  /// Whether a later note names the test with something other than its being awaited.
  private func hasCome(_ pending: RecordedFact, in record: PatientRecord) -> Bool {
    record.recordedFacts([.lab, .procedure, .problem]).contains { later in
      later.note.recordedAt > pending.note.recordedAt && later.fact.name == pending.fact.name
        && later.fact.attributes["result"] != "pending" && later.fact.assertion.polarity != .uncertain
        && later.fact.assertion.temporality == .current
    }
  }

  /// What the owner agreed to, declined or set as a limit.
  func ownerLines(_ record: PatientRecord, _ context: BriefContext, _ desk: inout BriefDesk) -> [Brief.Line] {
    let horizon = context.now.adding(days: -Self.ownerDays)
    var lines: [Brief.Line] = []
    var cited: Set<[Int]> = []
    for item in record.recordedFacts([.ownerDecision]).reversed() where lines.count < Self.ownerLimit {
      guard item.note.recordedAt >= horizon, Self.decisions.contains(item.fact.name) else { continue }
      let written = (item.note.text.slice(utf8: item.fact.range) ?? "").lowercased()
      let assertion = classifier.assertion(of: item.fact.range, in: item.note.text)
      // An animal that refuses a walk decides nothing, nor does "if he refuses food".
      guard !written.hasPrefix("refus"), assertion.temporality != .hypothetical else { continue }
      guard let line = desk.line("", quoting: desk.excerpt(around: item, limit: 110)), cited.insert(line.citations).inserted
      else { continue }
      lines.append(line)
    }
    return lines
  }

  private static let decisions: Set<String> = ["declined", "agreed", "budget", "authorised", "euthanasia discussed"]

  func planLines(_ last: LastEntries, _ context: BriefContext, _ desk: inout BriefDesk) -> [Brief.Line] {
    guard let plan = last.plan else { return [] }
    let author = plan.note.author.map { context.staffNames[$0] ?? $0 }
    let heading = "\(desk.date(plan.note)) \(plan.note.kind.rawValue)\(author.map { ", \($0)" } ?? "")"
    let quotes = plan.sentences.compactMap { Excerpt(plan.note, $0, limit: 140) }
    return quotes.enumerated().compactMap { index, excerpt in
      desk.line(index == 0 ? "\(heading): \(excerpt.quoted)" : excerpt.quoted, excerpt.note, excerpt.range)
    }
  }

  func sinceLines(_ last: LastEntries, _ record: PatientRecord, _ desk: inout BriefDesk) -> [Brief.Line] {
    var lines: [Brief.Line] = []
    for outline in last.since {
      let facts = record.facts[outline.note.id] ?? []
      let sentences = outline.sentences.map(\.range)
      // Greetings and heads of e-mails say nothing; sentences with facts do.
      let telling = sentences.filter { sentence in facts.contains { sentence.contains($0.range.lowerBound) } }
      let shown = telling.isEmpty ? Array(sentences.suffix(2)) : Array(telling.prefix(2))
      for (index, range) in shown.enumerated() {
        guard let excerpt = Excerpt(outline.note, range, limit: 120) else { continue }
        let heading = index == 0 ? "\(desk.date(outline.note)) \(outline.note.kind.rawValue): " : ""
        lines += [desk.line(heading + excerpt.quoted, excerpt.note, excerpt.range)].compactMap { $0 }
      }
    }
    return lines
  }
}
