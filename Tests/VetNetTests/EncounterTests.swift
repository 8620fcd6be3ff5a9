import Briefing
import Clinical
import Foundation
import Testing
import VetNetTestSupport

@testable import Store
@testable import VetNet

/// From the first words to the signed note: the states, what is kept of each step, and what may not happen.
struct EncounterTests {
  private let clinic: SmallClinic
  private let vet = Actor(name: "Dr Elm", role: .veterinarian)
  private var practice: Practice { clinic.practice }
  private static let text = """
    Vomiting since Monday, no diarrhoea. Weight 12.4 kg, T 39.6 C, HR 110. Abdomen soft. Suspect pancreatitis.
    Plan: bloods. Maropitant 12 mg SC given. Recheck in 3 days.
    """

  init() throws { clinic = try SmallClinic() }

  @discardableResult
  private func run<Wanted: VetNet.Operation>(_ operation: Wanted, at minutes: Int64 = 0) throws -> Wanted.Outcome {
    try practice.perform(operation, by: vet, at: Timestamp(seconds: clinic.now.seconds + minutes * 60))
  }

  private func begun(_ text: String = Self.text, patient: String = "P1") throws -> Encounter {
    try run(BeginEncounter(patient: patient, author: "V1", text: text))
  }

  /// Accepts all, and signs.
  private func signed(_ text: String = Self.text, patient: String = "P1") throws -> ShownEncounter {
    let id = try begun(text, patient: patient).id
    try acceptAll(id)
    try run(AdvanceEncounter(id: id))
    try run(AdvanceEncounter(id: id))
    return try run(SignEncounter(id: id))
  }

  private func acceptAll(_ id: String) throws {
    let open = try run(ShowEncounter(id: id)).open(for: .planComplete)
    try run(DecideEncounter(id: id, sections: open, verdict: .accepted))
  }

  private func notes(_ patient: String = "P1") throws -> [StoredNote] {
    try practice.connection.notes.notes(patient: practice.records.stored(patient: patient).rowID)
  }

  @Test func `a narrative becomes one note with its author, its words and its hash`() throws {
    let shown = try signed()
    let note = try #require(shown.note?.note)
    #expect(shown.encounter.state == .final && note.author == "V1" && note.kind == .consult)
    #expect(try notes().map(\.value.id) == [note.id])
    for words in ["Vomiting since Monday", "12.4 kg", "Maropitant 12 mg SC given", "Recheck in 3 days"] {
      #expect(note.text.contains(words), "\(words)")
    }
    #expect(shown.encounter.signature?.hash == ContentHash(of: Array(note.text.utf8)).hexadecimal)
    #expect(shown.encounter.signature?.actor == "Dr Elm")
    #expect(try run(ListTimeline(reference: "P1")).contains { $0.id == note.id })
  }

  @Test func `signing twice makes one note, and a signed encounter is only amended`() throws {
    let shown = try signed()
    let id = shown.encounter.id
    for attempt in [
      { try run(SignEncounter(id: id)) } as () throws -> Void, { try run(EditEncounter(id: id, text: "other")) },
      { try run(AdvanceEncounter(id: id)) }, { try run(DiscardEncounter(id: id)) },
      { try run(DecideEncounter(id: id, sections: [.plan], verdict: .dropped)) },
    ] {
      let error = #expect(throws: PracticeError.self) { try attempt() }
      #expect(error?.description.contains("was signed on") == true)
    }
    #expect(try notes().count == 1)
    let amended = try run(AmendEncounter(id: id, text: "Vomiting since Sunday.", reason: "wrong day"))
    #expect(amended.encounter.state == .amended && amended.note?.versions.count == 1)
    #expect(try notes().map(\.value.text) == ["Vomiting since Sunday."])
    #expect(try practice.integrity.verify().checks.first { $0.name == "encounters" }?.ok == true)
  }

