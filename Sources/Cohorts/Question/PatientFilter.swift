import Answering
public import Clinical

/// Which animals a question to the whole practice is about: "entire male dogs over 8".
public struct PatientFilter: Hashable, Sendable {
  /// Empty for all.
  public private(set) var species: Set<Species> = []
  /// Nil where the question says nothing of it.
  private var isMale: Bool?
  private var isNeutered: Bool?
  /// In days.
  private var ages: Range<Int>?
  private let includesDeceased: Bool
  /// The words that said so; they name no topic.
  private(set) var words: Set<String> = []

  /// - Parameters:
  ///   - words: of the question, in lower case.
  ///   - found: the uses of its words.
  ///   - classes: of words.
  init(_ words: [String], _ found: [RegisterWords.Found], classes: QuestionClasses) {
    func has(_ use: RegisterWords.Use) -> Bool { found.contains { $0.use == use } }
    includesDeceased = has(.deceased)
    var index = 0
    while index < words.count {
      let length = [2, 1].first { Self.species(words[index...].prefix($0), count: $0) != nil }
      if let length, let named = Self.species(words[index...].prefix(length), count: length) {
        species.insert(named)
        self.words.formUnion(words[index..<(index + length)])
      }
      index += length ?? 1
    }
    if has(.male) != has(.female) { isMale = has(.male) }
    // "Neutered cats" says which; "were neutered" is what is asked.
    let adjectives = found.filter {
      ($0.use == .neutered || $0.use == .entire) && Self.standsBeforeNoun($0, words, found, classes)
    }
    if let first = adjectives.first { isNeutered = first.use == .neutered }
    for item in found where [.male, .female].contains(item.use) { self.words.formUnion(words[item.words]) }
    for item in adjectives { self.words.formUnion(words[item.words]) }
    if has(.young) { ages = 0..<366 }
    for item in found where item.use == .young { self.words.formUnion(words[item.words]) }
    for item in found where item.use == .older || item.use == .younger {
      guard let (days, end) = Self.age(words, after: item.words.upperBound, classes) else { continue }
      ages = item.use == .older ? days..<Int.max : 0..<days
      self.words.formUnion(words[item.words.lowerBound..<end])
    }
  }

  /// Whether a patient is meant, as of a day; unknown age or sex is neither.
  public func admits(_ patient: Patient, on day: CalendarDate) -> Bool {
    if !species.isEmpty, !species.contains(patient.species) { return false }
    if !includesDeceased, let end = patient.deceasedAt, end <= day { return false }
    if let isMale, isMale ? !patient.sex.isMale : !patient.sex.isFemale { return false }
    if let isNeutered {
      guard patient.sex != .unknown else { return false }
      if (patient.sex == .maleNeutered || patient.sex == .femaleSpayed) != isNeutered { return false }
    }
    guard let ages else { return true }
    return patient.ageInDays(on: day).map(ages.contains) ?? false
  }

  private static func standsBeforeNoun(
    _ item: RegisterWords.Found, _ words: [String], _ found: [RegisterWords.Found], _ classes: QuestionClasses
  ) -> Bool {
    let next = item.words.upperBound
    guard next < words.count else { return false }
    return species(words[next...].prefix(1), count: 1) != nil
      || found.contains { $0.words.lowerBound == next && [.male, .female].contains($0.use) }
      || classes.isOne(words[next], of: .patient)
  }

  /// "10", "10 years", "6 months" in days, and where it ends; nil for anything else that is counted.
  private static func age(
    _ words: [String], after index: Int, _ classes: QuestionClasses
  ) -> (days: Int, end: Int)? {
    guard index < words.count, let number = Int(words[index].prefix(while: \.isNumber)), (1...60).contains(number)
    else {
      return nil
    }
    let rest = words[index].drop(while: \.isNumber)
    let unit = rest.isEmpty ? words.indices.contains(index + 1) ? words[index + 1] : "" : String(rest)
    let end = rest.isEmpty ? index + 2 : index + 1
    let span = min(end, words.count)
    if classes.isOne(unit, of: [.year, .yearletter, .yearsold]) { return (number * 365 + number / 4, span) }
    if classes.isOne(unit, of: [.month, .monthletter]) { return (number * 61 / 2, span) }
    if classes.isOne(unit, of: [.week, .weekletter]) { return (number * 7, span) }
    // "Dogs over 8 with CKD" are so old; "over 8 kg" is no age.
    let isBare = rest.isEmpty && !classes.isOne(unit, of: .noage)
    return isBare ? (number * 365 + number / 4, index + 1) : nil
  }

  /// The species that words name in singular or plural.
  private static func species(_ words: ArraySlice<String>, count: Int) -> Species? {
    guard words.count == count else { return nil }
    let text = words.joined(separator: " ")
    if let species = Species(mention: text) { return species }
    if text.hasSuffix("ies"), let species = Species(mention: text.dropLast(3) + "y") { return species }
    if text.hasSuffix("es"), let species = Species(mention: text.dropLast(2)) { return species }
    return ["mice": .smallMammal, "calves": .cattle, "geese": .bird, "oxen": .cattle][text]
  }
}
