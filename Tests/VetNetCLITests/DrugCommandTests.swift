import Foundation
import Testing
import VetNetTestSupport

/// `vetnet drug` needs no practice: it answers before anything is imported.
struct DrugCommandTests {
  let folder: TemporaryFolder
  let vetnet: VetNetProcess

  init() throws {
    folder = try TemporaryFolder()
    vetnet = try VetNetProcess(practice: folder.file("none.vetnet"))
  }

  @Test func `a brand shows the drug with its cautions, their rows and the version`() throws {
    let outcome = try vetnet.run("drug", "Rimadyl")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("carprofen\n"))
    for words in ["class       NSAID", "[nsaid-steroid*]", "AVOID cat", "monitor ", "formulary-", "unverified"] {
      #expect(outcome.output.contains(words), "\(words)")
    }
  }

  @Test func `JSON keeps what the text shows, with sources`() throws {
    let sheet = try vetnet.run("drug", "permethrin", "--species", "cat", "--json").json()
    let drugs = try #require(sheet["drugs"] as? [[String: Any]])
    #expect(drugs.count == 1 && drugs[0]["generic"] as? String == "permethrin")
    let cautions = try #require(drugs[0]["species_cautions"] as? [[String: Any]])
    #expect(cautions.first?["level"] as? String == "toxic")
    let reference = try #require(cautions.first?["reference"] as? [String: Any])
    #expect(reference["id"] as? String == "formulary/species-cautions.tsv#cat-permethrin")
    #expect((reference["source"] as? String)?.isEmpty == false && reference["verified"] as? Bool == false)
    #expect((sheet["formulary"] as? String)?.hasPrefix("formulary-") == true)
  }

  @Test func `a misspelt name gets a suggestion, an unknown species is refused, silence is no clearance`() throws {
    let misspelt = try vetnet.run("drug", "carprofin")
    #expect(misspelt.status == 1 && misspelt.errors.contains("carprofen"))
    #expect(try vetnet.run("drug", "meloxicam", "--species", "unicorn").status == 64)
    let silent = try vetnet.run("drug", "meloxicam", "--with", "fenbendazole")
    #expect(silent.status == 0 && silent.output.contains("unknown, not safe"))
  }
}
