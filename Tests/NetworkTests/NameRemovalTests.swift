import Foundation
import PracticeTestSupport
import Testing
import VetNetTestSupport

@testable import VetNet

/// Names go, what is clinical stays, and places can be told.
struct NameRemovalTests {
  private static let remover = Result {
    try NameRemover(
      models: shippedModels(),
      people: ["Mrs Margaret Holloway", "Dr Tomasz Müller", "Mr Ben Brown"],
      places: ["4 Tithe Barn Lane, Fernleigh"], animals: ["Bramble"])
  }

  @Test(arguments: [
    ("Mrs Holloway rang.", "Mrs [name] rang."), ("mrs holoway rang", "mrs [name] rang"),
    ("Seen by Dr Mueller.", "Seen by Dr [name]."), ("Bramble's ears are clean.", "[animal]'s ears are clean."),
    ("Brown discharge from the left ear.", "Brown discharge from the left ear."),
    ("Mr Brown says it is brown.", "Mr [name] says it is brown."),
    ("Owner Mark to call 07700 900123.", "Owner [name] to call [contact]."),
    ("Mail m.holloway@example.com please", "Mail [contact] please"),
    ("Lives at 12 Quarry Lane, AB1 2CD.", "Lives at [place]."),
    ("Cushing's, Horner's and a Robert Jones bandage.", "Cushing's, Horner's and a Robert Jones bandage."),
    ("ALT 214, BP 160, T 38.6, seen 12/03/2026.", "ALT 214, BP 160, T 38.6, seen 12/03/2026."),
    ("Given Metacam and Cerenia.", "Given Metacam and Cerenia."), ("", ""),
  ])
  func `names are taken out by rules`(text: String, wanted: String) throws {
    #expect(try Self.remover.get().redact(text).text == wanted)
  }

  /// What a practice has on file is taken out wherever it stands; an everyday word that is a name too where a person stands.
  @Test(arguments: [
    ("rang will hopper, all well today", "rang [name], all well today"),
    ("Seen at Rope Walk this morning.", "Seen at [place] this morning."),
    ("no hope of recovery", "no hope of recovery"),
    ("consent signed by hope. wound small", "consent signed by [name]. wound small"),
    ("Sunil & Hope came in.", "[name] & [name] came in."), ("Discussed with Hoppers.", "Discussed with [name]."),
    ("Sky found a tick on the flank.", "Sky found a tick on the flank."),
    ("Blue sky outside, walked well.", "Blue sky outside, walked well."), ("CP 40 mg given.", "CP 40 mg given."),
    ("Given Panacur at Splash Paws today.", "Given Panacur at [place] today."),
  ])
  func `the practice's register is known by place and phrase`(text: String, wanted: String) throws {
    let remover = try NameRemover(
      models: shippedModels(), people: ["Mr Will Hopper", "Mrs Hope Littlejohn"],
      staff: ["Craig Petrie"], places: ["31 Rope Walk, Port Gower"], animals: ["Sky"])
    #expect(remover.redact(text).text == wanted)
  }

  /// What stands beside a name, behind a note, or in an address.
  @Test(arguments: [
    ("Sutures out in ten days. CP", "Sutures out in ten days. [name]"),
    ("Rang back, no reply -CP", "Rang back, no reply -[name]"),
    ("Consent signed. CP/WQ", "Consent signed. [name]/[name]"), ("Healing well. NAD", "Healing well. NAD"),
    ("W Hopper will keep a log.", "[name] will keep a log."),
    ("Report from J. R. Osgood today.", "Report from [name] today."),
    ("Done by van der Meulen.", "Done by [name]."), ("Q.L. paid cash.", "[name]. paid cash."),
    ("Moved to 902 Lincoln Ave, McFarland 53558.", "Moved to [place], [name] [place]."),
    ("Bought from a breeder in Rockford, IL.", "Bought from a breeder in [place]."),
    ("Found on Hwy 51, no chip.", "Found on [place], no chip."), ("Call 608.555.0134 please", "Call [contact] please"),
    ("Off to the Isle of Mull for a month.", "Off to the [name] for a month."),
    ("BP 160, K 5.4, USG 1.045.", "BP 160, K 5.4, USG 1.045."),
    ("He'll eat. OK'd by phone.", "He'll eat. OK'd by phone."),
    ("Ann Whitlow MRCVS, a vet; other MRCVS here.", "[name] MRCVS, a vet; other MRCVS here."),
  ])
  func `letters, particles, signatures and addresses go with the names beside them`(text: String, wanted: String) throws
  {
    let remover = try NameRemover(
      models: shippedModels(), people: ["Mr Adam Hopper"],
      staff: ["Craig Petrie", "Ann Whitlow MRCVS"])
    #expect(remover.redact(text).text == wanted)
  }

