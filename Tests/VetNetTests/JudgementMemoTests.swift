import Assessment
import Briefing
import Clinical
import Scheduling
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// What was judged before is what would be judged now.
struct JudgementMemoTests {
  private static let texts = [
    "Vomiting since Friday. Weight 12.4 kg. Started maropitant 2 mg/kg once daily for 5 days.",
    "Diagnosed with chronic kidney disease. Creatinine 210 umol/L. On benazepril 5 mg once daily.",
    "Stop meloxicam: vomited after each dose. Bloods sent, results pending.",
    "Bright, eating well. 11.9 kg. No vomiting. Itchy ears, otitis externa, right ear.",
    "Seizure lasting two minutes. Started phenobarbital 3 mg/kg twice daily. Recheck in four weeks.",
    "Owner declines dental. Aggressive on handling, muzzle needed.",
  ]
  private static let reasons = [
    "vomiting all night, not eating", "recheck ears", "vaccination", "collapsed, gums white", "limping since yesterday",
  ]
  private static let actor = Actor(name: "vet", role: .owner)

  /// What of a day depends on judgements, as text.
  private static func shown(_ practice: Practice, at now: Timestamp, withBriefs: Bool) throws -> [String] {
    let date = SmallClinic.zone.date(of: now)
    let day = try practice.perform(ShowDay(date: date), by: actor, at: now)
    var lines = day.entries.map {
      "\($0.appointment.id) \($0.urgency?.rawValue ?? "-") \($0.risk.map { "\($0.overrun) \($0.meanDelay) \($0.p95Delay)" } ?? "-")"
    }
    lines += try practice.perform(ListWaiting(days: 0), by: actor, at: now).map {
      "waiting \($0.appointment.id) \($0.urgency?.rawValue ?? "-")"
    }
    guard withBriefs else { return lines }
    for brief in try practice.perform(BriefDay(date: date), by: actor, at: now).briefs {
      lines.append("\(brief.patient.id) \(brief.preparedAt.seconds) \(brief.assessment?.duration.p50 ?? 0)")
      lines += brief.sections.flatMap { section in section.lines.map { "\(section.title): \($0.text)" } }
      lines += brief.citations.map(\.quote)
    }
    return lines
  }

  /// Each change is one that a judgement may hang on, done by another session than the one that remembers.
  private static func change(
    _ kind: Int, step: Int, _ clinic: SmallClinic, _ now: inout Timestamp, _ random: inout SplitMix
  ) throws {
    let practice = clinic.practice
    let connection = practice.connection
    let patient = "P\(random.below(3) + 1)"
    switch kind {
    case 0, 1:
      try practice.perform(
        AddNote(
          patient: patient, kind: .consult, text: texts[random.below(texts.count)],
          recordedAt: now.adding(days: -random.below(420)).adding(minutes: -random.below(1440))), by: actor, at: now)
    case 2:
      let notes = try connection.notes.notes(patient: connection.recordIDs.row(.patient, patient) ?? 0)
      guard let note = notes.last else { return }
      try practice.perform(
        AmendNote(id: note.value.id, text: texts[random.below(texts.count)] + " Amended \(step).", reason: "wrong"),
        by: actor, at: now)
    case 3:
      let notes = try connection.notes.notes(patient: connection.recordIDs.row(.patient, patient) ?? 0)
      guard let note = notes.first else { return }
      try practice.perform(RetractNote(id: note.value.id, reason: "wrong"), by: actor, at: now)
    case 4:
      let source = try connection.sources.id(named: "test")
      _ = try connection.patients.upsert(
        Patient(
          id: patient, name: "Animal", species: step.isMultiple(of: 2) ? .cat : .dog,
          dateOfBirth: SmallClinic.zone.date(of: now).adding(days: -random.below(5000)),
          weightKilograms: Double(random.below(40) + 1), ownerID: "C1"), source: source)
    case 5:
      // A visit that is over teaches how long visits take.
      let source = try connection.sources.id(named: "test")
      for number in 0..<(step.isMultiple(of: 3) ? 25 : 1) {
        _ = try connection.appointments.upsert(
          Appointment(
            id: "D\(step)-\(number)", patientID: patient, clinicianID: "V1",
            start: now.adding(days: -number - 1), durationMinutes: 15, actualMinutes: Double(10 + random.below(40)),
            visitType: .standardConsult, reason: reasons[random.below(reasons.count)], status: .done), source: source)
      }
    case 6: now = now.adding(minutes: random.below(180) + 1)
    case 7:
      // To the second when a note becomes so many days old.
      let notes = try connection.notes.notes(patient: connection.recordIDs.row(.patient, patient) ?? 0)
      let ages = [60, 90, 180, 200, 400, 5, 7]
      let next = notes.flatMap { note in ages.map { note.value.recordedAt.adding(days: $0) } }.filter { $0 > now }.min()
      if let next, next < now.adding(minutes: 600) { now = next } else { now = now.adding(minutes: 7) }
    default:
      try clinic.ask(
        "W\(step)", patient, SmallClinic.zone.iso8601(now).prefix(16).description,
        reason: reasons[random.below(reasons.count)])
    }
  }

