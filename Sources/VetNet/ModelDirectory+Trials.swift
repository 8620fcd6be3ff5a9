package import Assessment
package import Clinical
import Extraction
import FoundationEssentials

extension ModelDirectory {
  /// The rules' assessment by the default protocol with another table of concepts, to try what a change of that table does.
  ///
  /// - Parameter concepts: in place of `triage/concepts.tsv`.
  /// - Returns: an assessor without what is learned, built anew.
  /// - Throws: ``PracticeError`` naming the row that can't be used.
  package func ruleAssessor(concepts: DataTable) throws -> CaseAssessor {
    var tables = try AssessmentTables { try table($0) }
    tables.concepts = concepts
    let classifier = try assertionClassifier()
    let (units, vitals) = (try table("extraction/units.tsv"), try table("extraction/vitals.tsv"))
    let file = "triage/\(Practice.defaultTriageProtocol).json"
    let data = Data(try data(file))
    return try usable {
      let classes = classifier.wordClasses
      let parser = QuantityParser(units: try UnitTable(table: units), wordClasses: classes)
      let reader = try IntakeReader(
        tables: tables, classifier: classifier,
        vitals: try VitalsReader(table: vitals, parser: parser, wordClasses: classes))
      let triageProtocol = try TriageProtocol(file: file, data: data, lexicon: reader.lexicon)
      return try CaseAssessor(tables: tables, triageProtocol: triageProtocol, reader: reader)
    }
  }
}
