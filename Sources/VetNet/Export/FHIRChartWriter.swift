import Chart
import Clinical
import Extraction
import Interchange
import Store

/// What is derived from a patient's notes, as resources that each name the passage they rest on. What notes say of others than the
/// patient is not among them.
struct FHIRChartWriter {
  let timeZone: PracticeTimeZone
  let now: Timestamp

  func resources(of record: PatientRecord, protections: PreventionGroups) -> [FHIRResource] {
    let chart = PatientChart(record, protections: protections)
    let patient = record.patient.id
    var resources = chart.problems.all.map { condition($0, patient) }
    resources += chart.drugs.all.enumerated().map { statement($1, number: $0, patient) }
    let texts = Dictionary(record.notes.map { ($0.id, $0.text) }, uniquingKeysWith: { first, _ in first })
    // What is too unsure to warn of is no entry of an allergy list.
    resources += chart.warnings.map { intolerance($0, patient, texts) }
    for note in record.notes {
      for (number, fact) in (record.facts[note.id] ?? []).enumerated() where fact.assertion.experiencer == .patient {
        let item = RecordedFact(note: note, fact: fact)
        if let resource = resource(of: item, id: "\(note.id).fact-\(number + 1)", patient) {
          resources.append(resource)
        }
      }
    }
    return resources
  }

  // MARK: Courses

  private func condition(_ course: ProblemCourse, _ patient: String) -> FHIRResource {
    let (clinical, verification) =
      switch course.state {
      case .suspected: ("active", "provisional")
      case .confirmed: (course.isOpen(at: now) ? "active" : "inactive", "confirmed")
      case .resolved: ("resolved", "confirmed")
      case .ruledOut, .denied: ("inactive", "refuted")
      }
    func status(_ list: String, _ code: String) -> JSONValue {
      FHIRConcept([.init("http://terminology.hl7.org/CodeSystem/\(list)", code)]).json
    }
    return derived(
      "Condition", "\(patient).problem.\(course.name)", course.latest,
      [
        ("clinicalStatus", status("condition-clinical", clinical)),
        ("verificationStatus", status("condition-ver-status", verification)),
        ("code", FHIRConcept(text: course.name).json), ("subject", subject(patient)),
        ("recordedDate", .string(timeZone.iso8601(course.firstAt))),
        ("evidence", [.members(("detail", [document(course.latest.note.id)]))]),
      ])
  }

  private func statement(_ course: DrugCourse, number: Int, _ patient: String) -> FHIRResource {
    let status =
      if course.end != nil { "stopped" } else if course.isOngoing(at: now) { "active" } else { "completed" }
    let told = course.dosed ?? course.regimen
    return derived(
      "MedicationStatement", "\(patient).course-\(number + 1).\(course.drug)", course.latest,
      [
        ("status", .string(status)), ("medicationCodeableConcept", FHIRConcept(text: course.drug).json),
        ("subject", subject(patient)),
        (
          "effectivePeriod",
          .members(
            ("start", course.begun.map { .string(timeZone.iso8601($0.note.recordedAt)) }),
            ("end", course.end.map { .string(timeZone.iso8601($0.note.recordedAt)) }))
        ), ("derivedFrom", [document(course.latest.note.id)]), ("dosage", told.flatMap(dosage)),
      ])
  }

  private func intolerance(_ course: ReactionCourse, _ patient: String, _ texts: [String: String]) -> FHIRResource {
    let evidence = course.evidence.last
    let words = evidence.flatMap { quote($0.passage, texts[$0.noteID] ?? "") }
    let isAvoided = course.state == .avoid
    let extensions =
      evidence.flatMap { last in texts[last.noteID].flatMap { passage(last.passage, noteID: last.noteID, $0) } }
    return FHIRResource(
      "AllergyIntolerance", "\(patient).reaction.\(course.treatment)",
      [
        ("meta", FHIRName.derived), ("extension", extensions.map { [$0] }),
        (
          "clinicalStatus",
          FHIRConcept([.init("http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical", "active")]).json
        ),
        // A program read it, and nobody has confirmed that.
        (
          "verificationStatus",
          FHIRConcept([
            .init(
              "http://terminology.hl7.org/CodeSystem/allergyintolerance-verification",
              "unconfirmed")
          ]).json
        ), ("category", ["medication"]),
        ("code", FHIRConcept(text: isAvoided ? "\(course.treatment) (to be avoided)" : course.treatment).json),
        ("patient", subject(patient)),
        ("recordedDate", evidence.map { .string(timeZone.iso8601($0.recordedAt)) }),
        (
          "reaction",
          isAvoided ? nil : words.map { [.members(("manifestation", [FHIRConcept(text: $0).json]))] }
        ),
      ])
  }

  // MARK: Facts

