import Assessment
import Briefing
import Clinical
import Scheduling
import Store

// Judging a case takes some ten milliseconds, and a day shows forty: what was judged is kept for as long as it would be judged
// the same again.

extension Practice.Assessment {
  /// What the reason of an appointment comes to; nil where it has none.
  func judgedCase(of appointment: Appointment, now: Timestamp) throws -> JudgedCase? {
    guard let reason = appointment.reason, reason.contains(where: { !$0.isWhitespace }) else { return nil }
    let key = JudgementMemo.CaseKey(
      intake: Intake(id: appointment.id, patientID: appointment.patientID, text: reason),
      clinicianID: appointment.clinicianID, booked: appointment.visitType, zone: timeZone.identifier)
    guard let ground = try ground(at: now) else {
      return try assessment(of: appointment, now: now).map(JudgedCase.init)
    }
    if var known = practice.memos.judgements.cases[key],
      let basis = try stillHolds(known.basis, ground, patientID: appointment.patientID, now: now)
    {
      if basis.ground != known.basis.ground {
        known.basis = basis
        practice.memos.judgements.cases[key] = known
      }
      return known.value
    }
    guard let assessment = try assessment(of: appointment, now: now) else { return nil }
    let judged = JudgedCase(assessment)
    practice.memos.judgements.madeCases += 1
    let isTaught = try durationLearner(at: now).isTaught
    // Without enough visits to learn from, what is like it anywhere in the practice says how long it takes.
    let patient = try patientState(of: appointment.patientID, ground)
    practice.memos.judgements.cases[key] = JudgementMemo.Kept(
      value: judged,
      basis: try basis(ground, patient, restsOnAll: !isTaught, moments: patient?.moments ?? [], now: now))
    return judged
  }

  /// A brief, as `make` makes it or did before.
  func keptBrief(
    _ patient: Stored<Patient>, _ appointment: Appointment?, now: Timestamp, make: () throws -> Brief
  ) throws -> Brief {
    guard let ground = try ground(at: now) else { return try make() }
    let key = JudgementMemo.BriefKey(
      patientID: patient.value.id, appointment: appointment, zone: timeZone.identifier)
    if let known = practice.memos.judgements.briefs[key], known.basis.ground == ground, known.basis.holds(at: now) {
      var brief = known.value
      brief.preparedAt = now
      return brief
    }
    let brief = try make()
    // What is left out of it because it is not what was written may be put right without a word.
    guard practice.memos.damagedNotes.isEmpty else { return brief }
    let state = try connection.patientState(patient.rowID, generation: ground.records.generation)
    let moments = state.moments + (try connection.messageMoments(ofPatient: patient.rowID))
    practice.memos.judgements.briefs[key] = JudgementMemo.Kept(
      value: brief, basis: try basis(ground, state, restsOnAll: true, moments: moments, now: now))
    return brief
  }

  /// The vet who wrote most of the patient's latest ten notes, where that is somebody on the staff.
  func usualClinician(of reference: String?) throws -> String? {
    guard let reference, let patient = try? practice.records.stored(patient: reference) else { return nil }
    let records = try fileState().records
    // What may still be taken back is not kept.
    defer { if connection.holdsUnsealedRecords { practice.memos.judgements.usual = nil } }
    if practice.memos.judgements.usual?.records != records || !practice.memos.judgements.isOn
      || connection.holdsUnsealedRecords
    {
      let vets = try connection.staff.list().map(\.value).filter { $0.role == .veterinarian }.map(\.id)
      practice.memos.judgements.usual = (records, Set(vets), [:])
    }
    if let known = practice.memos.judgements.usual?.byPatient[patient.value.id] { return known }
    let vets = practice.memos.judgements.usual?.vets ?? []
    var counts: [String: Int] = [:]
    for author in try connection.notes.latestAuthors(patient: patient.rowID, limit: 10) where vets.contains(author) {
      counts[author, default: 0] += 1
    }
    let usual = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    practice.memos.judgements.usual?.byPatient[patient.value.id] = .some(usual)
    return usual
  }

  /// What a day risks, which is the same for the same visits.
  func keptRisk(of visits: [RiskVisit], resources: [Resource], seed: UInt64) -> DayRisk {
    let key = JudgementMemo.RiskKey(visits: visits, resources: resources, seed: seed)
    if practice.memos.judgements.isOn, let known = practice.memos.judgements.risks[key] { return known }
    let risk = DaySimulation(visits: visits, resources: resources).risk(
      days: Practice.Reception.simulatedDays, seed: seed)
    if practice.memos.judgements.isOn { practice.memos.judgements.risks[key] = risk }
    return risk
  }

  // MARK: What it rests on

  /// Nil where nothing may be kept: outside a transaction, and in one whose changes may be taken back.
  private func ground(at now: Timestamp) throws -> JudgementGround? {
    guard practice.memos.judgements.isOn, connection.isInTransaction, !connection.holdsUnsealedRecords else {
      return nil
    }
    return JudgementGround(records: try fileState().records, learner: try taughtDurations(at: now).number)
  }

  func fileState() throws -> (records: RecordState, learning: LearningState) {
    try practice.memos.judgements.state(connection, learningKey: Self.learningKey)
  }

  private func patientState(of id: String?, _ ground: JudgementGround) throws -> PatientState? {
    try id.map {
      try connection.patientState(practice.records.stored(patient: $0).rowID, generation: ground.records.generation)
    }
  }

  /// The basis as of now where it still holds; nil where the judgement has to be made anew.
  private func stillHolds(
    _ basis: JudgementBasis, _ ground: JudgementGround, patientID: String?, now: Timestamp
  ) throws -> JudgementBasis? {
    guard basis.holds(at: now), basis.ground.learner == ground.learner else { return nil }
    if basis.ground == ground { return basis }
    // Something in the file changed; most of it is about others.
    guard !basis.restsOnAll, basis.ground.records.rules == ground.records.rules,
      try patientState(of: patientID, ground) == basis.patient
    else { return nil }
    return JudgementBasis(
      ground: ground, patient: basis.patient, at: basis.at, constancy: basis.constancy, restsOnAll: false)
  }

  private func basis(
    _ ground: JudgementGround, _ patient: PatientState?, restsOnAll: Bool, moments: [Timestamp], now: Timestamp
  ) throws -> JudgementBasis {
    let isConstant = try !restsOnAll || practice.memos.judgements.allIndexed(before: now, ground.records, connection)
    return JudgementBasis(
      ground: ground, patient: patient, at: now,
      constancy: isConstant ? Constancy(around: now, moments: moments, zone: timeZone) : Constancy(at: now),
      restsOnAll: restsOnAll)
  }
}
