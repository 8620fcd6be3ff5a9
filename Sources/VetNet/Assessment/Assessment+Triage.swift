package import Assessment
public import Clinical
import Extraction
import FoundationEssentials
import Interchange
import Retrieval
import Scheduling
import Store

/// One row of a file of intakes.
public enum TriageInput: Sendable {
  case intake(Intake)
  /// File, line, field and reason.
  case rejected(String)
}

extension Practice.Assessment {
  /// The protocol that triage follows when nobody names another.
  public static let defaultTriageProtocol = "vtl"

  /// Past cases asked for when a duration is estimated.
  static let neighbourLimit = 30

  /// Assesses an intake: urgency, ABCDE, complexity, minutes, visit type, specialties, each explained.
  ///
  /// - Parameters:
  ///   - intake: what somebody said or wrote.
  ///   - reference: whose record to take into account; nil for the intake's own patient, or none.
  ///   - protocolName: a protocol of `Models/triage`.
  ///   - now: the present moment: what the record says later does not exist yet.
  ///   - saves: keeps the assessment in the practice file, for intakes and appointments on file.
  ///   - settled: a level that somebody gave instead of the program's.
  /// - Returns: the assessment with its reasons and the versions of what made it.
  /// - Throws: ``PracticeError`` for an unknown patient or protocol. Too little information is not an error.
  package func triage(
    _ intake: Intake, patient reference: String?, protocolName: String = defaultTriageProtocol, now: Timestamp,
    saves: Bool, settled: SettledLevel? = nil
  ) throws -> CaseAssessment {
    let assessment = try reading { () throws -> CaseAssessment in
      let subject = try (reference ?? intake.patientID).map { try practice.records.stored(patient: $0) }
      var assessment = try assess(
        intake, of: subject, clinicianID: nil, settled: settled, protocolName: protocolName, now: now)
      assessment.staff = try practice.workplace.staffRanking(for: assessment, patient: subject, now: now)
      if settled == nil, let language = try models.languageGuess().foreignLanguage(of: intake.text) {
        assessment.takeAsNotUnderstood(because: "the text seems to be \(language), which VetNet can't read")
      }
      if let subject, let died = subject.value.deceasedAt, died <= timeZone.date(of: now) {
        assessment.flag("the record says that \(subject.value.id) died on \(died)")
      }
      return assessment
    }
    if saves { try save(assessment, of: intake, patient: reference ?? intake.patientID, now: now) }
    return assessment
  }

  /// Hands over the intakes of JSON Lines in their order, one by one, with what is wrong with the rows that can't be used.
  public func forEachIntake(in input: IntakeFile, _ body: (TriageInput) throws -> Void) throws {
    do {
      let reader = ImportReader(
        input.file, kind: .intakes, format: .jsonLines,
        options: Interchange.ImportOptions(timeZone: timeZone, vocabulary: try models.importVocabulary()))
      while let event = try reader.next() {
        switch event {
        case .record(.intake(var intake, let reference), let location, let raw, _):
          for loss in raw.losses {
            let reject = ImportReject(
              at: location, field: loss.field, value: loss.value, reason: loss.reason, hint: loss.hint)
            try body(.rejected("\(reject); assessed without it"))
          }
          // Assessing finds out who that is; a patient who is not on file is no obstacle to it.
          intake.patientID = reference?.text
          try body(.intake(intake))
        case .record(_, let location, _, _): try body(.rejected("\(location): is no intake"))
        case .reject(let reject), .amendment(_, _, _, let reject): try body(.rejected("\(reject)"))
        case .problem(let problem): if problem.isFailure { try body(.rejected("\(problem)")) }
        }
      }
    } catch let error as InterchangeError {
      throw PracticeError(.failed, error.description)
    }
  }

  /// The assessment of an appointment's reason; nil when it has none.
  func assessment(of appointment: Appointment, now: Timestamp) throws -> CaseAssessment? {
    guard let reason = appointment.reason, reason.contains(where: { !$0.isWhitespace }) else { return nil }
    // Somebody's lunch is no case.
    guard try !isBlock(appointment) else { return nil }
    let subject = try appointment.patientID.map { try practice.records.stored(patient: $0) }
    let intake = Intake(id: appointment.id, patientID: appointment.patientID, receivedAt: now, text: reason)
    return try assess(
      intake, of: subject, clinicianID: appointment.clinicianID, booked: appointment.visitType,
      protocolName: Self.defaultTriageProtocol, now: now)
  }

