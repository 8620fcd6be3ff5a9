import Clinical

/// Reads allergies and reactions, what owners decided, results still to come, and what a note says about itself.
struct EventReader: Sendable {
  private enum Reach: String { case after, phrase, `self`, none }

  private struct Event: Sendable {
    /// Nil for words that only look like an event ("refuses food").
    let kind: FactKind?
    let name: String
    let reach: Reach
  }

  private var events: [Event] = []
  private var matcher = PhraseMatcher(allowsPlural: false)

  /// - Parameters:
  ///   - table: `events.tsv`.
  ///   - classes: those that phrases name.
  /// - Throws: ``DataTableError`` for a kind or a reach that there is none of, and for a phrase that can't be read.
  init(table: DataTable, classes: WordClasses) throws(DataTableError) {
    for row in table.rows {
      let kind: FactKind?
      switch row["kind"] {
      case "allergy": kind = .allergy
      case "ownerDecision": kind = .ownerDecision
      case "pendingResult": kind = .pendingResult
      case "notice": kind = .notice
      case "none": kind = nil
      default: throw row.error("kind", "is no kind of event")
      }
      guard let reach = Reach(rawValue: row["reach"]) else { throw row.error("reach", "is no reach") }
      for form in row.list("forms") where !matcher.add(form, payload: events.count, classes: classes) {
        throw row.error("forms", "has '\(form)', which has no words or names no class")
      }
      events.append(Event(kind: kind, name: row["name"], reach: reach))
    }
  }

  /// Reads events; allergies are to the drugs named in the note, and tests among its findings may be pending.
  func facts(in context: FactContext, drugs: [DrugMention], findings: [Finding]) -> [Fact] {
    let text = context.text
    var result: [Fact] = []
    var index = 0
    while index < text.words.count {
      let found = matcher.matches(at: index, in: text)
      guard let end = found.map(\.end).max() else {
        index += 1
        continue
      }
      var kinds: Set<FactKind> = []
      for match in found where match.end == end {
        let event = events[match.payload]
        guard let kind = event.kind, kinds.insert(kind).inserted else { continue }
        if let fact = fact(event, of: kind, index..<end, context, drugs, findings) { result.append(fact) }
      }
      index = end
    }
    return result
  }

  private func fact(
    _ event: Event, of kind: FactKind, _ words: Range<Int>, _ context: FactContext, _ drugs: [DrugMention],
    _ findings: [Finding]
  ) -> Fact? {
    switch kind {
    case .allergy: allergy(event, words, context, drugs)
    case .pendingResult: pending(event, words, context, findings)
    case .notice:
      Fact(
        .notice(subject: context.string(context.phrase(around: words))), name: event.name,
        range: context.text.byteRange(of: words), assertion: context.assertion(of: words))
    default: decision(event, words, context)
    }
  }

  private func allergy(
    _ event: Event, _ words: Range<Int>, _ context: FactContext, _ drugs: [DrugMention]
  ) -> Fact? {
    let text = context.text
    let range = text.byteRange(of: words)
    switch event.reach {
    case .none:
      if let subject = excepted(behind: words, in: text) {
        let drug = drugs.first { subject.contains($0.words.lowerBound) }
        let named = drug?.words ?? subject
        let written = context.string(named)
        return Fact(
          .allergy(Allergy(subject: written)), name: drug?.drug.generic ?? written.lowercased(), range: range,
          valueRange: text.byteRange(of: named))
      }
      return Fact(.allergy(Allergy()), name: event.name, range: range, assertion: Assertion(polarity: .absent))
    case .`self`, .phrase:
      return Fact(
        .allergy(Allergy(subject: context.string(context.phrase(around: words)))), name: event.name, range: range,
        assertion: context.assertion(of: words))
    case .after:
      let phrase = context.phrase(around: words)
      let subject = words.upperBound..<min(phrase.upperBound, words.upperBound + 8)
      guard !subject.isEmpty else { return nil }
      let near = subject.lowerBound..<min(subject.upperBound, subject.lowerBound + 4)
      let drug = drugs.first { near.contains($0.words.lowerBound) }
      // "Vomited after breakfast" is no adverse reaction; only a drug makes it one.
      if drug == nil, event.name == "adverse effect of" { return nil }
      let target = drug?.words ?? subject
      let written = context.string(subject)
      return Fact(
        .allergy(Allergy(subject: written, reaction: context.string(words).lowercased())),
        name: drug?.drug.generic ?? written.lowercased(), range: range,
        valueRange: text.byteRange(of: target), assertion: context.assertion(of: target))
    }
  }

