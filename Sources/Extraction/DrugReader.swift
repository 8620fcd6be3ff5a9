import Clinical
import TextAnalysis

/// Reads what stands around a drug's name: dose, route, frequency, what was done.
struct DrugReader: Sendable {
  let lexicon: DrugLexicon
  let phrases: ContextPhrases
  let parser: QuantityParser

  func facts(of mentions: [DrugMention], in context: FactContext) -> [Fact] {
    mentions.indices.map { index in
      let before = index > 0 ? mentions[index - 1].words.upperBound : 0
      let after = index + 1 < mentions.count ? mentions[index + 1].words.lowerBound : context.text.words.count
      return fact(mentions[index], between: before..<after, in: context)
    }
  }

  private func fact(_ mention: DrugMention, between limits: Range<Int>, in context: FactContext) -> Fact {
    let text = context.text
    let sentence = text.sentence(ofWord: mention.words.lowerBound)
    let end = min(limits.upperBound, sentence.upperBound, mention.words.upperBound + 30)
    let all = mention.words.upperBound..<prescriptionEnd(from: mention.words.upperBound, before: end, context)
    let behind = max(limits.lowerBound, sentence.lowerBound, mention.words.lowerBound - 8)..<mention.words.lowerBound
    let assertion = context.assertion(of: mention.words)
    var event = DrugEvent(drugID: mention.drug.id, brand: mention.brand)
    let ahead = latestRegimen(in: all, context)
    let hits = phrases.hits(in: ahead, of: text, axes: [.frequency, .route])
    // "OD" before another frequency is the right eye, not once daily.
    let frequencies = hits.filter { $0.axis == .frequency && !isConjunction($0, context) }
    let isEye = frequencies.count > 1 && frequencies.first.map { context.string($0.words) == "OD" } ?? false
    let frequency = isEye ? frequencies[1] : frequencies.first
    if isEye { event.dosage.side = .right }
    event.dosage.frequency = frequency?.frequency
    event.dosage.route = hits.first { $0.axis == .route }?.route
    let place = readQuantities(ahead, behind, frequency: frequency, into: &event, context)
    event.action = action(mention, all, behind, assertion, context)
    return Fact(
      content(event, of: mention.drug), name: mention.drug.generic, range: text.byteRange(of: mention.words),
      valueRange: place, assertion: assertion)
  }

  /// Where the last dose of a prescription begins, when it is changed on the way: "300 mg BID since Sept, take up to 300 mg TID".
  private func latestRegimen(in ahead: Range<Int>, _ context: FactContext) -> Range<Int> {
    let changes = phrases.hits(in: ahead, of: context.text, axes: .action).filter { $0.action == .changed }
    let change = changes.last { change in
      let end = change.words.upperBound
      guard end < ahead.upperBound, let (quantity, _) = parser.quantity(at: end, in: context.text) else { return false }
      return !quantity.unit.isEmpty && !quantities(in: ahead.lowerBound..<change.words.lowerBound, context).isEmpty
    }
    return change.map { $0.words.upperBound..<ahead.upperBound } ?? ahead
  }

  /// "0.2 mg/kg once the last pup was clamped": no frequency.
  private func isConjunction(_ hit: ContextPhrases.Hit, _ context: FactContext) -> Bool {
    let next = hit.words.upperBound
    return hit.frequency == .once && hit.words.count == 1 && next < context.text.words.count
      && context.text.words[next].isOne(of: .clausestart)
  }

  /// Whether a dose, a route or a word of giving stands beside a name that may also be a test's.
  func isGiven(_ mention: DrugMention, _ context: FactContext) -> Bool {
    let all = context.text.words.count
    let fact = fact(mention, between: max(0, mention.words.lowerBound - 8)..<all, in: context)
    guard let event = fact.drugEvent else { return false }
    let isDosed = event.dosage.dose != nil || event.dosage.route != nil || event.dosage.frequency != nil
    return isDosed || event.action.map { $0 != .notGiven } ?? false
  }