  @Test func `a note that is amended by its own command is an amended encounter, and one that is moved goes along`()
    throws
  {
    let shown = try signed()
    let note = try #require(shown.note?.note.id)
    try run(AmendNote(id: note, text: "Vomiting.", reason: "short"))
    #expect(try run(ShowEncounter(id: shown.encounter.id)).encounter.state == .amended)
    try run(MoveNote(id: note, patient: "P2", reason: "the other one"))
    #expect(try run(ShowEncounter(id: shown.encounter.id)).patient.id == "P2")
  }

  @Test func `nothing goes forward before it is decided on, and what is missing is said`() throws {
    let id = try begun().id
    let early = #expect(throws: PracticeError.self) { try run(AdvanceEncounter(id: id)) }
    #expect(early?.description.contains("not decided yet: complaint, ") == true)
    let unsigned = #expect(throws: PracticeError.self) { try run(SignEncounter(id: id)) }
    #expect(unsigned?.description.contains("is 'draft'") == true)
    try acceptAll(id)
    #expect(try run(AdvanceEncounter(id: id)).encounter.state == .historyComplete)
    // What changed since it was decided on is looked at again.
    try run(EditEncounter(id: id, text: Self.text + " Owner declined radiographs."))
    let stale = #expect(throws: PracticeError.self) { try run(AdvanceEncounter(id: id)) }
    #expect(stale?.description.contains("changed since") == true)
    try acceptAll(id)
    #expect(try run(AdvanceEncounter(id: id)).encounter.state == .planComplete)
    #expect(throws: PracticeError.self) { try run(AdvanceEncounter(id: id)) }
    #expect(try run(SignEncounter(id: id)).note?.note.text.contains("declined radiographs") == true)
  }

  @Test func `every word that is not dropped goes into the note, and what was dropped does not`() throws {
    let id = try begun().id
    try acceptAll(id)
    try run(DecideEncounter(id: id, sections: [.assessment], verdict: .dropped))
    try run(DecideEncounter(id: id, sections: [.plan], verdict: .edited, text: "Plan: nothing today."))
    try run(AdvanceEncounter(id: id))
    try run(AdvanceEncounter(id: id))
    let text = try #require(try run(SignEncounter(id: id)).note?.note.text)
    #expect(text.contains("Plan: nothing today.") && !text.contains("Maropitant") && !text.contains("pancreatitis"))
    let cases = try run(ListEncounterCases())
    let kept = try #require(cases.first)
    #expect(cases.count == 1 && kept.note == text)
    let plan = kept.decisions.filter { $0.section == .plan }
    #expect(plan.map(\.verdict) == [.accepted, .edited])
    #expect(plan.last?.proposed.contains { $0.text.contains("Maropitant") } == true)
    #expect(kept.decisions.allSatisfy { $0.versions.contains("extraction") })
  }

  @Test func `a change that is based on an old revision is refused, and nothing of it is written`() throws {
    let begun = try begun()
    let edited = try run(EditEncounter(id: begun.id, expecting: begun.revision, text: "Vomiting. Now retching."))
    #expect(edited.revision == begun.revision + 1)
    for attempt in [
      { try run(EditEncounter(id: begun.id, expecting: begun.revision, text: "Limping.")) } as () throws -> Void,
      { try run(DecideEncounter(id: begun.id, expecting: begun.revision, sections: [.complaint], verdict: .accepted)) },
      { try run(AdvanceEncounter(id: begun.id, expecting: begun.revision)) },
      { try run(SignEncounter(id: begun.id, expecting: begun.revision)) },
      { try run(DiscardEncounter(id: begun.id, expecting: begun.revision)) },
    ] {
      #expect((#expect(throws: PracticeError.self) { try attempt() })?.code == .changedMeanwhile)
    }
    // The same words again are no change, whatever they are based on.
    #expect(try run(EditEncounter(id: begun.id, expecting: 1, text: "Vomiting. Now retching.")).revision == 2)
    #expect(try run(ShowEncounter(id: begun.id)).encounter.narrative == "Vomiting. Now retching.")
  }

