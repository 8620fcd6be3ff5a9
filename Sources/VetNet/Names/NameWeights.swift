import Clinical
import Foundation

/// How much each sign says that a word is a name, as log-odds (`names/evidence-weights.tsv`).
package struct NameWeights: Sendable, Equatable {
  /// The file that holds them, in a model folder.
  package static let file = "names/evidence-weights.tsv"
  private static let (interceptRow, leastRow) = ("(intercept)", "(least)")

  /// The log-odds of a word without any sign.
  package let intercept: Double
  /// From how much on a word is taken out.
  package let least: Double
  package let weights: [String: Double]

  package init(intercept: Double, least: Double, weights: [String: Double]) {
    self.intercept = intercept
    self.least = least
    self.weights = weights
  }

  /// - Throws: ``DataTableError`` for a weight that is no number, or where one of the two rows that are no signs is missing.
  init(table: DataTable) throws(DataTableError) {
    var weights: [String: Double] = [:]
    for row in table.rows { weights[row["id"]] = try row.number("weight") }
    guard let intercept = weights.removeValue(forKey: Self.interceptRow),
      let least = weights.removeValue(forKey: Self.leastRow)
    else {
      throw DataTableError(
        table: table.name, line: 1, column: "id",
        problem: "has no row '\(Self.interceptRow)' or no row '\(Self.leastRow)'")
    }
    self.init(intercept: intercept, least: least, weights: weights)
  }

  /// The log-odds that a word with these signs is a name.
  package func logOdds(_ signs: [String]) -> Double { signs.reduce(intercept) { $0 + (weights[$1] ?? 0) } }

  func areOfName(_ signs: [String]) -> Bool { logOdds(signs) >= least }

  /// The file's text.
  package func text(source: String) -> String {
    let rows = [(Self.interceptRow, intercept), (Self.leastRow, least)] + weights.sorted { $0.key < $1.key }
    return
      ([
        "# title: How much each sign says that a word which the rules left is a name; learned, in log-odds",
        "# source: \(source)", "# licence: MIT, written for VetNet", "# version: 1", "id\tweight",
      ] + rows.map { "\($0.0)\t\(String(format: "%.4f", $0.1))" }).joined(separator: "\n") + "\n"
  }
}

/// A word of a note and its signs, from which weights are learned.
package struct NameEvidence: Sendable {
  /// Code points.
  package let range: Range<Int>
  package let signs: [String]
  /// Whether the rules take it out already.
  package let isTaken: Bool
}

extension NameRemover {
  /// The signs of each word that is no number and no way to reach somebody, as they are when the rules have been applied.
  package func evidence(_ text: String, about subjects: [String] = []) -> [NameEvidence] {
    var finder = finder(of: text, about: subjects)
    finder.applyRules()
    return finder.words.indices.filter {
      !finder.words[$0].isNumber && finder.marks.kind(of: finder.words[$0]) != .contact
    }
    .map { place in
      NameEvidence(
        range: finder.words[place].range, signs: finder.evidence(place), isTaken: finder.marks.has(finder.words[place]))
    }
  }
}
