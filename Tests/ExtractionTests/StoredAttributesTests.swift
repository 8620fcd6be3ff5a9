import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Extraction

/// Facts are typed; what files keep of them are words by key, the same in every version.
@Suite struct StoredAttributesTests {
  private static func written(_ fact: Fact) -> String {
    StoredAttributes(fact).pairs.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
  }

  /// Taken from files that were written while facts held words by key.
  @Test(
    arguments: [
      (
        "Started Metacam 0.1mg/kg SID PO for 7 days", FactKind.drug,
        [
          "action=started; brand=Metacam; dose=0.1mg/kg; dose_rate=0.1mg/kg; drug=meloxicam; duration=7 days; frequency=q24h; route=PO"
        ]
      ),
      (
        "Chloramphenicol drops OD tid, 1/2 of 50 mg tramadol eod", .drug,
        [
          "dose=1/2 of 50 mg; drug=chloramphenicol; frequency=q8h; side=right",
          "dose=1/2 of 50 mg; drug=tramadol; frequency=q48h",
        ]
      ),
      ("Metacam not given.", .drug, ["action=not given; brand=Metacam; drug=meloxicam"]),
      (
        "12/03/24 DHP given. Nobivac L4 next due 11/22. Booster declined.", .vaccination,
        [
          "action=given; date=12/03/24; drug=canine-core-vaccine",
          "action=due; brand=Nobivac L4; date=12/03/24; drug=leptospirosis-vaccine; due=11/22",
          "action=declined; date=12/03/24",
        ]
      ),
      (
        "Wormed with Milbemax 1 tab today", .parasiteControl,
        ["action=given", "action=given; brand=Milbemax; dose=1 tab; drug=milbemycin-oxime; route=PO"]
      ),
      ("Wt 8-12 kg", .weight, ["upper=12.0"]), ("HR 2000", .heartRate, ["implausible=true"]),
      ("CRT <2s", .vital, ["comparison=<"]), ("BCS 6/9", .bodyCondition, [""]),
      ("ALT\t220\t10-125", .lab, ["flag=high; reference_high=125; reference_low=10"]),
      (
        "K > 7.2 (3.5-5.5) mmol/L", .lab,
        ["comparison=>; flag=high; reference_high=5.5; reference_low=3.5"]
      ),
      ("PCV %        17     15", .lab, ["column=1", "column=2"]), ("Crea 212 (prev 188)", .lab, ["previous=188"]),
      ("STT OD 13, OS 16", .lab, ["side=right", "side=left"]), ("FeLV pos", .lab, ["result=positive"]),
      ("Lame LH.", .finding, ["concept=lameness; side=left; system=msk"]),
      (
        "Addison's ruled out. Pneumonia resolved. DM.", .problem,
        [
          "concept=hypoadrenocorticism; course=chronic; status=ruled out; system=endocrine",
          "concept=pneumonia; status=resolved; system=resp",
          "candidates=diabetes mellitus|degenerative myelopathy; concept=diabetes-mellitus; course=chronic; status=active; system=endocrine",
        ]
      ),
      (
        "Allergic to penicillin. NKDA. Was allergic to ketamine in 2019.", .allergy,
        [
          "reaction=allergic to; subject=penicillin", "",
          "reaction=allergic to; status=past; subject=ketamine in 2019",
        ]
      ),
      (
        "Owner declined dental. Budget £2,500.", .ownerDecision,
        ["subject=dental", "amount=£2,500; subject=£2,500"]
      ),
      ("Histology pending.", .pendingResult, ["subject=Histology pending"]),
      ("Wrong patient, sorry.", .notice, ["subject=Wrong patient"]),
    ] as [(String, FactKind, [String])])
  func `a fact is stored as it always was`(text: String, kind: FactKind, stored: [String]) throws {
    let facts = try Fixtures.extractors.get().facts.facts(in: text, kind: .consult).filter { $0.kind == kind }
    #expect(facts.map(Self.written) == stored)
  }

  @Test func `a reaction is stored with its place and probability`() throws {
    let mention = ReactionMention(.avoid, of: .drugClass, named: 12..<20, probability: 0.75)
    let fact = Fact(.reaction(mention), name: "opioid", range: 0..<40)
    #expect(Self.written(fact) == "event=avoid; named=12-20; probability=0.75; treatment=drugClass")
  }

  /// Of a kind that the importer names otherwise it is read as a consultation.
  private struct Note: Decodable, Hashable {
    let kind: String
    let text: String
  }

  /// One note in so many is read: each takes milliseconds, and more of them tell the same.
  private static let stride = 10