  @Test func `what is remembered of a day is what is judged anew, whatever another session changed meanwhile`() throws {
    let clinic = try SmallClinic()
    var now = SmallClinic.at("2026-11-23T08:00")
    for number in 1...3 {
      _ = try clinic.practice.connection.appointments.book(
        Appointment(
          id: "A\(number)", patientID: "P\(number)", clinicianID: "V1",
          start: SmallClinic.at("2026-11-23T1\(number):00"),
          durationMinutes: 30, reason: Self.reasons[number], status: .booked))
      try clinic.practice.perform(
        AddNote(patient: "P\(number)", kind: .consult, text: Self.texts[number], recordedAt: now.adding(days: -60)),
        by: Self.actor, at: now)
    }
    let path = clinic.folder.file("p.vetnet")
    let remembering = try Practice.open(at: path, models: clinic.models, access: .read)
    let fresh = try Practice.open(at: path, models: clinic.models, access: .read)
    fresh.memos.judgements.isOn = false
    var random = SplitMix(state: 7)
    var kinds: Set<Int> = []
    for step in 0..<27 {
      let kind = step < 18 ? step % 9 : random.below(9)
      kinds.insert(kind)
      try Self.change(kind, step: step, clinic, &now, &random)
      if SmallClinic.zone.date(of: now) > SmallClinic.zone.date(of: SmallClinic.at("2026-11-23T08:00")) {
        now = SmallClinic.at("2026-11-23T08:00")
      }
      let withBriefs = step.isMultiple(of: 3)
      let remembered = try Self.shown(remembering, at: now, withBriefs: withBriefs)
      let anew = try Self.shown(fresh, at: now, withBriefs: withBriefs)
      #expect(remembered == anew, "step \(step), kind \(kind)")
    }
    #expect(kinds.count == 9 && remembering.memos.judgements.cases.count > 3 && fresh.memos.judgements.cases.count == 0)
  }

  @Test func `a change about one patient leaves what was judged of the others`() throws {
    let clinic = try SmallClinic()
    let now = SmallClinic.at("2026-11-23T08:00")
    let source = try clinic.practice.connection.sources.id(named: "test")
    for number in 0..<25 {
      _ = try clinic.practice.connection.appointments.upsert(
        Appointment(
          id: "D\(number)", patientID: "P9", clinicianID: "V1", start: now.adding(days: -number - 1),
          durationMinutes: 15, actualMinutes: 12, visitType: .standardConsult, status: .done), source: source)
    }
    for number in 1...3 {
      try clinic.ask("W\(number)", "P\(number)", "2026-11-23T10:00", reason: Self.reasons[number])
    }
    // The first note makes the first index, which every judgement rests on.
    try clinic.practice.perform(
      AddNote(patient: "P1", kind: .phone, text: Self.texts[3], recordedAt: now.adding(days: -9)), by: Self.actor,
      at: now)
    let practice = try Practice.open(at: clinic.folder.file("p.vetnet"), models: clinic.models, access: .read)
    func judged() throws -> Int {
      let before = practice.memos.judgements.madeCases
      _ = try practice.perform(ListWaiting(days: 0), by: Self.actor, at: now)
      return practice.memos.judgements.madeCases - before
    }
    #expect(try judged() == 3)
    #expect(try judged() == 0)
    try clinic.practice.perform(
      AddNote(patient: "P2", kind: .phone, text: Self.texts[0], recordedAt: now.adding(minutes: -5)), by: Self.actor,
      at: now)
    #expect(try judged() == 1)
    _ = try clinic.book("P7", "2026-11-23T15:00")
    #expect(try judged() == 0)
  }

  @Test func `what is kept is bounded, and what was used last stays`() {
    var shelf = Shelf<Int, Int>(capacity: 8)
    for number in 0..<8 { shelf[number] = number }
    _ = shelf[0]
    shelf[8] = 8
    #expect(shelf.count <= 8 && shelf[0] == 0 && shelf[8] == 8 && shelf[1] == nil)
  }
}

private struct SplitMix {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(bound))
  }
}
