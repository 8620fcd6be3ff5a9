import Clinical
import Foundation

/// Notes of synthetic patients: sentences of the tables with their braces filled in.
struct SyntheticText {
  private static let syllables = [
    "ald", "bar", "ben", "bor", "brad", "burn", "cald", "car", "chel", "cor", "dar", "den", "dun", "el", "fen", "ford",
    "gar", "glen", "hal", "ham", "har", "hol", "ing", "kel", "kirk", "lan", "leigh", "mar", "mel", "nor", "oak", "pen",
    "rad", "rom", "sand", "sel", "shaw", "stan", "sut", "tar", "thorn", "ton", "tre", "wal", "wen", "wick", "win",
    "worth",
  ]

  let lexicon: SimulationLexicon
  let patient: Patient
  let client: Client
  let kilograms: Double

  /// A note of a kind: its parts in the order in which vets write them.
  func note(
    _ kind: String, _ condition: SimulationLexicon.Condition?, on day: CalendarDate, using generator: inout SplitMix64
  ) -> String {
    var lines: [String] = []
    for part in ["S", "O", "A", "P", "L", "N", "R"] {
      guard let choices = lexicon.sentences["\(kind) \(part)"] else { continue }
      let sentence = filled(generator.pick(choices), condition, on: day, using: &generator)
      lines.append("SOAP".contains(part) && kind != "phone" ? "\(part): \(sentence)" : sentence)
    }
    return lines.joined(separator: "\n")
  }

  private func filled(
    _ sentence: String, _ condition: SimulationLexicon.Condition?, on day: CalendarDate,
    using generator: inout SplitMix64
  ) -> String {
    var result = ""
    var rest = Substring(sentence)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      result += word(String(rest[rest.index(after: open)..<close]), condition, on: day, using: &generator)
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  private func word(
    _ slot: String, _ condition: SimulationLexicon.Condition?, on day: CalendarDate, using generator: inout SplitMix64
  ) -> String {
    if let words = lexicon.fillers[slot] { return generator.pick(words) }
    let weight = kilograms * exp(0.06 * generator.normal())
    switch slot {
    case "name": return patient.name
    case "owner": return client.name
    case "weight": return decimal(weight, weight < 1 ? 3 : 1)
    case "target": return decimal(weight * 0.85, 1)
    case "grams": return String(Int(weight * 12) + 10)
    case "bcs": return String(4 + generator.place([2, 4, 2, 1]))
    case "temp": return decimal(38.5 + 0.4 * generator.normal(), 1)
    case "hr": return String(Int(120 * exp(0.2 * generator.normal())))
    case "rr": return String(Int(26 * exp(0.25 * generator.normal())))
    case "count": return String([10, 14, 28, 30, 56, 60, 100][generator.place([1, 2, 2, 3, 2, 2, 1])])
    case "money": return String(100 * Int.random(in: 2...20, using: &generator))
    case "date": return day.adding(days: Int.random(in: 3...60, using: &generator)).description
    case "condition": return condition?.name ?? "no abnormality detected"
    case "other": return generator.pick(lexicon.conditions.map(\.name))
    case "sign", "sign2": return generator.pick(condition?.signs ?? ["nothing of note"])
    case "plan": return condition?.plan ?? "see as needed"
    case "drug": return condition.flatMap { $0.drug.isEmpty ? nil : $0.drug } ?? "the tablets"
    case "treatment": return treatment(condition, weight)
    case "labs": return labs(condition, using: &generator)
    case "batch": return code(letters: 2, digits: 5, using: &generator)
    case "ref": return code(letters: 1, digits: 7, using: &generator)
    case "place", "product": return coined(using: &generator)
    default: return ""
    }
  }

  private func treatment(_ condition: SimulationLexicon.Condition?, _ weight: Double) -> String {
    guard let condition, !condition.drug.isEmpty else { return "No drugs needed." }
    guard condition.milligramsPerKilogram > 0 else { return "\(condition.drug) \(condition.frequency)." }
    let dose = condition.milligramsPerKilogram * weight
    return
      "\(condition.drug) \(decimal(dose, dose < 10 ? 2 : 0)) mg \(condition.frequency) (\(condition.milligramsPerKilogram) mg/kg)."
  }

  private func labs(_ condition: SimulationLexicon.Condition?, using generator: inout SplitMix64) -> String {
    let values = (condition?.labs ?? []).map { lab in
      let value = lab.mean * (1 + lab.spread * generator.normal())
      let places = lab.mean < 2 ? 3 : lab.mean < 30 ? 1 : 0
      return "\(lab.name) \(decimal(max(lab.mean * 0.1, value), places)) \(lab.unit)"
    }
    return values.isEmpty ? "all within limits" : values.joined(separator: ", ")
  }

  /// `VT48213K`: numbers of batches and samples are most of the distinct words of a real practice.
  private func code(letters: Int, digits: Int, using generator: inout SplitMix64) -> String {
    func letter() -> Character { Character(UnicodeScalar(UInt8.random(in: 65...90, using: &generator))) }
    let head = String((0..<letters).map { _ in letter() })
    return head + (0..<digits).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
      + String(letter())
  }

  /// A name of a place or a product: a few are common, most are rare, as names are.
  private func coined(using generator: inout SplitMix64) -> String {
    let rank = Int(exp(Double.random(in: 0..<12, using: &generator)))
    var local = SplitMix64(seed: UInt64(rank))
    let name = (0..<Int.random(in: 2...3, using: &local)).map { _ in local.pick(Self.syllables) }.joined()
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// With so many decimals, rounded half away from zero.
  private func decimal(_ value: Double, _ places: Int) -> String { TextTable.decimals(value, places) }
}
