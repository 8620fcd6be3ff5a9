import Clinical
import Testing
import VetNetTestSupport

@testable import Extraction

@Suite struct FindingTests {
  private func names(_ text: String) throws -> [String] {
    try Fixtures.extractors.get().findings.findings(in: text).map(\.name)
  }

  @Test func `every form of the table finds its own concept`() throws {
    let table = try modelTable("extraction/findings.tsv", required: ["id", "name", "kind", "forms"], uniqueKey: "id")
    let extractor = try Fixtures.extractors.get().findings
    for row in table.rows where row["kind"] != "none" {
      for form in row.list("forms") where !form.hasPrefix("^") {
        for spelling in FindingExtractor.inflections(of: form.hasPrefix("=") ? String(form.dropFirst()) : form) {
          let found = extractor.findings(in: "Seen: \(spelling).").map(\.concept)
          #expect(found == [row["id"]], "\(spelling) gave \(found)")
        }
      }
    }
  }

  @Test func `spelling, case, plural and hyphens do not matter`() throws {
    #expect(try names("Diarrhea") == names("DIARRHOEA"))
    #expect(try names("open-mouth breathing") == ["open-mouth breathing"])
    #expect(try names("Addison’s") == ["hypoadrenocorticism"])
    #expect(try names("anemia and tumor") == ["anaemia", "neoplasia"])
  }

  @Test func `abbreviations in capitals are not words in small letters`() throws {
    #expect(try names("OA both hips") == ["osteoarthritis"])
    #expect(try names("as a hd screen") == [])
    #expect(try names("HM will call back") == [])
  }

  @Test(arguments: [
    ("V/D x3", ["vomiting", "diarrhoea"]), ("V+ D-", ["vomiting", "diarrhoea"]),
    ("C/S/V/D nil", ["cough", "sneezing", "vomiting", "diarrhoea"]),
    ("no v, d or cough", ["vomiting", "diarrhoea", "cough"]),
    ("murmur V/VI", ["heart murmur"]), ("vitamin D", []), ("D Jones", []), ("Option C", []),
  ])
  func `single letters are signs only in a notation`(text: String, expected: [String]) throws {
    #expect(try names(text) == expected)
  }

  @Test func `the longest form wins and the rest of a look-alike is skipped`() throws {
    #expect(try names("urinary tract infection") == ["urinary tract infection"])
    #expect(try names("Fit and well") == [])
  }

  @Test func `findings carry what the text says about them`() throws {
    let extractor = try Fixtures.extractors.get().findings
    let found = extractor.findings(in: "No vomiting. ?pancreatitis. Dam had epilepsy.")
    #expect(found.map(\.assertion.polarity) == [.absent, .uncertain, .present])
    #expect(found.map(\.assertion.experiencer) == [.patient, .patient, .other])
  }
}
