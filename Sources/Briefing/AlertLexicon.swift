public import Clinical
import Extraction
public import TextAnalysis

/// The phrases that make an alert. Data: `Models/briefing/alerts.tsv`.
public struct AlertLexicon: Sendable {
  struct Alert: Sendable {
    let id: String
    let label: String
    /// Analysed terms of each phrase, in order.
    let phrases: [[String]]
  }

  struct Found {
    let label: String
    let note: ClinicalNote
    let range: Range<Int>
  }

  let alerts: [Alert]
  private let analyzer: Analyzer

  public init(table: DataTable, analyzer: Analyzer) {
    alerts = table.rows.map { row in
      Alert(
        id: row["id"], label: row["label"],
        phrases: row.list("phrases").map { phrase in
          Self.firstReadings(analyzer.tokens(in: phrase, keepingStopWords: true)).map(\.text)
        })
    }
    self.analyzer = analyzer
  }

  /// The latest sentence for each alert that asserts it of the patient, in the table's order.
  func found(in units: [EvidenceUnit], by classifier: AssertionClassifier) -> [Found] {
    alerts.compactMap { alert in
      for unit in units.reversed() {
        let tokens = Self.firstReadings(analyzer.tokens(in: unit.note.text, range: unit.range, keepingStopWords: true))
        guard let range = Self.range(of: alert, in: tokens),
          classifier.assertion(of: range, in: unit.note.text).isActiveOrPast
        else { continue }
        return Found(label: alert.label, note: unit.note, range: unit.range)
      }
      return nil
    }
  }

  private static func range(of alert: Alert, in tokens: [Token]) -> Range<Int>? {
    for phrase in alert.phrases where !phrase.isEmpty && phrase.count <= tokens.count {
      for start in 0...(tokens.count - phrase.count)
      where phrase.indices.allSatisfy({ tokens[start + $0].text == phrase[$0] }) {
        return tokens[start].range.lowerBound..<tokens[start + phrase.count - 1].range.upperBound
      }
    }
    return nil
  }

  /// One token a place: the word itself, without what shorthand may mean.
  private static func firstReadings(_ tokens: [Token]) -> [Token] {
    var result: [Token] = []
    for token in tokens where result.last?.position != token.position { result.append(token) }
    return result
  }
}
