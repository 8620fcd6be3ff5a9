import Clinical
import Foundation
import Testing

@testable import Interchange

/// What a FHIR file came to.
private struct Reading {
  var records: [ImportRecord] = []
  var additions: [String: RowAdditions] = [:]
  var sources: [String: String] = [:]
  var rejects: [ImportReject] = []
  var problems: [ImportFileProblem] = []

  init(_ paths: [String]) throws {
    let reader = try ImportReader(paths, options: try importOptions())
    while let event = try reader.next() {
      switch event {
      case .record(let record, _, let raw, _):
        records.append(record)
        if let additions = raw.additions { self.additions[record.id] = additions }
        if let source = reader.sourceName { sources[record.id] = source }
      case .amendment(_, _, _, let reject), .reject(let reject): rejects.append(reject)
      case .problem(let problem): problems.append(problem)
      }
    }
  }

  init(_ text: String, _ name: String = "in.json") throws {
    let folder = try TemporaryFolder()
    try self.init([folder.write(name, text)])
  }

  var notes: [ClinicalNote] {
    records.compactMap { if case .note(let note, _) = $0 { note } else { nil } }
  }
}

/// FHIR R4, in and out.
struct FHIRTests {
  private static let clinic = """
    {"resourceType":"Bundle","type":"collection","entry":[
    {"fullUrl":"urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0","resource":{"resourceType":"Observation","status":"final",
      "code":{"text":"Body weight"},"subject":{"reference":"urn:uuid:33333333-0000-4000-8000-000000000001"},
      "effectiveDateTime":"2024-03-05T10:40:00+01:00","valueQuantity":{"value":17.20,"unit":"kg"},
      "extension":[{"url":"http://example.org/scale","valueString":"A"}]}},
    {"resource":{"resourceType":"Basic","id":"b"}},
    {"fullUrl":"urn:uuid:33333333-0000-4000-8000-000000000001","resource":{"resourceType":"Patient",
      "name":[{"given":["Kenzi"]}],"gender":"female","birthDate":"2010-03-23",
      "extension":[{"url":"http://hl7.org/fhir/StructureDefinition/patient-animal","extension":[
        {"url":"species","valueCodeableConcept":{"coding":[{"code":"canislf","display":"Dog"}]}},
        {"url":"breed","valueCodeableConcept":{"coding":[{"display":"Golden retriever"}]}},
        {"url":"genderStatus","valueCodeableConcept":{"coding":[{"code":"neutered"}]}}]}]}},
    {"resource":{"resourceType":"RelatedPerson","id":"peter","name":[{"family":"Chalmers","given":["Peter"]}],
      "telecom":[{"system":"phone","value":"(03) 5555 6473","use":"work"}],
      "patient":{"reference":"urn:uuid:33333333-0000-4000-8000-000000000001"}}},
    {"resource":{"resourceType":"AllergyIntolerance","id":"a1","code":{"text":"Penicillin"},"recordedDate":"2024",
      "verificationStatus":{"coding":[{"code":"entered-in-error"}]},
      "patient":{"reference":"urn:uuid:33333333-0000-4000-8000-000000000001"}}},
    {"resource":{"resourceType":"Condition","id":"c1","code":{"text":"Fever"},
      "subject":{"reference":"urn:uuid:33333333-0000-4000-8000-000000000001"}}}
    ]}
    """