  /// Records that anybody may read: the sample practice and the labelled ones, but none that is kept unread.
  private static func notes() throws -> [Note] {
    let folder = projectDirectory + "/Evaluations/"
    let unread = try String(contentsOfFile: folder + "unseen.tsv", encoding: .utf8)
    let sets = try FileManager.default.contentsOfDirectory(atPath: folder + "questions").sorted().map {
      folder + "questions/\($0)"
    }
    let seen = sets.filter { !unread.contains("Evaluations/questions/" + ($0.split(separator: "/").last ?? "")) }
    let decoder = JSONDecoder()
    // Several sets ask about the same notes.
    var known: Set<Note> = []
    let notes = try ([projectDirectory + "/Corpus"] + seen).flatMap { folder -> [Note] in
      guard let text = try? String(contentsOfFile: folder + "/notes.jsonl", encoding: .utf8) else { return [] }
      return try text.split(separator: "\n").map { try decoder.decode(Note.self, from: Data($0.utf8)) }
        .filter { known.insert($0).inserted }
    }
    return notes.enumerated().filter { $0.offset.isMultiple(of: stride) }.map(\.element)
  }

  @Test func `every fact of every record comes back from what is stored of it`() throws {
    let extractor = try Fixtures.extractors.get().facts
    var kinds: Set<FactKind> = []
    for note in try Self.notes() {
      for fact in extractor.facts(in: note.text, kind: NoteKind(rawValue: note.kind) ?? .consult) {
        kinds.insert(fact.kind)
        let stored = StoredAttributes(fact)
        #expect(zip(stored.pairs, stored.pairs.dropFirst()).allSatisfy { $0.key < $1.key }, "\(stored.pairs)")
        let back = Fact(
          kind: fact.kind, name: fact.name, value: fact.value, unit: fact.unit, range: fact.range,
          assertion: fact.asStored.assertion, attributes: stored)
        #expect(back == fact.asStored)
        #expect(back.map { StoredAttributes($0) } == stored)
      }
    }
    // Few notes say anything about themselves; the rows above have such.
    #expect(kinds.union([.notice]) == Set(FactKind.allCases))
  }

  @Test func `what is coded in words of another version is left out, and a measurement needs its value`() throws {
    let attributes = StoredAttributes([
      StoredAttributes.Pair(key: "route", value: "by owl"), StoredAttributes.Pair(key: "frequency", value: "q12h"),
      StoredAttributes.Pair(key: "quantity", value: "few"),
    ])
    let drug = try #require(Fact(kind: .drug, name: "maropitant", range: 0..<4, attributes: attributes))
    #expect(drug.dosage?.route == nil && drug.drugEvent?.quantity == nil)
    #expect(drug.dosage?.frequency == .every12Hours)
    #expect(Fact(kind: .weight, name: "weight", range: 0..<4) == nil)
    #expect(Fact(kind: .vital, name: "length", value: 1, unit: "m", range: 0..<4) == nil)
  }

  @Test func `a phrase whose value its axis lacks is refused with its place`() throws {
    let head = "axis\tvalue\tdirection\tforms\n"
    let good = try DataTable(name: "c", text: head + "route\tSC\tpost\tsq\nfrequency\tonce\tpost\tstat")
    _ = try ContextPhrases(table: good)
    for row in ["route\tby owl\tpost\tsq", "frequency\tq25h\tpost\tstat", "flag\tmedium\tboth\tM"] {
      let table = try DataTable(name: "c", text: head + row)
      let error = #expect(throws: DataTableError.self) { try ContextPhrases(table: table) }
      #expect(error?.column == "value" && error?.line == 2)
    }
  }
}

/// Amounts are read once, where they are written.
@Suite struct WrittenAmountTests {
  @Test(
    arguments: [
      ("2.5 mg", 2.5, "mg"), ("250mcg", 0.25, "mg"), ("2 units", 2, "u"), ("3IU", 3, "u"), ("1 Tab", 1, "tab"),
      (".5 mls", 0.5, "ml"), ("0.1 mg/kg", 0.1, "mg/kg"), ("100 µg", 0.1, "mg"), ("½ tablet", nil, ""), ("50", nil, ""),
      ("5-10 mg", nil, ""), ("1/2 of 50 mg", nil, ""), ("0 mg", nil, ""), ("one tablet", nil, ""), ("", nil, ""),
    ] as [(String, Double?, String)])
  func `an amount has a value to compare, or none`(text: String, value: Double?, unit: String) {
    let amount = WrittenAmount(text)
    #expect(amount.text == text)
    #expect(amount.comparable == value.map { ConvertedValue(value: $0, unit: unit) })
  }
}

extension Fact {
  /// What a file keeps of it: neither the words that decided nor the quantity before conversion.
  fileprivate var asStored: Fact {
    var fact = self
    fact.valueRange = nil
    fact.assertion.cues = []
    switch content {
    case .drug(var event):
      event.dosage.amount?.original = nil
      fact.content = .drug(event)
    case .vaccination(var prevention):
      prevention.event.dosage.amount?.original = nil
      fact.content = .vaccination(prevention)
    case .parasiteControl(var prevention):
      prevention.event.dosage.amount?.original = nil
      fact.content = .parasiteControl(prevention)
    case .measurement(var measurement):
      measurement.amount.original = nil
      fact.content = .measurement(measurement)
    case .lab(var result):
      result.amount?.original = nil
      fact.content = .lab(result)
    default: break
    }
    return fact
  }
}
