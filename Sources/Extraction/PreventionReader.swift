import Clinical

/// Reads vaccinations and parasite control: what was given, declined, is due or overdue.
struct PreventionReader: Sendable {
  private enum Need: String, Sendable {
    case nothing = ""
    /// The name also means a disease or a test; a word of vaccination must stand beside it.
    case context
    /// The name is first of all the disease; a vaccine must be spoken of, and no test or diagnosis.
    case vaccine
  }

  private struct Item: Sendable {
    let isVaccine: Bool
    let name: String
    let needs: Need
  }

  private var items: [Item] = []
  private var matcher = PhraseMatcher(allowsPlural: false)
  private let phrases: ContextPhrases
  private let months: WordClassSet

  init(table: DataTable, phrases: ContextPhrases, months: WordClassSet) throws(DataTableError) {
    self.phrases = phrases
    self.months = months
    for row in table.rows {
      let isVaccine: Bool
      switch row["kind"] {
      case "vaccination": isVaccine = true
      case "parasiteControl": isVaccine = false
      default: throw row.error("kind", "is neither vaccination nor parasiteControl")
      }
      for form in row.list("forms") where !matcher.add(form, payload: items.count, classes: nil) {
        throw row.error("forms", "has '\(form)', which has no words")
      }
      guard let need = Need(rawValue: row["needs"]) else { throw row.error("needs", "is neither context nor vaccine") }
      items.append(Item(isVaccine: isVaccine, name: row["name"], needs: need))
    }
  }

  func facts(in context: FactContext) -> [Fact] {
    let text = context.text
    var result: [Fact] = []
    var index = 0
    while index < text.words.count {
      let found = matcher.matches(at: index, in: text)
      guard let end = found.map(\.end).max(), let best = found.first(where: { $0.end == end }) else {
        index += 1
        continue
      }
      let item = items[best.payload]
      if let fact = fact(item, index..<end, context) { result.append(fact) }
      index = end
    }
    return result
  }

  private func fact(_ item: Item, _ words: Range<Int>, _ context: FactContext) -> Fact? {
    let text = context.text
    let sentence = text.sentence(ofWord: words.lowerBound)
    let near = max(sentence.lowerBound, words.lowerBound - 8)..<min(sentence.upperBound, words.upperBound + 12)
    let hits = phrases.hits(in: near, of: text, axes: .vaccination).filter { !$0.words.overlaps(words) }
    switch item.needs {
    case .nothing: break
    case .context: if hits.isEmpty, !isVaccineWord(words, context) { return nil }
    case .vaccine:
      let spoken = phrases.hits(in: near, of: text, axes: [.vaccine, .disease]).filter { !$0.words.overlaps(words) }
      guard spoken.contains(where: { $0.axis == .vaccine }), !spoken.contains(where: { $0.axis == .disease }) else {
        return nil
      }
    }
    var assertion = context.assertion(of: words)
    // "Vaccinated against parvo": the disease is prevented, the vaccination is a fact.
    if assertion.temporality == .hypothetical, assertion.cues.contains(where: { $0.rule == "prevent" }) {
      assertion.temporality = .current
      assertion.cues.removeAll { $0.rule == "prevent" }
    }
    var prevention = Prevention()
    applyAction(to: &prevention, assertion, of: words, within: near, context)
    return Fact(
      item.isVaccine ? .vaccination(prevention) : .parasiteControl(prevention), name: item.name,
      range: text.byteRange(of: words), assertion: assertion)
  }

  /// Fills in what was done and when it is due from the words around, also for vaccines named by brand.
  func applyAction(
    to prevention: inout Prevention, _ assertion: Assertion, of words: Range<Int>, within near: Range<Int>,
    _ context: FactContext
  ) {
    let text = context.text
    if assertion.polarity == .absent {
      prevention.event.action =
        assertion.cues.contains { $0.rule.hasPrefix("declined") } ? .declined : .notGiven
    } else if let hit = phrases.nearest(to: words, in: near, of: text, axis: .vaccination) {
      prevention.event.action = isNextDate(hit, after: words, within: near, context) ? .given : hit.action
    }
    let after = words.upperBound..<near.upperBound
    // "Nxt tet 1/23"
    if prevention.event.action == .due, words.upperBound < near.upperBound,
      let (date, _) = context.date(at: words.upperBound, months: months)
    {
      prevention.due = context.string(date)
    } else if let due = phrases.hits(in: after, of: text, axes: .vaccination).first(where: {
      $0.action == .due && $0.words.lowerBound - words.upperBound <= 8
    }) {
      for index in due.words.upperBound..<min(near.upperBound, due.words.upperBound + 5) {
        if let (date, _) = context.date(at: index, months: months) {
          prevention.due = context.string(date)
          break
        }
      }
    }
  }

  /// "DHP/L4, nxt 2/22": behind a comma stands when the next is due, after this one was given.
  private func isNextDate(
    _ hit: ContextPhrases.Hit, after words: Range<Int>, within near: Range<Int>, _ context: FactContext
  ) -> Bool {
    let next = hit.words.upperBound
    return hit.action == .due && hit.words.lowerBound > words.upperBound
      && ScannedText.isBorder(context.text.words[hit.words.lowerBound - 1])
      && next < near.upperBound && context.date(at: next, months: months) != nil
  }

  private func isVaccineWord(_ words: Range<Int>, _ context: FactContext) -> Bool {
    let written = context.string(words).lowercased()
    return ["vacc", "booster", "jab", "shot", "dhp", "l4", "fvrcp", "tricat"].contains { written.contains($0) }
  }
}