  /// Where a prescription ends: at the phrase that is about something else. "0.5 mg/kg bid (0.35 ml), fluids 15 ml sc" ends
  /// before the fluids; "5 mg, 100: one BID for 7 days" goes on to the end.
  private func prescriptionEnd(from start: Int, before limit: Int, _ context: FactContext) -> Int {
    let text = context.text
    var index = start
    var depth = 0
    while index < limit {
      let word = text.words[index]
      let byte = context.byte(index)
      if word.kind == .symbol, byte == 0x28 || byte == 0x5B { depth += 1 }
      if word.kind == .symbol, byte == 0x29 || byte == 0x5D { depth -= 1 }
      let isJoint = ScannedText.isBorder(word) || Self.joints.contains(word.hash)
      if isJoint, depth <= 0, index > start || word.hash != Sign.dash {
        var next = index + 1
        while next < limit, text.words[next].kind == .symbol { next += 1 }
        if next >= limit || !continuesPrescription(next, limit, context) { return index }
      }
      index += 1
    }
    return limit
  }

  private func continuesPrescription(_ index: Int, _ limit: Int, _ context: FactContext) -> Bool {
    // "Halved, back to 0.625 mg": particles on the way to a number.
    let index = (index..<limit).first { !context.text.words[$0].isOne(of: .particle) } ?? index
    let word = context.text.words[index]
    if word.kind == .number || Self.numbers[word.hash] != nil || word.isOne(of: .dosing) { return true }
    let axes: ContextPhrases.Axes = [.frequency, .route, .action]
    return phrases.hits(in: index..<min(limit, index + 4), of: context.text, axes: axes).contains {
      $0.words.lowerBound == index
    }
  }

  private func content(_ event: DrugEvent, of drug: DrugEntry) -> Fact.Content {
    if drug.classes.contains(where: { $0.hasPrefix("vaccine") }) { return .vaccination(Prevention(event: event)) }
    let isAgainstParasites = drug.classes.contains { Self.parasiteClasses.contains($0) }
    return isAgainstParasites ? .parasiteControl(Prevention(event: event)) : .drug(event)
  }

  private static let parasiteClasses: Set<String> = [
    "antiparasitic", "flea", "wormer", "heartwormprev", "isoxazoline", "lungworm",
  ]

  // MARK: - Doses

  /// - Returns: bytes of the dose; nil where none has a unit.
  private func readQuantities(
    _ ahead: Range<Int>, _ behind: Range<Int>, frequency: ContextPhrases.Hit?, into event: inout DrugEvent,
    _ context: FactContext
  ) -> Range<Int>? {
    var doses: [(quantity: Quantity, words: Range<Int>)] = []
    for found in quantities(in: ahead, context) {
      let text = context.string(bytes: found.quantity.range)
      switch found.quantity.dimension {
      case "strength": event.strength = event.strength ?? WrittenAmount(text)
      case "dose rate", "units rate", "volume rate", "infusion rate":
        if event.dosage.rate == nil {
          event.dosage.rate = WrittenAmount(text)
          if doses.isEmpty { doses.append(found) }
        }
      case "drug mass" where isStrength(found.words, context), "mass" where isStrength(found.words, context):
        event.strength = event.strength ?? WrittenAmount(text)
      case "drug mass", "volume", "units", "count":
        // "0.5 mg (half of 1 mg) daily": the brackets explain the dose before them.
        if doses.isEmpty || !isBracketed(found.words, from: ahead.lowerBound, context) { doses.append(found) }
      case "mass" where found.quantity.unit == "g": doses.append(found)
      case "time" where event.dosage.duration == nil && isDuration(found.words, context):
        event.dosage.duration = WrittenDuration(text)
      default: break
      }
    }
    event.dosage.duration = event.dosage.duration ?? timesDuration(in: ahead, context).map { WrittenDuration($0) }
    event.quantity = count(in: ahead, context)
    // What stands last before the frequency is taken each time: "7.4 mg today then 3.7 mg SID".
    let beforeFrequency = frequency.flatMap { hit in doses.last { $0.words.upperBound <= hit.words.lowerBound } }
    let adjacent = quantities(in: behind, context).last { found in
      let gap = behind.upperBound - found.words.upperBound
      let isDose = ["drug mass", "volume", "units", "count", "dose rate"].contains(found.quantity.dimension)
      return isDose && (gap == 0 || (gap <= 2 && context.byte(found.words.upperBound) | 0x20 == 0x6F))
    }
    let isNear = doses.first.map { $0.words.lowerBound - ahead.lowerBound <= 3 } ?? false
    guard let dose = isNear ? beforeFrequency ?? doses.first : adjacent ?? beforeFrequency ?? doses.first else {
      event.dosage.dose = bareDose(ahead, frequency: frequency, context).map { WrittenAmount($0) }
      return nil
    }
    let quantity = dose.quantity
    event.dosage.dose = WrittenAmount(context.string(bytes: quantity.range))
    if quantity.unit == "g" {
      // Grams weigh an animal in kilograms, a drug in milligrams.
      event.dosage.amount = Amount(value: quantity.value * 1000, unit: "mg", original: quantity)
    } else if let converted = parser.units.converted(quantity.value, from: quantity.unit) {
      event.dosage.amount = Amount(value: converted.value, unit: converted.unit, original: quantity)
    }
    return quantity.range
  }