  private func resource(of item: RecordedFact, id: String, _ patient: String) -> FHIRResource? {
    let fact = item.fact
    let isDone = fact.assertion.polarity == .present && fact.assertion.temporality != .hypothetical
    switch fact.content {
    case .problem, .reaction: return nil
    case .allergy(let allergy) where isDone && allergy.subject != nil:
      return derived(
        "AllergyIntolerance", id, item,
        [
          (
            "clinicalStatus",
            FHIRConcept([.init("http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical", "active")]).json
          ), ("code", FHIRConcept(text: allergy.subject).json), ("patient", subject(patient)),
          ("recordedDate", .string(timeZone.iso8601(item.note.recordedAt))),
        ])
    case .drug: return item.note.kind == .prescription && isDone ? request(item, id, patient) : nil
    case .vaccination(let prevention) where prevention.event.action != .due && prevention.event.action != .overdue:
      let isGiven = isDone && !fact.hasAction(in: TreatmentAction.ends)
      guard isGiven || fact.hasAction(in: TreatmentAction.ends) else { return nil }
      return derived(
        "Immunization", id, item,
        [
          ("status", .string(isGiven ? "completed" : "not-done")), ("vaccineCode", FHIRConcept(text: fact.name).json),
          ("patient", subject(patient)), ("occurrenceDateTime", .string(day(of: item))),
        ])
    case .procedure where fact.assertion.polarity != .uncertain && fact.assertion.temporality != .hypothetical:
      return derived(
        "Procedure", id, item,
        [
          ("status", fact.assertion.polarity == .absent ? "not-done" : "completed"),
          ("code", FHIRConcept(text: fact.name).json), ("subject", subject(patient)),
          ("performedDateTime", .string(day(of: item))),
        ])
    default: return observation(item, id, patient)
    }
  }

  private func request(_ item: RecordedFact, _ id: String, _ patient: String) -> FHIRResource {
    derived(
      "MedicationRequest", id, item,
      [
        ("status", "completed"), ("intent", "order"),
        ("medicationCodeableConcept", FHIRConcept(text: item.fact.name).json), ("subject", subject(patient)),
        ("authoredOn", .string(timeZone.iso8601(item.note.recordedAt))),
        ("requester", item.note.author.map { FHIRReference(display: $0).json }), ("dosageInstruction", dosage(item)),
      ])
  }

  private func observation(_ item: RecordedFact, _ id: String, _ patient: String) -> FHIRResource {
    let fact = item.fact
    let measured = FHIRMeasurement(fact)
    let words = quote(fact.range, item.note.text)
    var value = measured?.value
    if value == nil, let result = fact.lab?.result {
      value = ("valueCodeableConcept", FHIRConcept(text: result.rawValue).json)
    }
    if value == nil, case .finding = fact.content, fact.assertion.polarity != .uncertain {
      value = ("valueBoolean", .truth(fact.assertion.polarity == .present))
    }
    if value == nil { value = words.map { ("valueString", .string($0)) } }
    let isPending = fact.lab?.result == .pending || fact.kind == .pendingResult
    return derived(
      "Observation", id, item,
      [
        ("status", .string(isPending ? "registered" : "final")),
        (
          "category",
          [
            FHIRConcept(
              [.init("http://terminology.hl7.org/CodeSystem/observation-category", measured?.category ?? "exam")],
              text: fact.kind.rawValue
            ).json
          ]
        ), ("code", FHIRConcept(measured?.codings ?? [], text: fact.name).json), ("subject", subject(patient)),
        ("effectiveDateTime", .string(day(of: item))), value ?? ("valueString", nil),
        (
          "interpretation",
          fact.isImplausible ? [FHIRConcept(text: "no animal has such a value").json] : nil
        ), ("referenceRange", measured?.reference.map { [$0] }),
      ])
  }

  // MARK: The book and what was judged

  /// A visit that took place, and the time that is taken by one to come.
  func encounter(of appointment: Appointment, id: String) -> [FHIRResource] {
    var resources: [FHIRResource] = []
    if let patient = appointment.patientID,
      let status = ["done": "finished", "in_progress": "in-progress", "arrived": "arrived"][appointment.status.rawValue]
    {
      let end = appointment.actualMinutes.map { appointment.start.adding(minutes: Int($0.rounded(.up))) }
      resources.append(
        FHIRResource(
          "Encounter", "\(id).visit",
          [
            ("meta", FHIRName.derived), ("status", .string(status)),
            (
              "class",
              FHIRConcept.Coding("http://terminology.hl7.org/CodeSystem/v3-ActCode", "AMB", "ambulatory").json
            ), ("subject", subject(patient)), ("appointment", [FHIRReference("Appointment", id).json]),
            (
              "period",
              .members(
                ("start", .string(timeZone.iso8601(appointment.start))),
                ("end", end.map { .string(timeZone.iso8601($0)) }))
            ), ("reasonCode", appointment.reason.map { [FHIRConcept(text: $0).json] }),
          ]))
    }
    if let clinician = appointment.clinicianID, appointment.status.occupiesTime, appointment.start >= now,
      appointment.durationMinutes > 0
    {
      resources.append(
        FHIRResource(
          "Slot", "\(id).slot",
          [
            ("meta", FHIRName.derived), ("schedule", FHIRReference("Schedule", "\(clinician).schedule").json),
            ("status", "busy"), ("start", .string(timeZone.iso8601(appointment.start))),
            ("end", .string(timeZone.iso8601(appointment.end))),
          ]))
    }
    return resources
  }

