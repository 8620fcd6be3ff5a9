import Clinical
import VetNet

/// What synthetic practices are made of, from `Models/simulation/`.
struct SimulationLexicon: Sendable {
  struct Animal: Sendable {
    let species: String
    let breed: String
    let share: Double
    let kilograms: Double
    /// Of the logarithm of the weight.
    let deviation: Double
    let lifespanYears: Double
  }

  struct Condition: Sendable {
    let name: String
    let species: Set<String>
    let isChronic: Bool
    let share: Double
    let signs: [String]
    let drug: String
    let milligramsPerKilogram: Double
    let frequency: String
    let labs: [Lab]
    let plan: String
  }

  struct Lab: Sendable {
    let name: String
    let unit: String
    let mean: Double
    /// As a share of the mean.
    let spread: Double
  }

  let animals: [Animal]
  let conditions: [Condition]
  /// By kind: `animal`, `owner`, `staff`.
  let names: [String: [String]]
  /// By kind of note and part of it.
  let sentences: [String: [String]]
  let fillers: [String: [String]]

  /// - Throws: ``PracticeError`` or ``DataTableError`` naming the table and the row that can't be used.
  init(models: ModelDirectory) throws {
    animals = try models.simulationTable("animals").rows.map { row in
      Animal(
        species: row["species"], breed: row["breed"], share: try row.number("share"),
        kilograms: try row.number("weight_kg"), deviation: try row.number("weight_sd"),
        lifespanYears: try row.number("lifespan_years"))
    }
    conditions = try models.simulationTable("conditions").rows.map { row in
      Condition(
        name: row["name"], species: Set(row.list("species")), isChronic: row["chronic"] == "yes",
        share: try row.number("share"), signs: row.list("signs"), drug: row["drug"],
        milligramsPerKilogram: try row.number("dose_mg_per_kg"), frequency: row["frequency"],
        labs: try row.list("labs", separator: ";").map { text in
          let cells = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
          guard cells.count == 4, let mean = Double(cells[2]), let spread = Double(cells[3]) else {
            throw row.error("labs", "'\(text)' is not name|unit|mean|spread")
          }
          return Lab(name: cells[0], unit: cells[1], mean: mean, spread: spread)
        }, plan: row["plan"])
    }
    var names: [String: [String]] = [:]
    for row in try models.simulationTable("names").rows { names[row["kind"], default: []].append(row["name"]) }
    self.names = names
    var sentences: [String: [String]] = [:]
    for row in try models.simulationTable("sentences").rows {
      sentences["\(row["kind"]) \(row["part"])", default: []].append(row["text"])
    }
    self.sentences = sentences
    var fillers: [String: [String]] = [:]
    for row in try models.simulationTable("fillers").rows { fillers[row["slot"]] = row.list("words") }
    self.fillers = fillers
  }
}

extension SplitMix64 {
  /// One of several; an empty list gives "".
  mutating func pick(_ values: [String]) -> String {
    values.isEmpty ? "" : values[Int.random(in: 0..<values.count, using: &self)]
  }

  /// A place in a list, as often as its share says.
  mutating func place(_ shares: [Double]) -> Int {
    var left = Double.random(in: 0..<max(1e-9, shares.reduce(0, +)), using: &self)
    for (index, share) in shares.enumerated() {
      left -= share
      if left < 0 { return index }
    }
    return shares.count - 1
  }

  /// About the standard normal distribution: the sum of twelve uniform numbers, less six.
  mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &self) } }
}