  private func quantities(in range: Range<Int>, _ context: FactContext) -> [(quantity: Quantity, words: Range<Int>)] {
    var result: [(quantity: Quantity, words: Range<Int>)] = []
    var index = range.lowerBound
    while index < range.upperBound {
      if let (quantity, end) = parser.quantity(at: index, in: context.text) ?? spelledCount(at: index, context),
        !quantity.unit.isEmpty, end <= range.upperBound
      {
        result.append((quantity, index..<end))
        index = end
      } else {
        index += 1
      }
    }
    return result
  }

  private func isBracketed(_ words: Range<Int>, from start: Int, _ context: FactContext) -> Bool {
    (start..<words.lowerBound).reduce(0) { depth, index in
      switch context.byte(index) {
      case 0x28: depth + 1
      case 0x29: depth - 1
      default: depth
      }
    } > 0
  }

  /// "one tablet", "half a tab".
  private func spelledCount(at index: Int, _ context: FactContext) -> (quantity: Quantity, end: Int)? {
    let text = context.text
    guard text.words[index].kind == .word, var value = Self.numbers[text.words[index].hash] else { return nil }
    var unitIndex = index + 1
    // "one and a half tablets"
    if value >= 1, index + 3 < text.words.count, Self.conjunctions.contains(text.words[index + 1].hash) {
      let half = Self.articles.contains(text.words[index + 2].hash) ? index + 3 : index + 2
      if let share = Self.numbers[text.words[half].hash], share < 1 {
        value += share
        unitIndex = half + 1
      }
    }
    if unitIndex < text.words.count, Self.articles.contains(text.words[unitIndex].hash) { unitIndex += 1 }
    guard let (unit, end) = parser.units.unit(at: unitIndex, in: text), unit.dimension == "count" else { return nil }
    return (
      Quantity(value: value, unit: unit.name, dimension: unit.dimension, range: text.byteRange(of: index..<end)), end
    )
  }

  /// "5 mg tablets": what one tablet holds, not what is given.
  private func isStrength(_ words: Range<Int>, _ context: FactContext) -> Bool {
    // "Half a 5 mg tablet" says what is given.
    if parser.isShare(at: words.lowerBound, in: context.text) { return false }
    guard let (unit, _) = parser.units.unit(at: words.upperBound, in: context.text) else { return false }
    return unit.dimension == "count"
  }

  /// "gaba 50 BID": a number between name and frequency is a dose, its unit left to the reader.
  private func bareDose(_ ahead: Range<Int>, frequency: ContextPhrases.Hit?, _ context: FactContext) -> String? {
    guard let frequency, frequency.words.lowerBound == ahead.lowerBound + 1,
      context.text.words[ahead.lowerBound].kind == .number
    else { return nil }
    return context.string(ahead.lowerBound..<(ahead.lowerBound + 1))
  }

  private func isDuration(_ words: Range<Int>, _ context: FactContext) -> Bool {
    let text = context.text
    if words.upperBound < text.words.count, text.words[words.upperBound].isOne(of: .notduration) { return false }
    guard words.lowerBound > 0 else { return false }
    let before = text.words[words.lowerBound - 1]
    return before.kind == .word || before.kind == .symbol || before.kind == .number
  }