  func schedule(of clinician: String) -> FHIRResource {
    FHIRResource(
      "Schedule", "\(clinician).schedule",
      [
        ("meta", FHIRName.derived), ("active", .truth(true)),
        ("actor", [FHIRReference("Practitioner", clinician).json]),
        ("planningHorizon", .members(("start", .string(timeZone.iso8601(now))))),
      ])
  }

  /// What was judged of a case, by which models; and a person's level with the reason.
  func risk(_ assessment: StoredAssessment, patient: String, intake: String?) -> FHIRResource {
    let result = try? JSONParser.parse(Array(assessment.result.utf8))
    let models = try? JSONParser.parse(Array(assessment.modelVersions.utf8))
    let level = result?["urgency"]?.text ?? result?["labels"]?["urgency"]?.text
    let reason = result?["override"]?["reason"]?.text
    return FHIRResource(
      "RiskAssessment", "assessment-\(assessment.rowID)",
      [
        ("meta", FHIRName.derived),
        ("extension", models.map { $0.isEmpty ? [] : [FHIRExtension.nested("model-versions", $0)] }),
        ("status", "final"), ("method", FHIRConcept(text: assessment.kind).json), ("subject", subject(patient)),
        ("occurrenceDateTime", .string(timeZone.iso8601(assessment.createdAt))),
        ("performer", FHIRReference(display: reason == nil ? "VetNet" : "a person, instead of VetNet").json),
        ("basis", intake.map { [FHIRReference("DocumentReference", "request-\($0)").json] }),
        (
          "prediction",
          level.map {
            [
              .members(
                ("outcome", FHIRConcept(text: "urgency").json),
                ("qualitativeRisk", FHIRConcept([.init(FHIRName.codes("urgency"), $0)], text: $0).json))
            ]
          }
        ), ("note", reason.map { [.members(("text", .string($0)))] }),
      ])
  }

  // MARK: Parts

  private func derived(
    _ type: String, _ id: String, _ item: RecordedFact, _ members: [(String, JSONValue?)]
  ) -> FHIRResource {
    var extensions = [passage(item.fact.range, noteID: item.note.id, item.note.text)].compactMap(\.self)
    let assertion = item.fact.assertion
    extensions.append(
      FHIRExtension.nested(
        "assertion",
        .members(
          ("polarity", .string(assertion.polarity.rawValue)), ("temporality", .string(assertion.temporality.rawValue))))
    )
    return FHIRResource(type, id, [("meta", FHIRName.derived), ("extension", .list(extensions))] + members)
  }

  private func subject(_ patient: String) -> JSONValue { FHIRReference("Patient", patient).json }
  private func document(_ note: String) -> JSONValue { FHIRReference("DocumentReference", note).json }

  /// The day that a fact is written for, else the moment of its note.
  private func day(of item: RecordedFact) -> String {
    item.fact.writtenDate.flatMap(CalendarDate.init(iso:))?.description ?? timeZone.iso8601(item.note.recordedAt)
  }

  private func quote(_ range: Range<Int>, _ text: String) -> String? {
    text.slice(utf8: range).map(String.init).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Where in which note it stands, in code points, with the words.
  private func passage(_ range: Range<Int>, noteID: String, _ text: String) -> JSONValue? {
    guard let points = text.codePoints(utf8: range), let words = quote(range, text) else { return nil }
    return .members(
      (
        "extension",
        [
          .members(("url", "note"), ("valueReference", document(noteID))),
          .members(("url", "start"), ("valueInteger", .number("\(points.lowerBound)"))),
          .members(("url", "end"), ("valueInteger", .number("\(points.upperBound)"))),
          .members(("url", "quote"), ("valueString", .string(words))),
        ]
      ), ("url", .string(FHIRName.extension("passage"))))
  }

  private func dosage(_ item: RecordedFact) -> JSONValue? {
    guard let dosage = item.fact.dosage else { return nil }
    let words = [
      dosage.dose?.text, dosage.rate?.text, dosage.route?.rawValue, dosage.frequency?.rawValue,
      dosage.duration?.text,
    ].compactMap(\.self)
    return words.isEmpty ? nil : [.members(("text", .string(words.joined(separator: " "))))]
  }
}
