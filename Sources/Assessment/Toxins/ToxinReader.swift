import Clinical
import Extraction

/// Finds poisons in an intake and judges them by dose, signs and time.
///
/// Only dose, weight, species, time and signs change a level, and only what the finding's own clause says changes whether it
/// counts: that the animal is well so far says nothing, since the signs may be still to come.
struct ToxinReader {
  let table: ToxinTable
  let quantities: QuantityReader
  /// Concepts of the triage lexicon by what the reader needs them for.
  let ingestion: Int?
  /// Weaker words, such as "had" and "gone", which count only beside the poison.
  let meeting: Int?
  let signs: Int?
  let severeSigns: Int?

  init(table: ToxinTable, quantities: QuantityReader, lexicon: ConceptLexicon) {
    self.table = table
    self.quantities = quantities
    ingestion = lexicon.index(of: "swallow")
    meeting = lexicon.index(of: "meets")
    signs = lexicon.index(of: "toxsign")
    severeSigns = lexicon.index(of: "toxsevere")
  }

  func findings(in reading: IntakeReading, facts: PatientFacts) -> [ToxinFinding] {
    let found = table.lexicon.occurrences(in: Self.namingPercent(reading))
    let names = Set(found.filter { $0.concept == table.petName && isSubject($0, reading) }.map(\.words))
    let places = longest(found.filter { !names.contains($0.words) })
    var result: [ToxinFinding] = []
    for place in places where !isTalk(place, among: places, reading) && !isLeftOut(place, reading) {
      // Of rows with the same names (paracetamol for cats, for dogs) the one for this species counts.
      guard let toxin = table.toxins.first(where: { $0.concept == place.concept }) else { continue }
      if let allowed = toxin.species, let species = facts.species, !allowed.contains(species) { continue }
      if let finding = finding(toxin, place, reading, facts) { result.append(finding) }
    }
    return result
  }

  /// The words, with every "%" a word of the number before it: "a 90% bar" is named by `percent bar`.
  private static func namingPercent(_ reading: IntakeReading) -> [IntakeWord] {
    let bytes = Array(reading.text.utf8)
    return reading.words.map { word in
      var end = word.range.upperBound
      if end < bytes.count, bytes[end] == 0x20 { end += 1 }
      guard word.number != nil, end < bytes.count, bytes[end] == UInt8(ascii: "%") else { return word }
      return IntakeWord(
        text: "percent", range: word.range, sentence: word.sentence, phrase: word.phrase, number: word.number)
    }
  }

  /// Of overlapping names only the longest: "dark chocolate" is not also "chocolate". Of two as long the first, which says of what
  /// kind it is: a "white chocolate button" is no chocolate button.
  private func longest(_ places: [ConceptOccurrence]) -> [ConceptOccurrence] {
    places.filter { place in
      !places.contains { other in
        other.words.count > place.words.count
          && (other.words.contains(range: place.words)
            || other.concept == place.concept && other.words.overlaps(place.words))
          || other.words.count == place.words.count && other.words.overlaps(place.words)
            && other.words.lowerBound < place.words.lowerBound
      }
    }
  }

  /// Whether a capitalised name is who does something, not what was eaten: "Lily has been sick", "Ivy ate her dinner".
  private func isSubject(_ name: ConceptOccurrence, _ reading: IntakeReading) -> Bool {
    let words = reading.words
    let next = name.words.upperBound
    guard next < words.count, words[next].phrase == words[name.words.lowerBound].phrase,
      let first = reading.text.slice(utf8: words[name.words.lowerBound].range)?.first, first.isUppercase
    else { return false }
    let eaten = ingestion.map(reading.occurrences) ?? []
    // "Ivy was eaten".
    let isPassive =
      eaten.contains { $0.words.lowerBound == next + 1 } && ["was", "were", "been"].contains(words[next].text)
    return !isPassive
      && (words[next].isOne(of: .does) || eaten.contains { $0.words.lowerBound == next })
  }

