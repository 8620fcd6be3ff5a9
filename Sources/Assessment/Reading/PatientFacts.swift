import Clinical
import Extraction

/// What rules may ask about the patient: the context, completed from the intake and its text.
struct PatientFacts: Sendable {
  var species: Species?
  var sex: Sex
  /// In days.
  var age: Double?
  var weightKilograms: Double?
  /// As the form or the record names it.
  var breedName: String?
  var hasHistory: Bool
  /// Concepts that the record's problems and drugs speak of.
  private var known: Set<Int>
  /// Concepts that the breed speaks of.
  private var breed: Set<Int>

  init(_ intake: Intake, _ context: PatientContext, _ reading: IntakeReading, reader: IntakeReader) {
    breedName = intake.breed ?? context.breed
    species =
      intake.species ?? context.species
      ?? breedName.flatMap { Species(describing: $0) ?? reader.breeds.species(ofBreed: $0) }
      ?? Self.species(in: reading, reader.breeds)
    sex = intake.sex == .unknown ? context.sex : intake.sex
    age = intake.age.flatMap { Self.days($0, reader.quantities) } ?? context.age ?? Self.age(in: reading)
    weightKilograms = intake.weightKilograms ?? context.weightKilograms ?? Self.weight(in: reading)
    hasHistory = !(context.problems.isEmpty && context.drugs.isEmpty)
    known = Self.concepts(context.problems + context.drugs, reader)
    breed = Self.concepts(breedName.map { [$0] } ?? [], reader)
  }

  private static func concepts(_ phrases: [String], _ reader: IntakeReader) -> Set<Int> {
    var found: Set<Int> = []
    for phrase in phrases {
      for occurrence in reader.lexicon.occurrences(in: IntakeScanner.words(in: phrase)) {
        found.insert(occurrence.concept)
      }
    }
    return found
  }

  func meets(_ requirement: Pattern.Requirement, benefitOfDoubt: Bool, _ reading: IntakeReading) -> Bool {
    switch requirement {
    case .species(let allowed):
      guard let species else { return benefitOfDoubt }
      return allowed.contains(species)
    case .sex(let group):
      if sex == .unknown { return group == .spayed ? false : benefitOfDoubt }
      switch group {
      case .male: return sex.isMale
      case .female: return sex.isFemale
      case .entireFemale: return sex == .female
      case .spayed: return sex == .femaleSpayed
      }
    case .age(let comparison, let limit):
      guard let age else { return false }
      return comparison.holds(age, limit)
    case .known(let concept):
      return known.contains(concept) || isActive(concept, reading)
    case .breed(let concept):
      return breed.contains(concept) || isActive(concept, reading)
    }
  }

  private func isActive(_ concept: Int, _ reading: IntakeReading) -> Bool {
    reading.occurrences(of: concept).contains { occurrence in
      let standing = reading.standing(of: [occurrence])
      return standing.counts || standing == .past
    }
  }

  /// The one kind of animal the text names, or calls by its breed; nil when it names none, or several.
  private static func species(in reading: IntakeReading, _ breeds: BreedNames) -> Species? {
    var found = breeds.species(in: reading.words)
    for (index, word) in reading.words.enumerated() {
      if index + 1 < reading.words.count {
        let pair = word.text + " " + reading.words[index + 1].text
        if let species = Species(mention: pair) { found.insert(species) }
      }
      if let species = Species(mention: word.text) { found.insert(species) }
    }
    return found.count == 1 ? found.first : nil
  }

  /// In kilograms; the text's first plausible body weight.
  private static func weight(in reading: IntakeReading) -> Double? {
    reading.vitals.first { $0.measure == .weight && $0.isPlausible && $0.value > 0 }?.value
  }

  private static func age(in reading: IntakeReading) -> Double? {
    reading.quantities.first { $0.kind == .age }.map { $0.value / 24 }
  }

  /// Days of an age as written on a form: `4y`, `12 weeks`, `2y 6m`, `7`. A bare number is years; `m` is months.
  static func days(_ text: String, _ reader: QuantityReader) -> Double? {
    let words = IntakeScanner.words(in: text)
    var total: Double?
    var index = 0
    while index < words.count {
      guard let number = reader.number(words[index]) else {
        index += 1
        continue
      }
      let unit = index + 1 < words.count ? words[index + 1].text : ""
      let hours: Double
      switch unit {
      case "m", "mo", "mth", "mths", "mos": hours = 24 * 30.44
      case "y", "yo", "yr", "yrs", "": hours = 24 * 365.25
      default: hours = reader.unitHours(unit) ?? 24 * 365.25
      }
      total = (total ?? 0) + number * hours / 24
      index += 2
    }
    return total
  }
}