  /// "No known allergies except penicillin" tells of one: what a denial leaves out, in its sentence.
  private func excepted(behind words: Range<Int>, in text: ScannedText) -> Range<Int>? {
    let rest = words.upperBound..<max(words.upperBound, text.sentence(ofWord: words.lowerBound).upperBound)
    guard let place = rest.first(where: { text.words[$0].isOne(of: .exception) }) else { return nil }
    let behind = (place + 1)..<min(rest.upperBound, place + 1 + Self.mostExcepted)
    guard let last = behind.last(where: { text.words[$0].kind == .word }) else { return nil }
    return behind.lowerBound..<(last + 1)
  }

  /// Words that what is left out may have.
  private static let mostExcepted = 8

  private func pending(
    _ event: Event, _ words: Range<Int>, _ context: FactContext, _ findings: [Finding]
  ) -> Fact? {
    let text = context.text
    let sentence = text.byteRange(of: text.sentence(ofWord: words.lowerBound))
    let cue = text.byteRange(of: words)
    func distance(_ finding: Finding) -> Int {
      max(cue.lowerBound - finding.range.upperBound, finding.range.lowerBound - cue.upperBound)
    }
    let tests = findings.filter {
      ($0.kind == .test || $0.kind == .problem) && $0.range.lowerBound >= sentence.lowerBound
        && $0.range.upperBound <= sentence.upperBound
    }
    let nearest = tests.min { ($0.kind == .test ? 0 : 1, distance($0)) < ($1.kind == .test ? 0 : 1, distance($1)) }
    // "Not sent for histology": nothing is to come.
    if nearest?.assertion.polarity == .absent || context.assertion(of: words).polarity == .absent { return nil }
    let phrase = context.string(context.phrase(around: words))
    return Fact(
      .pendingResult(subject: phrase), name: nearest?.name ?? phrase.lowercased(), range: cue,
      valueRange: nearest?.range, assertion: Assertion(polarity: .uncertain))
  }

  private func decision(_ event: Event, _ words: Range<Int>, _ context: FactContext) -> Fact? {
    let text = context.text
    let phrase = context.phrase(around: words)
    let after = context.string(words.upperBound..<phrase.upperBound)
    let before = context.string(phrase.lowerBound..<words.lowerBound)
    var subject = after.isEmpty ? before : after
    // "Discussed bloods - declined": what was declined stands before the dash.
    if subject.utf8.count < 3, phrase.lowerBound > text.sentence(ofWord: words.lowerBound).lowerBound {
      subject = context.string(context.phrase(around: (phrase.lowerBound - 1)..<phrase.lowerBound))
    }
    return Fact(
      .ownerDecision(OwnerDecision(subject: subject, amount: amount(in: phrase, context))), name: event.name,
      range: text.byteRange(of: words), valueRange: text.byteRange(of: phrase),
      assertion: assertion(ofDecision: words, context))
  }

  /// Only a denial ("no DNR") and a condition change a decision: it is the owner's, and a plan is where it stands.
  private func assertion(ofDecision words: Range<Int>, _ context: FactContext) -> Assertion {
    let full = context.assertion(of: words)
    var result = Assertion()
    let isConditional = full.cues.contains { $0.rule == "if" }
    if full.polarity == .absent { result.polarity = .absent }
    if full.temporality == .hypothetical, isConditional { result.temporality = .hypothetical }
    if result != Assertion() { result.cues = full.cues }
    return result
  }

  /// "£2,500", "$300", "400 pounds", "4,000 GBP".
  private func amount(in range: Range<Int>, _ context: FactContext) -> String? {
    let text = context.text
    for index in range where text.words[index].kind == .number {
      if index > 0, ["£", "$", "€"].contains(context.string((index - 1)..<index)) {
        return context.string((index - 1)..<(index + 1))
      }
      if range.contains(index + 1), text.words[index + 1].isOne(of: .currency) {
        return context.string(index..<(index + 2))
      }
    }
    return nil
  }

}
