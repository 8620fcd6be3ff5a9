import Clinical
import Testing
import TextAnalysis
import VetNetTestSupport

/// The rules against a slow twin that looks at every place of every rule.
@Suite struct SpellingRulesTests {
  private struct Rule {
    let place, from, to: String
    let exceptions: [String]

    init(_ row: DataTable.Row) {
      (place, from, to) = (row["place"], row["from"], row["to"])
      exceptions = row.list("except")
    }
  }

  private func naiveFold(_ word: String, _ rules: [Rule]) -> String {
    for rule in rules where rule.place == "word" && rule.from == word { return rule.to }
    guard word.utf8.count > 3 else { return word }
    var word = word
    for rule in rules where rule.place != "word" {
      let (from, to) = (rule.from, rule.to)
      if rule.exceptions.contains(where: { word.hasPrefix($0) }) { continue }
      switch rule.place {
      case "prefix": if word.hasPrefix(from) { word = to + word.dropFirst(from.count) }
      case "suffix": if word.hasSuffix(from) { word = word.dropLast(from.count) + to }
      default: word = word.split(separator: from, omittingEmptySubsequences: false).joined(separator: to)
      }
    }
    return word
  }

  @Test func `folding a word equals the rules tried one by one`() throws {
    let table = try modelTable("lexicon/spelling.tsv")
    let rules = try SpellingRules(table: table)
    var words = table.rows.flatMap { row in
      ["\(row["from"])", "pre\(row["from"])", "\(row["from"])ing", "un\(row["from"])s"]
    }
    words += table.rows.flatMap { $0.list("except") }
    for file in ["lexicon/thesaurus.tsv", "formulary/drugs.tsv"] {
      for row in try modelTable(file).rows {
        for column in ["forms", "targets", "generic", "brands_uk"] {
          words += row.list(column).flatMap { $0.lowercased().split(separator: " ").map(String.init) }
        }
      }
    }
    #expect(words.count > 2000)
    let naive = table.rows.map(Rule.init)
    for word in Set(words) where word.utf8.allSatisfy({ $0 < 0x80 }) {
      #expect(rules.fold(word) == naiveFold(word, naive), "\(word)")
    }
  }
}