  /// Whether an appointment is an event of a calendar that only takes somebody's time.
  func isBlock(_ appointment: Appointment) throws -> Bool {
    try appointment.patientID == nil && connection.calendars.isBlock(appointment.id)
  }

  /// What triage makes of a message on file, without looking for similar visits: nobody plans minutes by it.
  func assessment(of intake: Intake, history: CaseHistory, clinicianID: String?) throws -> CaseAssessment {
    try pipeline.assessment(
      of: intake, history: history, today: [], clinicianID: clinicianID, samples: [], learner: nil,
      protocol: Self.defaultTriageProtocol)
  }

  /// An intake in the light of its patient's record and of the practice's similar past visits.
  private func assess(
    _ intake: Intake, of subject: Stored<Patient>?, clinicianID: String?, booked: VisitType? = nil,
    settled: SettledLevel? = nil, protocolName: String, now: Timestamp
  ) throws -> CaseAssessment {
    var intake = intake
    let today = try pipeline.facts(of: intake)
    let history = try subject.map {
      CaseHistory(try practice.records.record(of: $0, at: now), at: now, zone: timeZone, today: today)
    }
    if let subject {
      if intake.species == nil { intake.species = subject.value.species }
      if intake.sex == .unknown { intake.sex = subject.value.sex }
    }
    let learner = try durationLearner(at: now)
    return try pipeline.assessment(
      of: intake, history: history, today: today, clinicianID: clinicianID, booked: booked,
      samples: learner.isTaught ? [] : durationSamples(for: intake, before: now), learner: learner,
      settled: settled, protocol: protocolName)
  }

  /// Finished visits that resemble the case: those of the visits whose notes the retriever finds, each as alike as its best hit.
  private func durationSamples(for intake: Intake, before now: Timestamp) throws -> [DurationSample] {
    let dates = Timestamp(seconds: .min / 2)..<now
    return try durationSamples(
      from: practice.index.hits(for: intake.text, filter: RetrievalFilter(dates: dates), limit: Self.neighbourLimit),
      before: now)
  }

  /// The finished visits on the days of some hits' notes.
  func durationSamples(from hits: [Hit], before now: Timestamp) throws -> [DurationSample] {
    guard let best = hits.first?.score, best > 0 else { return [] }
    var samples: [DurationSample] = []
    var seen: Set<String> = []
    for hit in hits {
      for visit in try finishedVisits(of: hit.patientID, on: timeZone.date(of: hit.chunk.recordedAt))
      where seen.insert(visit.id).inserted {
        guard let minutes = visit.actualMinutes, visit.start < now else { continue }
        samples.append(
          DurationSample(
            minutes: minutes, similarity: min(1, max(0, hit.score / best)), visitType: visit.visitType,
            clinicianID: visit.clinicianID))
      }
    }
    return samples
  }

  private func finishedVisits(of patientID: String, on date: CalendarDate) throws -> [Appointment] {
    guard let row = try connection.recordIDs.row(.patient, patientID) else { return [] }
    return try connection.appointments.appointments(patient: row).map(\.value).filter {
      $0.status == .done && $0.actualMinutes != nil && timeZone.date(of: $0.start) == date
    }
  }

  private func save(_ assessment: CaseAssessment, of intake: Intake, patient: String?, now: Timestamp) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let result = String(decoding: try encoder.encode(assessment), as: UTF8.self)
    let versions = String(decoding: try encoder.encode(assessment.modelVersions), as: UTF8.self)
    try writing {
      let patientRow = try patient.map { try practice.records.stored(patient: $0).rowID }
      let intakeRow = intake.id.isEmpty ? nil : try connection.recordIDs.row(.intake, intake.id)
      practice.door.passage?.details["urgency"] = assessment.triage.urgency.rawValue
      practice.door.passage?.details["models"] = versions
      try connection.assessments.insert(
        kind: "triage", at: now, patient: patientRow, intake: intakeRow, modelVersions: versions, result: result)
    }
  }
}

extension CaseAssessment {
  /// The predicted length as the scheduler takes it.
  var predictedDuration: PredictedDuration { JudgedCase(self).predictedDuration }
}