  /// Whether a general name only repeats what another one says was eaten: "ate white chocolate, my sister says chocolate kills".
  private func isTalk(_ place: ConceptOccurrence, among places: [ConceptOccurrence], _ reading: IntakeReading) -> Bool {
    func identifier(_ place: ConceptOccurrence) -> String? { table.toxins.first { $0.concept == place.concept }?.id }
    func phrase(_ occurrence: ConceptOccurrence) -> Int { reading.words[occurrence.words.lowerBound].phrase }
    guard let own = identifier(place), let verb = ingestion(near: place, reading), phrase(verb) != phrase(place) else {
      return false
    }
    return places.contains { identifier($0)?.hasPrefix(own + "-") == true && phrase($0) == phrase(verb) }
  }

  /// "One raisin-free biscuit": what a food is free of was not eaten.
  private func isLeftOut(_ place: ConceptOccurrence, _ reading: IntakeReading) -> Bool {
    let next = place.words.upperBound
    guard next < reading.words.count, reading.words[next].text == "free" else { return false }
    return reading.words[next].range.lowerBound == reading.words[next - 1].range.upperBound + 1
  }

  /// "Give another paracetamol": there was one before.
  private func isRepeated(_ place: ConceptOccurrence, _ reading: IntakeReading) -> Bool {
    let first = place.words.lowerBound
    let before = (max(0, first - Self.repeatReach)..<first).filter {
      reading.words[$0].phrase == reading.words[first].phrase
    }
    return before.contains { reading.words[$0].isOne(of: .another) }
      && before.contains { reading.words[$0].isOne(of: .dose) }
  }

  /// "The paracetamol I gave her": what is asked about in the main clause is told in the relative one.
  private func isTold(behind place: ConceptOccurrence, _ reading: IntakeReading) -> Bool {
    let next = place.words.upperBound
    return (next..<next + 2).contains { index in
      index + 1 < reading.words.count && reading.words[index + 1].phrase == reading.words[next - 1].phrase
        && reading.words[index].isOne(of: .teller) && reading.words[index + 1].isOne(of: .tookin)
    }
  }

  private static let repeatReach = 5

  private func finding(
    _ toxin: ToxinTable.Toxin, _ place: ConceptOccurrence, _ reading: IntakeReading, _ facts: PatientFacts
  ) -> ToxinFinding? {
    let time = ExposureTime(reading: reading, place: place.words)
    let hours = time.leastHours
    var standing = reading.standing(ofWords: place.words, isExposure: true)
    if standing == .past { standing = time.pastStanding(of: place.words) }
    let verb = ingestion(near: place, reading)
    let isGivenBefore =
      (verb == nil || standing == .hypothetical) && (isRepeated(place, reading) || isTold(behind: place, reading))
    if toxin.needsIngestion, verb == nil, !isGivenBefore { return nil }
    if isGivenBefore {
      standing = .present
    } else if let verb {
      if !standing.counts { standing = standingWithout(verb, place, standing, time.clause, reading) }
      if toxin.needsIngestion, standing.counts {
        var verbStanding = reading.standing(of: [verb])
        if verbStanding == .past { verbStanding = time.pastStanding(of: verb.words) }
        if verbStanding == .otherAnimal, isGiven(by: verb, place, reading) { verbStanding = .present }
        if !verbStanding.counts { standing = verbStanding }
      }
    }
    let isSevere = isActive(severeSigns, reading, except: place)
    let hasSigns = isSevere || isActive(signs, reading, except: place)
    var judged = judgedByDose(toxin, place, reading, facts)
    if isSevere {
      judged.change(to: max(judged.level, toxin.levels.withSigns), because: "with signs")
    } else if hasSigns {
      judged.change(to: max(judged.level, min(toxin.levels.withSigns, .orange)), because: "with mild signs")
    } else if judged.level > toxin.course.level, let hours, hours >= toxin.course.lastOnset {
      let last = DoseReader.rounded(toxin.course.lastOnset)
      judged.change(
        to: toxin.course.level,
        because: "no signs \(DoseReader.rounded(hours)) h after, the last come within \(last) h")
    }
    return ToxinFinding(
      id: toxin.id, judgement: judged, standing: standing, words: place.words, hasSigns: hasSigns,
      isTaken: verb != nil || isGivenBefore)
  }

