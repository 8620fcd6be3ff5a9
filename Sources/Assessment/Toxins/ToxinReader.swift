import Clinical

/// Something harmful that the animal met, and how urgent that is.
struct ToxinFinding: Sendable {
  let id: String
  let level: Urgency
  let standing: Standing
  let words: Range<Int>
  /// Milligrams of active substance per kilogram, where the text allows the arithmetic.
  let dose: Double?
  let hasSigns: Bool
  let reason: String
}

/// Finds poisons in an intake and judges them by dose, signs and time.
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
    let places = longest(table.lexicon.occurrences(in: reading.words))
    var result: [ToxinFinding] = []
    for place in places {
      // Of rows with the same names (paracetamol for cats, for dogs) the one for this species counts.
      guard let toxin = table.toxins.first(where: { $0.concept == place.concept }) else { continue }
      if let allowed = toxin.species, let species = facts.species, !allowed.contains(species) { continue }
      if let finding = finding(toxin, place, reading, facts) { result.append(finding) }
    }
    return result
  }

  /// Of overlapping names only the longest: "dark chocolate" is not also "chocolate".
  private func longest(_ places: [ConceptOccurrence]) -> [ConceptOccurrence] {
    places.filter { place in
      !places.contains { $0.words.count > place.words.count && $0.words.contains(range: place.words) }
    }
  }

  private func finding(
    _ toxin: ToxinTable.Toxin, _ place: ConceptOccurrence, _ reading: IntakeReading, _ facts: PatientFacts
  ) -> ToxinFinding? {
    var standing = reading.standing(ofWords: place.words, isExposure: true)
    if toxin.needsIngestion {
      guard let verb = ingestion(near: place, reading) else { return nil }
      let verbStanding = reading.standing(of: [verb])
      if standing.counts, !verbStanding.counts { standing = verbStanding }
    }
    let milligrams = DoseReader(reading: reading, reader: quantities).milligrams(of: toxin, near: place.words)
    var level = toxin.unknownLevel
    var reason = "\(toxin.name): amount or weight unknown, taken as harmful"
    var dose: Double?
    if let milligrams, let weight = facts.weightKilograms, weight > 0, !toxin.thresholds.isEmpty {
      let perKilogram = milligrams / weight
      dose = perKilogram
      level = toxin.level(dose: perKilogram)
      reason = "\(toxin.name): about \(rounded(perKilogram)) mg/kg"
    }
    let isSevere = isActive(severeSigns, reading, except: place)
    let hasSigns = isSevere || isActive(signs, reading, except: place)
    if isSevere {
      level = max(level, toxin.signsLevel)
      reason += ", with signs"
    } else if hasSigns {
      level = max(level, min(toxin.signsLevel, .orange))
      reason += ", with mild signs"
    } else if dose == nil, let late = toxin.late, let hours = hoursAgo(near: place, reading), hours >= late.hours {
      level = min(level, late.level)
      reason += ", long enough ago without signs"
    }
    return ToxinFinding(
      id: toxin.id, level: level, standing: standing, words: place.words, dose: dose, hasSigns: hasSigns,
      reason: reason)
  }

  private func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }

  /// Words from a weak verb to the poison's name.
  private static let meetingReach = 6

  private func ingestion(near place: ConceptOccurrence, _ reading: IntakeReading) -> ConceptOccurrence? {
    let sentence = reading.sentence(of: place)
    func words(to occurrence: ConceptOccurrence) -> Int {
      max(occurrence.words.lowerBound - place.words.upperBound, place.words.lowerBound - occurrence.words.upperBound)
    }
    let strong = (ingestion.map(reading.occurrences) ?? []).filter { abs(reading.sentence(of: $0) - sentence) <= 1 }
    let weak = (meeting.map(reading.occurrences) ?? []).filter {
      reading.sentence(of: $0) == sentence && words(to: $0) <= Self.meetingReach
    }
    func distance(_ occurrence: ConceptOccurrence) -> (Int, Int) {
      (abs(reading.sentence(of: occurrence) - sentence), words(to: occurrence))
    }
    return (strong + weak).filter { !$0.words.overlaps(place.words) }.min { distance($0) < distance($1) }
  }

  private func isActive(_ concept: Int?, _ reading: IntakeReading, except place: ConceptOccurrence) -> Bool {
    guard let concept else { return false }
    return reading.occurrences(of: concept).contains {
      !$0.words.overlaps(place.words) && reading.standing(of: [$0]).counts
    }
  }

  private func hoursAgo(near place: ConceptOccurrence, _ reading: IntakeReading) -> Double? {
    let sentence = reading.sentence(of: place)
    return reading.quantities.filter {
      $0.kind == .ago && abs(reading.words[$0.words.lowerBound].sentence - sentence) <= 1
    }.map(\.value).min()
  }
}