  @Test func `a bundle's references are resolved, and what nobody knows is counted and named`() throws {
    let read = try Reading(Self.clinic)
    let id = "33333333-0000-4000-8000-000000000001"
    #expect(
      read.records.contains(
        .patient(
          Patient(
            id: id, name: "Kenzi", species: .dog, breed: "Golden retriever", sex: .femaleSpayed,
            dateOfBirth: CalendarDate(iso: "2010-03-23"), ownerID: "peter"))))
    #expect(
      read.records.first
        == .client(Client(id: "peter", name: "Peter Chalmers", phones: [ClientPhone("(03) 5555 6473", label: "work")])))
    let weight = try #require(read.notes.first { $0.kind == .lab })
    #expect(weight.patientID == id && weight.text == "Body weight: 17.20 kg")
    #expect(weight.id == "Observation/0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0")
    #expect(PracticeTimeZone.utc.iso8601(weight.recordedAt) == "2024-03-05T09:40:00+00:00")
    let messages = read.problems.map(\.message)
    #expect(messages.contains("1 Basic: unknown here, passed over"))
    #expect(messages.contains("the extension http://example.org/scale is unknown and was ignored (1 times)"))
    // Entered in error: kept, and not to be relied on.
    #expect(read.additions["AllergyIntolerance/a1"]?.retraction != nil)
    let reject = try #require(read.rejects.first)
    #expect(read.rejects.count == 1 && reject.location.resource == "Condition/c1")
    #expect(reject.location.line == 19 && reject.reason == "missing (recordedDate of the resource)")
  }

  @Test func `references reach from file to file, and lines are read one by one`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.ndjson",
      #"{"resourceType":"Procedure","id":"p","status":"not-done","code":{"text":"Biopsy"},"performedDateTime":"2024-01-02","subject":{"reference":"http://old.example/fhir/Patient/7/_history/2"}}"#
        + "\n{\"resourceType\":\"Condition\",\n\n"
        + #"{"resourceType":"Patient","id":"8","name":[{"text":"Rex"}]}"# + "\n")
    try folder.write(
      "z.json",
      #"{"resourceType":"Patient","id":"7","name":[{"text":"Bella"}],"identifier":[{"type":{"text":"Microchip"},"value":"900"}]}"#
    )
    try folder.write("package.json", #"{"name":"not FHIR"}"#)
    let read = try Reading([folder.path])
    #expect(read.notes.map(\.patientID) == ["7"] && read.notes.map(\.text) == ["Not done: Biopsy."])
    #expect(read.records.map(\.id) == ["8", "7", "Procedure/p"])
    #expect(read.rejects.map(\.location.line) == [2])
    #expect(read.rejects.first?.reason.contains("not valid JSON") == true)
    #expect(read.problems.contains { $0.code == .leftOut })
  }

  struct Saying: CustomTestStringConvertible, Sendable {
    let resource: String
    let text: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    Saying(
      resource:
        #""resourceType":"Condition","code":{"text":"Pancreatitis"},"verificationStatus":{"coding":[{"code":"refuted"}]},"recordedDate":"2024-01-02""#,
      text: "No Pancreatitis: ruled out."),
    Saying(
      resource:
        ##""resourceType":"MedicationStatement","status":"stopped","medicationReference":{"reference":"#m"},"contained":[{"resourceType":"Medication","id":"m","code":{"text":"Meloxicam"}}],"dosage":[{"text":"0.1 mg/kg PO SID"}],"dateAsserted":"2024-01-02""##,
      text: "Stopped Meloxicam.\n0.1 mg/kg PO SID"),
    Saying(
      resource:
        #""resourceType":"Observation","status":"final","code":{"text":"ALT"},"valueQuantity":{"value":80,"unit":"U/L","comparator":"<"},"referenceRange":[{"low":{"value":10},"high":{"value":100}}],"effectiveDateTime":"2024-01-02""#,
      text: "ALT: <80 U/L (10-100)"),
    Saying(
      resource:
        #""resourceType":"Composition","status":"final","title":"Discharge","date":"2024-01-02","section":[{"title":"Plan","text":{"div":"<div><p>Rest &amp; water</p><script>x()</script></div>"}}]"#,
      text: "Discharge\nPlan\nRest & water\nx()"),
  ])
  func `a clinical resource of another program becomes a note that says the same`(saying: Saying) throws {
    let read = try Reading("{\(saying.resource),\"id\":\"r\",\"subject\":{\"reference\":\"Patient/1\"}}")
    #expect(read.notes.map(\.text) == [saying.text], "\(read.rejects)")
  }

  @Test func `records of every kind come back as they left`() throws {
    var maker = RecordMaker(generator: SplitMix64(seed: 21))
    let folder = try TemporaryFolder()
    var count = 0
    for round in 0..<6 {
      let path = folder.path + "/\(round).json"
      let bundle = try FHIRBundleWriter(
        OutputFile(path: path), practice: "p", timestamp: "2026-11-20T18:00:00+00:00")
      let writer = FHIRRecordWriter(timeZone: .utc)
      var left: [ImportRecord] = []
      var additions: [String: RowAdditions] = [:]
      for kind in ImportKind.allCases {
        for _ in 0..<3 {
          let record = maker.fhirRecord(kind)
          guard !left.contains(where: { $0.kind == kind && $0.id == record.id }) else { continue }
          let beside = maker.additions(kind)
          let source = maker.maybe { $0.word() }
          left.append(record)
          additions["\(kind) \(record.id)"] = beside
          let leaving = FHIRRecord(record, shownID: record.id, source: source, additions: beside)
          for resource in writer.resources(for: leaving) { try bundle.write(resource) }
        }
      }
      try bundle.finish()
      let reader = try ImportReader([path], options: try importOptions())
      var back: [ImportRecord] = []
      while let event = try reader.next() {
        guard case .record(let record, _, let raw, _) = event else {
          Issue.record("\(event)")
          continue
        }
        back.append(record)
        #expect(raw.additions == additions["\(record.kind) \(record.id)"])
        #expect(raw.losses.isEmpty)
      }
      #expect(back == left.sorted { $0.kind < $1.kind })
      count += back.count
    }
    #expect(count > 100)
  }

  @Test(arguments: [
    ("cut off", #"{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient","id":"1"}},{"res"#),
    ("no JSON", #"{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient","id":01}}]}"#),
    ("a wrong end", #"{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Patient","id":"1"}}]]"#),
    ("two values", #"{"resourceType":"Patient","id":"1","name":[{"text":"Rex"}]} {}"#),
    ("nested", #"{"resourceType":"Patient","id":"1","x":"# + String(repeating: "[", count: 100_000)),
    (
      "deep and whole",
      #"{"resourceType":"Bundle","entry":[{"resource":{"x":"#
        + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "}}]}"
    ),
  ])
  func `of a document that is not whole nothing is read`(name: String, text: String) throws {
    let read = try Reading(text)
    #expect(read.records.isEmpty && read.rejects.isEmpty, "\(name)")
    #expect(read.problems.count == 1 && read.problems[0].isFailure, "\(name): \(read.problems)")
    #expect(read.problems[0].message.hasSuffix("nothing of the file was imported"))
  }

  @Test func `a fault outside of the entries is named with its line`() throws {
    let text =
      "{\"resourceType\":\"Bundle\",\"entry\":[\n{\"resource\":\n{\"resourceType\":\"Basic\"}}\n],\n\"type\": oops}"
    #expect(try Reading(text).problems.map(\.line) == [5])
  }

  @Test func `a resource beyond the limit is rejected without being held, and the rest is read`() throws {
    let folder = try TemporaryFolder()
    let long = #"{"resourceType":"Patient","id":"big","name":[{"text":"\#(String(repeating: "x", count: 70_000))"}]}"#
    let small = #"{"resourceType":"Patient","id":"small","name":[{"text":"Rex"}]}"#
    for (name, text) in [
      ("l.ndjson", "\(long)\n\(small)\n"),
      ("b.json", #"{"resourceType":"Bundle","entry":[{"resource":\#(long)},{"resource":\#(small)}]}"#),
    ] {
      var options = try importOptions()
      options.maximumLineLength = 50_000
      let reader = try ImportReader([try folder.write(name, text)], options: options)
      var ids: [String] = []
      var reasons: [String] = []
      while let event = try reader.next() {
        if case .record(let record, _, _, _) = event { ids.append(record.id) }
        if case .reject(let reject) = event { reasons.append(reject.reason) }
      }
      #expect(ids == ["small"] && reasons.count == 1 && reasons[0].contains("at most 50000"), "\(name)")
    }
  }

  @Test(arguments: [
    #"[1,2.5e-3,"é\u00e9\uD83D\uDC36",true,null,{"a":{}}]"#, " 0 ", #""\uD800""#, #"{"a":1,"a":2}"#,
  ])
  func `what is JSON is read`(text: String) throws {
    let value = try JSONParser.parse(Array(text.utf8))
    #expect(try JSONParser.parse(value.bytes) == value)
  }

  @Test(arguments: [
    "", "[1,]", "{\"a\":}", "01", "1.", "+1", ".5", "NaN", "\"\u{1}\"", #""\x""#, "[1", "{a:1}", "tru", "1 2", "\"a",
    #""\u12""#, "[\"\\",
  ])
  func `what is no JSON is refused`(text: String) {
    #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8)) }
  }
}

extension RecordMaker {
  /// A record whose references FHIR can spell: a name in place of an id it can't.
  fileprivate mutating func fhirRecord(_ kind: ImportKind) -> ImportRecord {
    switch record(kind) {
    case .patient(var patient):
      // The owner is told by the owner's own resource.
      patient.ownerID = nil
      return .patient(patient)
    case .note(var note, _):
      note.patientID = plainID()
      return .note(note, of: .id(note.patientID))
    case .intake(var intake, _):
      intake.patientID = maybe { $0.plainID() }
      return .intake(intake, of: intake.patientID.map(PatientReference.id))
    case .appointment(var appointment, _):
      appointment.patientID = maybe { $0.plainID() }
      appointment.clinicianID = maybe { $0.plainID() }
      appointment.resourceIDs = (0..<int(0...2)).map { "R\($0)" }
      return .appointment(appointment, of: appointment.patientID.map(PatientReference.id))
    case .resource(var room):
      // Where a location is told by its own resource.
      room.locationID = nil
      return .resource(room)
    case let other: return other
    }
  }

  private mutating func plainID() -> String { "P-\(int(1...50))" }

  fileprivate mutating func additions(_ kind: ImportKind) -> RowAdditions? {
    var additions = RowAdditions()
    switch kind {
    case .notes:
      for _ in 0..<int(0...2) {
        additions.versions.append(
          .init(
            replacedAt: timestamp(), actor: word(), cause: RowAdditions.causes[int(0...3)],
            reason: maybe { $0.prose() },
            patientID: maybe { $0.word() }, recordedAt: timestamp(), author: maybe { $0.word() },
            kind: NoteKind.allCases[int(0...7)], text: prose()))
      }
      additions.retraction = maybe { .init(at: $0.timestamp(), actor: $0.word(), reason: $0.prose()) }
    case .appointments:
      var limits = AppointmentOptions()
      limits.keepsTime = int(0...1) == 0
      limits.lagMinutes = int(0...30)
      limits.afterID = maybe { $0.word() }
      limits.urgency = maybe { Urgency.allCases[$0.int(0...4)] }
      limits.receivedAt = maybe { $0.timestamp() }
      additions.limits = limits.isEmpty ? nil : limits
    case .intakes:
      if int(0...1) == 0 {
        additions.overrides = [
          .init(at: timestamp(), models: #"{"triage":"12"}"#, labelledCase: #"{"id":"o","labels":{"complexity":2}}"#)
        ]
      }
    case .clients, .patients, .locations, .staff, .resources: break
    }
    return additions.isEmpty ? nil : additions
  }
}