  /// The level of the dose, as far as it is known.
  ///
  /// What isn't known counts as harmful: between the least that was eaten by the heaviest such animal and the most by the
  /// lightest, the level is the poison's own.
  private func judgedByDose(
    _ toxin: ToxinTable.Toxin, _ place: ConceptOccurrence, _ reading: IntakeReading, _ facts: PatientFacts
  ) -> ToxinJudgement {
    let unknown = ToxinJudgement(
      toxin.levels.unknown, of: toxin, because: "amount or weight unknown, taken as harmful")
    let eating = [ingestion, meeting].compactMap(\.self).flatMap(reading.occurrences)
    guard
      let estimate = DoseReader(reading: reading, quantities: quantities, eating: eating)
        .estimate(of: toxin, at: place.words)
    else { return unknown }
    let stated = facts.weightKilograms.flatMap { $0 > 0 ? $0...$0 : nil }
    guard let weight = stated ?? table.weights?.range(of: facts, in: reading) else { return unknown }
    let least = estimate.least / weight.upperBound
    let most = estimate.most.map { $0 / weight.lowerBound }
    let level = max(
      toxin.level(dose: least), min(toxin.levels.unknown, most.map(toxin.level) ?? toxin.levels.unknown))
    if stated != nil, estimate.isStated {
      return ToxinJudgement(
        toxin.level(dose: least), of: toxin, dose: least, because: doseText(toxin, least, estimate.basis))
    }
    let assumed = stated == nil ? " if it weighs \(DoseReader.rounded(weight.lowerBound)) kg" : ""
    if level < toxin.levels.unknown, let most {
      return ToxinJudgement(
        level, of: toxin, because: "\(doseText(toxin, most, estimate.basis)) at most\(assumed)")
    }
    if level > toxin.levels.unknown {
      let assumed = stated == nil ? " even if it weighs \(DoseReader.rounded(weight.upperBound)) kg" : ""
      return ToxinJudgement(
        level, of: toxin, because: "\(doseText(toxin, least, estimate.basis)) at least\(assumed)")
    }
    return unknown
  }

  /// "4.6 mg/kg theobromine and caffeine (2 g), below 20 mg/kg".
  private func doseText(_ toxin: ToxinTable.Toxin, _ dose: Double, _ basis: String) -> String {
    let level = toxin.level(dose: dose)
    let limit = toxin.threshold(above: level).map { ", below \(DoseReader.rounded($0)) mg/kg" } ?? ""
    let substance = toxin.content.substance.isEmpty ? "" : " \(toxin.content.substance)"
    return "about \(DoseReader.rounded(dose)) mg/kg\(substance) (\(basis))\(limit)"
  }

  /// The standing where the eating's own words, or the giver, were taken for something they aren't.
  ///
  /// To the reader of notes "hold" and "off" end a drug, which "got hold of" and "polished off" don't.
  private func standingWithout(
    _ verb: ConceptOccurrence, _ place: ConceptOccurrence, _ standing: Standing, _ clause: [Int],
    _ reading: IntakeReading
  ) -> Standing {
    guard verb.words.upperBound <= place.words.lowerBound, clause.contains(verb.words.lowerBound) else {
      return standing
    }
    let rest: [Int]
    switch standing {
    case .otherAnimal where isGiven(by: verb, place, reading):
      rest = clause.filter { $0 >= verb.words.lowerBound || reading.words[$0].isOne(of: .denial) }
    case .negated where verb.words.count > 1, .past where verb.words.count > 1:
      guard reading.standing(of: [verb]).counts else { return standing }
      rest = clause.filter { !verb.words.contains($0) }
    default:
      return standing
    }
    return reading.standing(ofWords: place.words, isExposure: true, within: rest)
  }

