import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Extraction

@Suite struct FindingTests {
  private func names(_ text: String) throws -> [String] {
    try Fixtures.extractors.get().findings.findings(in: text).map(\.name)
  }

  /// A form with a word in the place of each class: the first of the class, and once each of the others.
  private func written(_ form: String, _ classes: [String: [String]]) -> [String] {
    guard let hole = form.firstMatch(of: /<(\w+)(\?)?>/) else { return [form] }
    if hole.2 != nil { return written(form.replacing(hole.0, with: "").replacing("  ", with: " "), classes) }
    let words = classes[String(hole.1)] ?? []
    return words.enumerated().flatMap { place, word in
      let filled = written(form.replacingCharacters(in: hole.range, with: word), classes)
      return place == 0 ? filled : Array(filled.prefix(1))
    }
  }

  @Test func `every form of the table finds its own concept`() throws {
    let table = try modelTable("extraction/findings.tsv", required: ["id", "name", "kind", "forms"], uniqueKey: "id")
    var classes = ["num": ["3"], "any": ["wet"], "swallowable": ["sock"]]
    for row in try modelTable("extraction/word-classes.tsv").rows where classes[row["class"]] == nil {
      classes[row["class"]] = row.list("words")
    }
    let extractor = try Fixtures.extractors.get().findings
    for row in table.rows where row["kind"] != "none" {
      for form in row.list("forms").filter({ !$0.hasPrefix("^") }).flatMap({ written($0, classes) }) {
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

  @Test func `what has the size of a grape was not eaten`() throws {
    #expect(try names("soft mass, grape size, on her side") == names("soft mass on her side"))
    #expect(try names("a mass the size of a grape") == names("a mass"))
    #expect(try names("ate a grape") == ["grape ingestion"])
  }

  @Test func `the longest form wins and the rest of a look-alike is skipped`() throws {
    #expect(try names("urinary tract infection") == ["urinary tract infection"])
    #expect(try names("Fit and well") == [])
  }

  @Test(arguments: [
    ("There was blood in his urine", ["haematuria"]), ("blood in the wee since Monday", ["haematuria"]),
    ("Swallowed a sock", ["foreign object ingestion"]), ("ate half of my glove", ["foreign object ingestion"]),
    ("swallowed part of a toy", ["foreign object ingestion"]), ("chewed a battery", ["battery ingestion"]),
    ("peeing outside the tray", ["inappropriate urination"]), ("weed on the carpet", ["inappropriate urination"]),
    ("sick twice", ["vomiting"]), ("sick 3 times since breakfast", ["vomiting"]), ("off sick", []),
    ("coughed up blood", ["haemoptysis"]), ("off his back legs", ["paresis"]), ("is kept off the lead", []),
    ("his tummy is swollen", ["abdominal distension"]), ("can't pee", ["dysuria"]), ("walked in the heat", []),
    ("calf scouring", ["diarrhoea"]), ("hip scoring", []),
  ])
  func `what owners call a sign is found, whosever it is`(text: String, expected: [String]) throws {
    #expect(try names(text) == expected)
  }

  @Test(arguments: [
    ("DM on Caninsulin 4 IU BID", ["diabetes mellitus"]),
    ("GSD with DM, knuckling", ["degenerative myelopathy", "paresis"]),
    ("PE: BAR, mm pink", []), ("PE wnl", []), ("PE drained by pericardiocentesis", ["pericardial effusion"]),
    ("PE on CT, hypoxic", ["pulmonary embolism", "ct"]), ("ADR since yesterday", ["lethargy"]),
    ("ADR to vaccine reported to VMD", []),
    ("EPI, cobalamin low, started enzymes", ["exocrine pancreatic insufficiency"]),
    ("EPI 0.01 mg/kg IV during CPR", []), ("EPI on pheno", ["epilepsy"]), ("AS: waxy canal", []),
    ("AS on doppler, gradient 90", ["aortic stenosis"]), ("SEEN AS BEFORE", []), ("LP for CSF under ga", []),
    ("LP, stridor at rest", ["laryngeal paralysis", "stridor"]),
  ])
  func `shorthand with several meanings is told apart by its company`(text: String, expected: [String]) throws {
    #expect(try names(text) == expected)
  }

  @Test func `findings carry what the text says about them`() throws {
    let extractor = try Fixtures.extractors.get().findings
    let found = extractor.findings(in: "No vomiting. ?pancreatitis. Dam had epilepsy.")
    #expect(found.map(\.assertion.polarity) == [.absent, .uncertain, .present])
    #expect(found.map(\.assertion.experiencer) == [.patient, .patient, .other])
  }
}