  @Test func `an encounter that is begun again under its id is the same, and another one's id is refused`() throws {
    let id = "enc-0123456789abcdefghij"
    let first = try run(BeginEncounter(id: id, patient: "P1", text: "Vomiting."))
    #expect(try run(BeginEncounter(id: id, patient: "P1", text: "Vomiting.")) == first)
    #expect(throws: PracticeError.self) { try run(BeginEncounter(id: id, patient: "P2", text: "Vomiting.")) }
    #expect(throws: PracticeError.self) { try run(BeginEncounter(id: "enc-1", patient: "P1", text: "Vomiting.")) }
    #expect(try run(ListEncounters()).count == 1)
  }

  /// Whatever is asked for in whatever order, an encounter only goes forward, and at most one note comes of it.
  @Test(arguments: 0..<6) func `no sequence of steps leaves the states`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let id = try begun("Vomiting since Monday. T 39.6 C. Recheck in 3 days.").id
    var last = EncounterState.draft
    for _ in 0..<18 {
      let steps: [() throws -> Void] = [
        { try run(AdvanceEncounter(id: id)) }, { try run(AdvanceEncounter(id: id)) },
        { try run(SignEncounter(id: id)) }, { try run(SignEncounter(id: id)) }, { try acceptAll(id) },
        { try run(EditEncounter(id: id, text: "Vomiting. T 39.\(Int.random(in: 1...9, using: &random)) C.")) },
        {
          let section = EncounterSection.allCases.randomElement(using: &random) ?? .plan
          try run(DecideEncounter(id: id, sections: [section], verdict: .dropped))
        },
        { try run(DecideEncounter(id: id, sections: [.plan], verdict: .edited, text: "Plan: rest.")) },
        {
          try run(AmendEncounter(id: id, text: "Vomiting \(UInt32.random(in: 0...99, using: &random)).", reason: "x"))
        },
      ]
      try? steps.randomElement(using: &random)?()
      let now = try run(ShowEncounter(id: id))
      let state = now.encounter.state
      #expect(
        state == last || last.mayBecome(state) || (last == .planComplete && state >= .final), "\(last) → \(state)")
      #expect(state.isSigned == (now.note != nil))
      #expect(try notes().count == (state.isSigned ? 1 : 0))
      last = state
    }
  }

  @Test func `who may not write records gets no way in`() throws {
    let shown = try signed()
    let id = shown.encounter.id
    for role in [Role.reception, .administrator] {
      let actor = Actor(name: "x", role: role)
      for operation in [
        BeginEncounter(patient: "P1", text: "x"), ListEncounters(), ShowEncounter(id: id),
        EditEncounter(id: id, text: "x"),
        DecideEncounter(id: id, sections: [.plan], verdict: .dropped), AdvanceEncounter(id: id), SignEncounter(id: id),
        AmendEncounter(id: id, text: "x", reason: "x"), DiscardEncounter(id: id), SummarizeEncounter(id: id),
      ] as [any VetNet.Operation] {
        let error = #expect(throws: PracticeError.self) {
          func go(_ operation: some VetNet.Operation) throws {
            try practice.perform(operation, by: actor, at: clinic.now)
          }
          try go(operation)
        }
        #expect(error?.code == .notPermitted)
      }
    }
  }

  @Test func `erasing a patient takes its encounters, and merging moves them`() throws {
    let secret = "Zanzibarvomit since Monday."
    let id = try begun(secret, patient: "P3").id
    try run(DecideEncounter(id: id, sections: [.history], verdict: .edited, text: secret))
    _ = try signed(patient: "P4")
    let owner = Actor(name: "owner", role: .owner)
    _ = try practice.perform(
      MergePatients(first: "P5", second: "P4", keep: .first, reason: "one animal"), by: owner, at: clinic.now)
    #expect(try run(ListEncounters(patient: "P5")).count == 1)
    let report = try practice.perform(ErasePatient(reference: "P3", reason: "asked for"), by: owner, at: clinic.now)
    #expect(report.removed["encounters"] == 1)
    #expect(try run(ListEncounters()).count == 1)
    let file = try Data(contentsOf: URL(filePath: clinic.folder.file("p.vetnet")))
    #expect(file.range(of: Data("Zanzibarvomit".utf8)) == nil)
  }

  @Test func `doctor finds a signed note that is not the one that was signed`() throws {
    let shown = try signed()
    try practice.connection.execute(
      "UPDATE encounter SET signed_hash = ? WHERE external_id = ?", [UInt8](repeating: 7, count: 32),
      shown.encounter.id)
    let findings = try practice.integrity.doctor(now: clinic.now, isQuick: false)
    #expect(findings.contains { $0.subject == "encounter \(shown.encounter.id)" })
  }

  @Test func `a summary says what was accepted, without a dose, and when to ring`() throws {
    let shown = try signed(
      "Vomiting since Monday. T 39.6 C. Maropitant 12 mg SC given. Meloxicam 0.1 mg/kg SID dispensed. Recheck in 3 days."
    )
    let summary = try run(SummarizeEncounter(id: shown.encounter.id)).summary
    let lines = summary.parts.flatMap(\.lines).map(\.text)
    #expect(lines.contains("Being sick") && lines.contains("maropitant was given"))
    #expect(lines.contains { $0.hasPrefix("meloxicam: give it as the label says") })
    #expect(lines.allSatisfy { !$0.contains("mg") && !$0.contains("SID") })
    #expect(summary.parts.last?.kind == .watch)
    #expect(summary.parts.flatMap(\.lines).allSatisfy { !$0.references.isEmpty })
    let draft = try begun(patient: "P2")
    #expect(throws: PracticeError.self) { try run(SummarizeEncounter(id: draft.id)) }
  }

  @Test func `a long narrative beside a long record is read while somebody pauses`() throws {
    let patient = try practice.records.stored(patient: "P7")
    for number in 0..<40 {
      _ = try practice.connection.notes.upsert(
        ClinicalNote(
          id: "L\(number)", patientID: "P7", recordedAt: clinic.now.adding(days: -20 * number - 1), kind: .consult,
          text:
            "Stiff again on the left fore, worse after rest. Weight \(24 + number % 3).4 kg, T 38.\(number % 9), HR 9\(number % 9). Meloxicam 2 mg SID continued, creatinine 1\(10 + number) umol/l. No vomiting. Plan: recheck in 3 weeks."
        ), source: practice.connection.sources.id(named: "test"))
    }
    try practice.perform(Reindex(options: ReindexOptions()), by: .local, at: clinic.now)
    let sentence =
      "Vomiting since Monday and off food, no diarrhoea, drinking more than usual according to the owner. Weight 23.1 kg, T 39.6 C, HR 128, RR 32, mucous membranes pink and tacky. Abdomen tense cranially, no mass felt. Suspect pancreatitis, rule out a foreign body. Bloods and abdominal ultrasound. Maropitant 24 mg SC given, meloxicam stopped. Recheck in 2 days. "
    let text = String(repeating: sentence, count: 6)
    #expect(text.split(separator: " ").count >= 300 && patient.value.id == "P7")
    let id = try begun(text, patient: "P7").id
    _ = try run(ShowEncounter(id: id))
    let clock = ContinuousClock()
    var times: [Duration] = []
    for _ in 0..<5 { times.append(try clock.measure { _ = try run(ShowEncounter(id: id)) }) }
    let median = times.sorted()[2]
    print("reading of \(text.split(separator: " ").count) words beside 40 notes: \(median) (median of 5, debug)")
    #expect(median < .seconds(3))
  }
}