  /// "My mum slipped her a panadol": who gives isn't who eats.
  private func isGiven(by verb: ConceptOccurrence, _ place: ConceptOccurrence, _ reading: IntakeReading) -> Bool {
    guard verb.words.upperBound <= place.words.lowerBound else { return false }
    guard verb.words.contains(where: { reading.words[$0].isOne(of: .giving) }) else { return false }
    // "My neighbour gave his cat a panadol".
    let between = verb.words.upperBound..<place.words.lowerBound
    return !between.contains { index in
      index > 0 && ["his", "her", "their"].contains(reading.words[index - 1].text)
        && Species(mention: reading.words[index].text) != nil
    }
  }

  /// Words from a weak verb to the poison's name.
  private static let meetingReach = 6

  private func ingestion(near place: ConceptOccurrence, _ reading: IntakeReading) -> ConceptOccurrence? {
    let sentence = reading.sentence(of: place)
    func words(to occurrence: ConceptOccurrence) -> Int {
      max(occurrence.words.lowerBound - place.words.upperBound, place.words.lowerBound - occurrence.words.upperBound)
    }
    let strong = (ingestion.map(reading.occurrences) ?? []).filter { abs(reading.sentence(of: $0) - sentence) <= 1 }
    let weak = ((meeting.map(reading.occurrences) ?? []) + receiving(before: place, reading)).filter {
      reading.sentence(of: $0) == sentence && words(to: $0) <= Self.meetingReach
    }
    // "Ate the bait, had his dinner": the verb of the poison's own clause before all others.
    let clause = Set(ExposureTime(reading: reading, place: place.words).clause)
    func distance(_ occurrence: ConceptOccurrence) -> (Int, Int) {
      let isOwn = clause.contains(occurrence.words.lowerBound)
      return (isOwn ? -1 : abs(reading.sentence(of: occurrence) - sentence), words(to: occurrence))
    }
    return (strong + weak).filter { !$0.words.overlaps(place.words) }.min { distance($0) < distance($1) }
  }

  /// "She got a paracetamol": the patient got it; "we've got antifreeze in the garage" is no such thing.
  private func receiving(before place: ConceptOccurrence, _ reading: IntakeReading) -> [ConceptOccurrence] {
    guard let meeting, place.words.lowerBound > 1 else { return [] }
    let words = reading.words
    return (max(1, place.words.lowerBound - Self.meetingReach)..<place.words.lowerBound).compactMap { index in
      let before = words[index - 1]
      guard words[index].text == "got", before.phrase == words[index].phrase,
        before.isOne(of: .receiver) || before.isName || Species(mention: before.text) != nil
      else { return nil }
      return ConceptOccurrence(concept: meeting, words: index..<(index + 1))
    }
  }

  /// "Blue wax blocks", "drunk from the vase": the poison's colour and the drinking are no signs.
  private func isNoSign(_ sign: ConceptOccurrence, beside place: ConceptOccurrence, _ reading: IntakeReading) -> Bool {
    guard sign.words.count == 1 else { return false }
    if sign.words.upperBound == place.words.lowerBound { return true }
    let next = sign.words.upperBound
    guard reading.words[sign.words.lowerBound].text == "drunk", next < reading.words.count else { return false }
    return reading.words[next].isOne(of: .drinkable)
  }

  private func isActive(_ concept: Int?, _ reading: IntakeReading, except place: ConceptOccurrence) -> Bool {
    guard let concept else { return false }
    return reading.occurrences(of: concept).contains {
      guard !$0.words.overlaps(place.words), !isNoSign($0, beside: place, reading) else { return false }
      let standing = reading.standing(of: [$0])
      guard standing == .past else { return standing.counts }
      // Signs come and go: "was sick, back to normal now" is past by its own clause only.
      let clause = ExposureTime(reading: reading, place: $0.words).clause
      return reading.standing(ofWords: $0.words, within: clause).counts
    }
  }
}