  /// The "5d" of "x5d": a letter and a single digit are one word, so that "T4" is.
  private func timesDuration(in range: Range<Int>, _ context: FactContext) -> String? {
    let text = context.text
    for index in range.dropLast() {
      let word = text.words[index]
      guard word.end - word.start == 2, context.byte(index) | 0x20 == 0x78, !text.words[index + 1].isSpaced,
        let (unit, end) = parser.units.unit(at: index + 1, in: text), unit.dimension == "time", end <= range.upperBound
      else { continue }
      return context.string(bytes: (Int(word.start) + 1)..<Int(text.words[end - 1].end))
    }
    return nil
  }

  /// How many were handed out: "x20", "x 28", "112 tablets" are told by the sign or the count.
  private func count(in range: Range<Int>, _ context: FactContext) -> Int? {
    let text = context.text
    for index in range where text.words[index].hash == Self.times {
      guard let (value, end) = parser.number(at: index + 1, in: text), end <= range.upperBound else { continue }
      if let (unit, _) = parser.units.unit(at: end, in: text), unit.dimension != "count" { continue }
      if value == value.rounded() { return Int(min(value, 1e9)) }
    }
    return nil
  }

  // MARK: - Actions

  private func action(
    _ mention: DrugMention, _ ahead: Range<Int>, _ behind: Range<Int>, _ assertion: Assertion, _ context: FactContext
  ) -> TreatmentAction? {
    if assertion.polarity == .absent {
      return assertion.cues.contains { $0.rule.hasPrefix("declined") } ? .declined : .notGiven
    }
    if let stated = mention.action { return stated }
    // "Rivaroxaban begun in place of clopidogrel": what was begun is the other.
    if assertion.temporality == .historical, assertion.cues.contains(where: { $0.rule == "replacing" }) {
      return .stopped
    }
    let before = phrases.nearest(to: mention.words, in: behind, of: context.text, axis: .action)
    // "10 days, then off" plans the end of a course.
    let after = phrases.hits(in: ahead, of: context.text, axes: .action).first { hit in
      !(max(ahead.lowerBound, hit.words.lowerBound - 2)..<hit.words.lowerBound).contains {
        context.text.words[$0].isOne(of: .sequel)
      }
    }
    if assertion.temporality == .historical,
      let stopped = [before, after].compactMap({ $0 }).first(where: { $0.action == .stopped })
    {
      return stopped.action
    }
    if let before, mention.words.lowerBound - before.words.upperBound <= 3 { return before.action }
    // "Tapered over a fortnight and stopped": the end is what counts.
    if let after, after.action == .changed, assertion.temporality != .hypothetical,
      phrases.hits(
        in: after.words.upperBound..<max(ahead.upperBound, after.words.upperBound), of: context.text, axes: .action
      ).contains(where: { $0.action == .stopped && isJoined($0, to: after, context) })
    {
      return .stopped
    }
    if let after { return after.action }
    if let before, context.phrase(around: mention.words).contains(before.words.lowerBound) { return before.action }
    switch context.kind {
    case .prescription: return .dispensed
    case .surgery: return .given
    default: return nil
    }
  }

  /// "And" before what was done next.
  private func isJoined(_ hit: ContextPhrases.Hit, to earlier: ContextPhrases.Hit, _ context: FactContext) -> Bool {
    let between = earlier.words.upperBound..<max(hit.words.lowerBound, earlier.words.upperBound)
    return between.last.map { Self.conjunctions.contains(context.text.words[$0].hash) } ?? false
  }

  private static let joints = Set(["then"].map { Spelling.hash($0) })
  private static let numbers: [UInt64: Double] = Dictionary(
    uniqueKeysWithValues: ([("half", 0.5), ("quarter", 0.25)]
      + NumberWord.all.prefix(6).enumerated().map { ($1, Double($0 + 1)) })
      .map { (Spelling.hash($0.0), $0.1) })
  private static let conjunctions = Set(["and", "&"].map { Spelling.hash($0) })
  private static let articles = Set(["a", "of"].map { Spelling.hash($0) })
  private static let times = Spelling.hash("x")
}