  /// Who was named once, small letters, short names, and words of the trade that mostly have a capital.
  @Test(arguments: [
    (
      "Spoke to Mrs Bright at noon. Card taken, Bright informed.",
      "Spoke to Mrs [name] at noon. Card taken, [name] informed."
    ),
    ("Mr Karolak came at two, then karolak left.", "Mr [name] came at two, then [name] left."),
    ("Nails done. jadwiga collected him.", "Nails done. [name] collected him."),
    ("Nails done. granulation continues.", "Nails done. granulation continues."),
    ("Lives in ampthwaite now.", "Lives in [place] now."),
    ("arber rang, Dad wants a price.", "[name] rang, [name] wants a price."),
    ("Hx of vomiting, Pug, on Tue as well.", "Hx of vomiting, Pug, on Tue as well."),
    ("swelling came up again, still on Broadline.", "swelling came up again, still on Broadline."),
    ("Dear colleague, thank you for the call.", "Dear colleague, thank you for the call."),
    ("Found in Devon by Ken.", "Found in [place] by [name]."),
    ("A Suffolk tup from Mr Rex Devon.", "A Suffolk tup from Mr [name]."),
  ])
  func `names go however often and small they stand, and products and greetings stay`(text: String, wanted: String)
    throws
  {
    let remover = try NameRemover(models: shippedModels())
    #expect(remover.redact(text).text == wanted)
  }

  @Test func `a word of three letters with a capital is a name where a practice writes enough and never this small`()
    throws
  {
    let digits = Array("abcdefghij")
    let letters = (0..<400).map {
      "zq" + String(String($0).compactMap(\.wholeNumberValue).map { digits[$0] })
    }
    let remover = try NameRemover(
      models: shippedModels(),
      written: WrittenWords(["He then had \(letters.joined(separator: " ")) today."]))
    #expect(remover.redact("Seen with Mot at noon.").text == "Seen with [name] at noon.")
    #expect(remover.redact("Seen with Vet at noon, Hx of Pug.").text == "Seen with Vet at noon, Hx of Pug.")
  }

  @Test func `of whom a note is about the name is meant, and what a practice writes in small letters is none`() throws {
    let directory = try shippedModels()
    let remover = try NameRemover(
      models: directory, animals: ["Sky"],
      written: WrittenWords(Array(repeating: "Given some zorvexil today, well.", count: 3)))
    let text = "Sky had Zorvexil today."
    #expect(remover.redact(text, about: ["Sky"]).text == "[animal] had Zorvexil today.")
    let other = try NameRemover(models: directory, animals: ["Sky"])
    #expect(other.redact(text, about: ["Sky"]).text == "[animal] had [name] today.")
  }

  @Test func `any place of what is left can be found again in what was written`() throws {
    var generator = SeededTexts(seed: 5)
    let remover = try Self.remover.get()
    for _ in 0..<200 {
      let text = generator.next()
      let redacted = remover.redact(text)
      let (original, given) = (Array(text.unicodeScalars), Array(redacted.text.unicodeScalars))
      let marked = Set(redacted.removed.flatMap(\.given))
      for place in given.indices where !marked.contains(place) {
        let there = redacted.originalRange(of: place..<(place + 1))
        #expect(there.count == 1 && original[there.lowerBound] == given[place])
      }
      for name in redacted.removed { #expect(redacted.originalRange(of: name.given) == name.original) }
    }
  }

  /// Sentences with names and characters of several bytes between them.
  private struct SeededTexts {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    private mutating func pick(_ words: [String]) -> String {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return words[Int(state >> 33) % words.count]
    }

    mutating func next() -> String {
      let pieces = [
        "Mrs Holloway", "Bramble", "😀", "é", "\n", "07700 900123", "T 38.6", "owner Mark", "Fernleigh",
        "a.b@example.com",
        "vomiting", "Dr Müller's", "½", "Kowalska",
      ]
      return (0..<12).map { _ in pick(pieces) }.joined(separator: pick([" ", ". ", ", "]))
    }
  }

  @Test func `names of the dev notes are found, and clinical words stay`() throws {
    let folder = try TemporaryFolder()
    let vetnet = try VetNetProcess(practice: folder.file("none.vetnet"))
    let report = try vetnet.run("evaluate", "names", projectDirectory + "/Evaluations/names/dev.jsonl", "--json").json()
    let systems = try #require(report["systems"] as? [String: [String: [String: Any]]])
    func value(_ metric: String) throws -> Double { try #require(systems["default"]?[metric]?["value"] as? Double) }
    #expect(try value("recall") >= 0.98)
    #expect(try value("words_lost") <= 0.03)
  }
}
