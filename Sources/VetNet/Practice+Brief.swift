import Assessment
public import Briefing
public import Clinical
import Extraction
import Retrieval
import Store

extension Practice {
  private static let similarLimit = 2
  private static let similarCandidates = 40
  /// Older messages were about an earlier visit.
  private static let messageDays = 10

  /// The briefs of a day's appointments, in their order. The dead, the cancelled and those without a patient get none.
  public func briefs(on date: CalendarDate, clinicianID: String?, now: Timestamp) throws -> [Brief] {
    try reading {
      let appointments = try connection.appointments.appointments(startingIn: timeZone.interval(of: date)).map(\.value)
      return
        try appointments
        .filter { $0.status.occupiesTime && (clinicianID == nil || $0.clinicianID == clinicianID) }
        .sorted { ($0.start, $0.clinicianID ?? "", $0.id) < ($1.start, $1.clinicianID ?? "", $1.id) }
        .compactMap { appointment in
          guard let id = appointment.patientID else { return nil }
          let patient = try stored(patient: id)
          return patient.value.deceasedAt == nil ? try brief(patient, appointment: appointment, now: now) : nil
        }
    }
  }

  /// The brief for one appointment.
  ///
  /// - Throws: ``PracticeError`` when there is no such appointment, it has no patient, or the patient has died.
  public func brief(forAppointment id: String, now: Timestamp) throws -> Brief {
    try reading {
      let appointment = try storedAppointment(id).value
      guard let patientID = appointment.patientID else {
        throw PracticeError(.notFound, "appointment '\(id)' names no patient")
      }
      return try brief(living(stored(patient: patientID)), appointment: appointment, now: now)
    }
  }

  /// The brief for a patient, with the next appointment if there is one.
  public func brief(forPatient reference: String, now: Timestamp) throws -> Brief {
    try reading {
      let patient = try living(stored(patient: reference))
      let next = try connection.appointments.appointments(patient: patient.rowID).map(\.value)
        .first { $0.start >= now && $0.status.occupiesTime }
      return try brief(patient, appointment: next, now: now)
    }
  }

  private func living(_ patient: Stored<Patient>) throws -> Stored<Patient> {
    if let died = patient.value.deceasedAt {
      throw PracticeError(
        .invalidArgument, "\(patient.value.id) died on \(died) and gets no brief",
        hint: "Maybe look at the record: vetnet patient timeline \(patient.value.id)")
    }
    return patient
  }

  private func brief(_ patient: Stored<Patient>, appointment: Appointment?, now: Timestamp) throws -> Brief {
    let record = try record(of: patient, at: now)
    let history = CaseHistory(record, at: now, zone: timeZone)
    var context = BriefContext(appointment: appointment, now: now, zone: timeZone)
    context.assessment = try appointment.flatMap { try assessment(of: $0, now: now) }
    context.messages = try recentIntakes(of: patient, now: now).map { intake in
      AssessedMessage(intake: intake, assessment: try assessment(of: intake, history: history, clinicianID: nil))
    }
    context.namesakes = try connection.patients.patients(named: patient.value.name).map(\.value)
      .filter { $0.id != patient.value.id && $0.deceasedAt == nil }
    context.staffNames = Dictionary(
      try connection.staff.list().map { ($0.value.id, $0.value.name) }, uniquingKeysWith: { first, _ in first })
    let words = ([appointment?.reason] + context.messages.map(\.intake.text)).compactMap { $0 }
    context.similar = try similarLines(to: words, problems: history.context.problems, except: patient.value, now: now)
    guard let brief = try pipeline.brief(record, context) else {
      throw PracticeError(.invalidArgument, "\(patient.value.id) has died and gets no brief")
    }
    return try verified(brief)
  }

  /// What was sent in about a patient lately: the owner's own words about why they come.
  private func recentIntakes(of patient: Stored<Patient>, now: Timestamp) throws -> [Intake] {
    let since = now.adding(days: -Self.messageDays)
    return try connection.intakes.intakes(patient: patient.rowID).map(\.value)
      .filter { intake in intake.receivedAt.map { $0 <= now && $0 >= since } ?? false }
      .sorted { ($0.receivedAt ?? now, $0.id) < ($1.receivedAt ?? now, $1.id) }
  }

  /// Cases of other patients of the species that share what this one comes for.
  ///
  /// The retriever ranks passages; only those whose note records the same findings of its own patient are shown, with what
  /// they share, so that likeness of wording alone (a time, a weight, a name) makes no case similar. A problem says more than
  /// a sign, and one sign alone too little.
  private func similarLines(
    to words: [String], problems: [String], except patient: Patient, now: Timestamp
  ) throws -> [SimilarLine] {
    guard !words.isEmpty, let live = try connection.generations.live() else { return [] }
    let findings = try words.flatMap { try models.extractors().findings.findings(in: $0) }
    let concepts = Set(
      findings.filter { Self.isShared($0.assertion) && $0.kind != .test && $0.kind != .procedure }.map(\.name))
    guard !concepts.isEmpty else { return [] }
    let hits = try hits(
      for: (words + concepts.sorted()).joined(separator: "\n"),
      filter: RetrievalFilter(dates: Timestamp(seconds: .min / 2)..<now), limit: Self.similarCandidates)
    var found: [(weight: Int, line: SimilarLine)] = []
    var seen: Set<String> = [patient.id]
    for hit in hits where !seen.contains(hit.patientID) {
      guard let row = try connection.recordIDs.row(.note, hit.noteID) else { continue }
      let facts = try connection.facts.facts(generation: live.rowID, note: row).compactMap { Fact($0.value) }
        .filter { ($0.kind == .problem || $0.kind == .finding) && Self.isShared($0.assertion) }
      let shared = facts.filter { concepts.contains($0.name) }
      let also = Set(facts.map(\.name)).intersection(problems).subtracting(concepts)
      let names = Set(shared.map(\.name))
      let weight = names.count + Set(shared.filter { $0.kind == .problem }.map(\.name)).count + also.count
      guard let first = shared.first, weight > 1,
        let other = try connection.patients.patients(id: hit.patientID).first?.value, other.species == patient.species
      else { continue }
      seen.insert(hit.patientID)
      let note = try note(hit.noteID)
      let listed = (names.sorted() + also.sorted()).prefix(4).joined(separator: ", ")
      let line = SimilarLine(
        text: "\(other.name) (\(other.id)), \(timeZone.date(of: note.recordedAt)): \(listed)", note: note,
        range: first.range)
      found.append((weight, line))
    }
    // Most in common first; the retriever's order between equals.
    return found.enumerated().sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
      .prefix(Self.similarLimit).map(\.element.line)
  }

  private static func isShared(_ assertion: Assertion) -> Bool {
    assertion.polarity == .present && assertion.experiencer == .patient && assertion.temporality == .current
  }

  /// A brief with every quote read again from its note; a line whose source no longer holds is left out.
  private func verified(_ brief: Brief) throws -> Brief {
    brief.keepingLines(where: try brief.citations.map { $0.holds(in: try note($0.noteID)) })
  }
}
