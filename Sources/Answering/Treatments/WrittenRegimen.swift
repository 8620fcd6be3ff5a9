import Clinical
import Extraction

/// How much of a drug is given and how often, as far as one sentence tells.
struct WrittenRegimen {
  /// A regimen given so much oftener than another is another.
  private static let sameFrequency = 1.1
  private static let sameDose = 1.02
  /// So many words behind the drug's name belong to it.
  private static let reach = 16
  private static let nearReach = 6

  var timesPerDay: Double?
  var dose: ConvertedValue?
  var sides: Set<Side> = []
  /// It says that the drug is not given.
  var isDenied = false

  var isEmpty: Bool { timesPerDay == nil && dose == nil && !isDenied && sides.isEmpty }

  /// - Parameters:
  ///   - unit: a sentence that tells of the drug.
  ///   - name: where it names it; empty where it goes on about it.
  ///   - fact: the drug's fact, where the name is read as a drug.
  ///   - isDenied: it says that the drug is not given.
  ///   - frequencies: words of how often.
  ///   - classes: of words.
  init(
    of unit: EvidenceUnit, at name: Range<Int>, fact: Fact?, isDenied: Bool, frequencies: FrequencyWords,
    classes: QuestionClasses
  ) {
    self.isDenied = isDenied
    // Up to the next drug: "pred 5 mg sid, atenolol bid".
    let next = unit.facts.filter { $0.kind == .drug && $0.range.lowerBound >= name.upperBound }.map(\.range.lowerBound)
      .min()
    let all = classes.words(in: unit)
    let behind = all.filter { $0.range.lowerBound >= name.upperBound && $0.range.lowerBound < next ?? .max }
      .prefix(Self.reach)
    let portion = WrittenPortion(in: Array(behind), frequencies)
    if let fact {
      // Where the fact has none, only what stands right behind the dose: "restless, panting at night" is no frequency.
      timesPerDay =
        fact.dosage?.frequency?.timesPerDay ?? portion?.timesPerDay
        ?? frequencies.timesPerDay(in: Array(behind.prefix(Self.nearReach)))
    } else {
      timesPerDay =
        portion?.timesPerDay ?? frequencies.timesPerDay(in: Array(behind)) ?? frequencies.timesPerDay(in: all)
    }
    dose = fact?.dosage?.dose?.comparable ?? (fact == nil ? Self.dose(in: behind.map(\.text), classes) : nil)
    if dose == nil, let portion, let strength = fact?.drugEvent?.strength?.comparable {
      dose = ConvertedValue(value: strength.value * portion.count, unit: strength.unit)
    }
    sides = Self.sides(in: Array(behind))
  }

  /// Whether both can't be so: another frequency, another dose in the same unit, other eyes or ears, given and not given.
  func contradicts(_ other: WrittenRegimen) -> Bool {
    if isDenied != other.isDenied { return true }
    if let one = timesPerDay, let two = other.timesPerDay, max(one, two) / min(one, two) > Self.sameFrequency {
      return true
    }
    if let one = dose, let two = other.dose, one.unit == two.unit,
      max(one.value, two.value) / min(one.value, two.value) > Self.sameDose
    {
      return true
    }
    return !sides.isEmpty && !other.sides.isEmpty && sides != other.sides
  }

  /// The first amount among words: "1mg", "0.25 ml".
  private static func dose(in words: [String], _ classes: QuestionClasses) -> ConvertedValue? {
    words.indices.lazy.compactMap { index in
      let next = index + 1 < words.count ? words[index + 1] : ""
      return [words[index], words[index] + next].lazy.compactMap { WrittenAmount($0).comparable }.first {
        classes.isOne($0.unit, of: .doseUnits)
      }
    }.first
  }

  /// Of eyes and ears: "both eyes" are two sides.
  private static func sides(in words: [ClassedWord]) -> Set<Side> {
    guard let part = words.first(.eyeorear) else { return [] }
    let near = words[max(0, part - 2)...part]
    if near.has([.both, .each]) { return [.left, .right] }
    return Set(near.compactMap { Side(plain: $0) })
  }
}
