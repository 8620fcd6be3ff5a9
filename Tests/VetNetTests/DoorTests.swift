import Assessment
import Clinical
import Foundation
@testable import Store
import PracticeTestSupport
import Sync
import Testing
import VetNetTestSupport

@testable import VetNet

/// Everything passes one door: it checks who may, keeps the record, and tells others.
struct DoorTests {
  /// A practice with notes, and one value of every operation there is.
  private final class Walk {
    let clinic: SmallClinic
    var practice: Practice { clinic.practice }
    /// A Monday morning.
    let now = SmallClinic.at("2026-11-23T09:05")
    let booked: String

    init() throws {
      clinic = try SmallClinic()
      booked = try clinic.book("P1", "2026-11-23T10:00").id
      try clinic.book("P2", "2026-11-23T12:00")
      for number in 1...6 {
        _ = try clinic.practice.connection.notes.upsert(
          ClinicalNote(
            id: "N\(number)", patientID: "P\(number)", recordedAt: clinic.now.adding(days: -number), kind: .consult,
            text: "Vomiting since Friday, 12.4 kg. Given maropitant, recheck \(number)."),
          source: try clinic.practice.connection.sources.id(named: "test"))
      }
    }

    var samples: [any VetNet.Operation] {
      let intake = Intake(id: "", receivedAt: now, text: "Dog, vomiting all night, gums white.")
      let day = SmallClinic.zone.date(of: now)
      var patient = NewPatient(name: "Nell", species: .cat)
      patient.owner = "Mr Oak"
      var limits = LimitsEdit()
      limits.keepsTime = true
      limits.window = .clear
      var search = SearchLimits()
      search.iterations = 50
      var staffEdit = StaffEdit()
      staffEdit.credentials = [.init(name: "surgery")]
      staffEdit.breaks = "mon-fri 12:00-14:00 30"
      staffEdit.leave = [.init(first: day.adding(days: 7), last: day.adding(days: 9))]
      let booking = Booking(
        patient: "P3", start: SmallClinic.at("2026-11-24T11:00"), minutes: 20, clinicianID: "V1", reason: "limping")
      let file = clinic.folder.file("import.jsonl")
      try? Data(#"{"id":"P77","name":"Ida","species":"cat"}"#.utf8).write(to: URL(filePath: file))
      let table = clinic.folder.file("animals.csv")
      try? Data("Animal No,Pet,Species\nA1,Rex,dog\nA2,Ivy,cat\n".utf8).write(to: URL(filePath: table))
      let letter = clinic.folder.file("letter.txt")
      try? Data("Re: Animal 1\n12 March 2026\nSeen.\n".utf8).write(to: URL(filePath: letter))
      return [
        FindPatients(words: "Animal"), IdentifyPatient(reference: "P1"), PatientInQuestion(question: "What of P1?"),
        ShowPatient(reference: "P1"), ListTimeline(reference: "P1"), ChartPatient(reference: "P1"),
        AddPatient(patient: patient), ErasePatient(reference: "P9", reason: "asked for by Mr Oak"),
        ShowRegistration(reference: "P2"),
        AmendPatient(
          reference: "P2", fields: PatientFields(Patient(id: "P2", name: "Rex", species: .dog, weightKilograms: 12))),
        ShowNote(id: "N1"),
        AddNote(patient: "P1", kind: .phone, text: "Eating again.", recordedAt: now),
        AmendNote(id: "N1", text: "Vomiting since Monday.", reason: "wrong day"),
        MoveNote(id: "N2", patient: "P8", reason: "wrong animal"), RetractNote(id: "N3", reason: "unsure"),
        ReinstateNote(id: "N3", reason: "sure again"),
        Ask(question: "When did the vomiting start?", patient: "P1", askedAt: now),
        FindSimilar(query: .text("vomiting dog"), filter: CaseFilter(limit: 10)), ListBriefed(date: day),
        BriefDay(date: day),
        BriefAppointment(id: booked), BriefPatient(reference: "P1"),
        AssessIntake(intake: intake, patient: "P1", saves: true),
        OverrideTriage(intake: intake, patient: "P1", urgency: .yellow, reason: "seen at the desk"),
        GuideTriage(intake: intake, patient: "P1"), ListOverrides(), EvaluateTriage(), ShowEvaluation(job: 1),
        ImportRecords(
          paths: [file],
          options: ImportOptions(kind: "patients", rejectsPath: clinic.folder.file("rejects.jsonl"), indexes: false)),
        ListImports(), ShowImport(id: 1), UndoImport(), GuessMapping(paths: [table]), ReadLetters(paths: [letter]),
        ExportRecords(request: ExportRequest(.folder, to: clinic.folder.file("exported"), patient: "P1")), ShowStatus(),
        Examine(isQuick: true), VerifyPractice(),
        PlanReindex(options: ReindexOptions()), Reindex(options: ReindexOptions()),
        BackUp(destination: clinic.folder.file("backup.vetnet")), RestoreBackup(backup: clinic.folder.file("none")),
        ShowDay(date: day), ShowAppointment(id: booked),
        ProposeSlots(request: .appointment(booked), from: now, days: 2),
        BookAppointment(booking: booking), MoveAppointment(id: booked, start: SmallClinic.at("2026-11-23T14:00")),
        SetLimits(id: booked, limits: limits), ListVisitTypes(), ListWaiting(), ExplainVisit(id: booked),
        ExplainRefusal(id: booked, start: SmallClinic.at("2026-11-23T12:00")), ExportCalendar(from: day),
        WeighReserve(date: day, quantiles: [0.5]), SetReserve(quantile: 0.8),
        OptimizePlan(dates: [day], limits: search),
        RearrangeVisits(
          visits: [
            PlacedVisit(
              appointmentID: booked, start: SmallClinic.at("2026-11-23T15:00"), minutes: 30, clinicianID: "V1",
              resourceIDs: [])
          ]),
        BookEmergency(request: .intake(intake, patient: "P4"), urgency: .orange), UndoPlan(), RedoPlan(),
        ShowFlow(date: day), SetVisitStage(id: booked, stage: .arrived),
        ShowPeriod(first: day, days: 7),
        CancelAppointment(id: booked), ListPlanChanges(), ComparePlans(), ReadAuditLog(patient: "P1"), ExportAudit(),
        VerifyAudit(), AnchorAudit(), ShowAccessDays(), KeepAccesses(days: 400), CompactAudit(), ListChanges(after: 0),
        ListSettings(), ChangeSetting(key: "units", value: "imperial"), ListFeatures(), ListJobs(),
        SwitchFeature(.assistant, isOn: false),
        FindFreeTimes(query: FreeQuery(date: day)), IdentifyStaff(reference: "V1"), IdentifyResource(reference: "R1"),
        AskBook(question: "who is free at 3 today?"),
        CompletePatients(beginning: "P"), CompleteBook(kind: .appointment, beginning: ""),
        GatherPassages(question: "When did the vomiting start?", patient: "P1", askedAt: now),
        CheckGuest(question: GuestQuestion(question: "?", askedAt: "", passages: []), reply: GuestReply(sentences: [])),
        ListKeys(), AddKey(label: "desk"), ChangeKey(number: 1, label: "desk"), RemoveKey(number: 1),
        EncryptPractice(), DecryptPractice(),
        AddLocation(name: "High Street", id: "L1"), ListLocations(), IdentifyLocation(reference: "High Street"),
        SetLocationHours(location: "L1", hours: "mon-fri 9-17", region: "scotland"),
        ListClosures(location: "L1", year: 2026),
        ChangeClosures(location: "L1", first: day, last: day, edit: .close, reason: "stocktaking"),
        PlaceRooms(location: "L1", rooms: ["R1"]), ListStaff(), ChangeStaff(reference: "V1", edit: staffEdit),
        AddStaff(name: "Dr Elm", role: .veterinarian, hours: "mon-fri 9-17"), ListRooms(),
        KeepRoom(reference: "R1", name: "Consulting room", kind: "room", cleaningMinutes: 10),
        ShowInsights(),
        ListSpecialists(), TakeAlongDay(date: day),
      ] + networkSamples + inboxSamples + encounterSamples + Self.photoSamples + Self.peopleSamples
    }

    private var networkSamples: [any VetNet.Operation] {
      [
        PlanPortions(size: 3), EmbedPortion(after: 0, through: 4, file: clinic.folder.file("portion.jsonl")),
        ShareTerms(round: .tags), ShareCases(query: SharedCaseQuery(text: "vomiting dog"), label: "here"),
        ShareFigures(label: "here"),
      ]
    }

    /// A picture as the decoder gives one; what it holds is no matter here.
    private static let photoSamples: [any VetNet.Operation] = {
      let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
      let size = { PreparedPicture.Size(tier: $0, mediaType: "image/jpeg", width: 1, height: 1, bytes: Data(bytes)) }
      let picture = PreparedPicture(
        hash: Data(ContentHash(of: bytes).bytes), format: .jpeg, width: 1, height: 1, byteCount: bytes.count,
        taken: nil,
        perceptualHash: 5, findings: [], sizes: [size(.thumbnail), size(.screen)])
      var edit = PhotoEdit()
      edit.addedTags = ["wound"]
      return [
        AddPhoto(picture: picture, patient: "P1"), ListPhotos(), ShowPhoto(id: "photo-1"),
        ReadPicture(picture: picture.name, size: .thumbnail), SavePhoto(id: "photo-1"),
        AmendPhoto(id: "photo-1", edit: edit), FilePhoto(id: "photo-1", patient: "P2"), ListPhotoChecks(),
        ListPhotoWords(), RunPhotoCheck(), RemovePhoto(id: "photo-1", reason: "blurred"),
      ]
    }()

    private var inboxSamples: [any VetNet.Operation] {
      let letter = IncomingItem(
        .letter, from: .init(source: "post", id: "ash.txt", receivedAt: now), text: "Rested, and better.",
        reason: .severalPatients, candidates: [.init(patientID: "P1", certainty: 0.6, evidence: [.name])])
      var second = letter
      second.origin.id = "second.txt"
      return [
        AddToInbox(items: [letter, second]), ListInbox(), ShowInboxItem(id: "inbox-1"),
        SetInboxItemAside(id: "inbox-1", isRejected: false), UndoInbox(),
        CountInbox(), ListInboxDecisions(), SetSeveralAside(ids: ["inbox-1"], isRejected: false),
        UndoInboxBatch(batch: 2), AskBack(id: "inbox-1", text: "Since when?"), ShowInboxSession(),
        KeepInboxPlace(item: "inbox-1"), TakeIn(message: IncomingMessage(text: "Ash is lame since Friday.")),
        BookInboxItem(
          id: "inbox-3", patient: "P2",
          booking: Booking(patient: nil, start: SmallClinic.at("2026-11-25T11:00"), minutes: 20, clinicianID: "V1")),
        FileSeveral(pairs: [.init(id: "inbox-2", patient: "P1")]),
        AssignInboxItem(id: "inbox-1", patient: "P1", date: now),
      ] + calendarSamples
    }

    private var encounterSamples: [any VetNet.Operation] {
      let id = "enc-0123456789abcdefghij"
      // What is said is decided on as it is proposed: a sentence that tells of something, and a level of risk.
      return [
        BeginEncounter(id: id, patient: "P6", text: "Vomiting."), ListEncounters(patient: "P6"), ShowEncounter(id: id),
        EditEncounter(id: id, expecting: 1, text: "Vomiting since Friday."),
        DecideEncounter(
          id: id, sections: [.complaint, .assessment, .workUp, .risk], verdict: .accepted),
        SummarizeEncounter(id: id), ListEncounterCases(), AdvanceEncounter(id: id), SignEncounter(id: id),
        AmendEncounter(id: id, text: "Vomiting since Monday.", reason: "wrong day"), DiscardEncounter(id: id),
      ]
    }

    private var calendarSamples: [any VetNet.Operation] {
      let file = clinic.folder.file("phone.ics")
      let text =
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:u1\r\nDTSTART:20261125T100000Z\r\n"
        + "DTEND:20261125T103000Z\r\nSUMMARY:Lunch\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
      try? Data(text.utf8).write(to: URL(filePath: file))
      return [
        KeepCalendar(calendar: "phone", path: file, clinician: "V2"),
        SetStaffAddress(address: "v1@example.org", staff: "V1"), ListCalendars(), SyncCalendars(),
        RemoveCalendar(calendar: "phone"),
        AddCalendarFeed(clinician: "V1"), ListCalendarFeeds(), ShowCalendarFeed(id: "feed-1"),
        WithdrawCalendarFeed(id: "feed-1"),
        MergePatients(first: "P5", second: "P6", keep: .first, reason: "entered twice"),
        SplitPatient(id: "P6", reason: "two after all"), TagRecord(tag: "study", target: .patient("P1")), ListTags(),
        ShowTags(target: .patient("P1")), FindTagged(tag: "study"),
      ] + syncSamples
    }

    private var syncSamples: [any VetNet.Operation] {
      let hello = ReplicaHello(schema: "", practice: "", replica: 1, sequence: 0, pulled: 0, pulledStamp: nil)
      return [
        AdmitReplica(device: "tablet"), GreetReplica(hello: hello),
        TakeChanges(request: PushRequest(replica: 1, operations: [])),
        TellChanges(request: PullRequest(replica: 1, after: 0)), PresentReplica(), ListOwnChanges(after: 0, limit: 9),
        FollowHub(reply: PullReply(operations: [], receipts: [], after: 0, through: 0, hasMore: false)),
        ExchangeWithFolder(path: clinic.folder.path),
        CloneHub(path: clinic.folder.file("clone.vetnet"), device: "laptop"), ShowSync(), ListSyncConflicts(),
        SettleSyncConflict(id: "c1-1-phone", choice: .leave), ReopenSyncConflict(id: "c1-1-phone"),
        RevokeReplica(device: "tablet"),
      ]
    }

    /// The last closes the practice.
    static let peopleSamples: [any VetNet.Operation] = {
      // Of "four words, or five", at the least cost there is.
      let passphrase = Passphrase("four words, or five")
      guard let verifier = try? PassphraseVerifier(of: passphrase, cost: .least) else { return [] }
      return [
        ListUsers(), SetUserRole(name: "tom", role: .nurse),
        SetLocationRole(name: "tom", location: "L1", role: .nurse), DisableUser(name: "tom"),
        SetOwnPassphrase(verifier: verifier),
        ResetPassphrase(name: "tom", verifier: verifier),
        LinkAccount(name: "tom", account: "tom"), SetSignInRules(idleMinutes: 10),
        InviteDevice(device: "laptop"), ListDevices(), ListBrowserLosses(device: "device-1"),
        RevokeDevice(device: "laptop", reason: "left on a train"),
        AdmitDevice(device: "device-1"),
        CopyForDevice(
          device: "device-1", admission: SyncAdmission(practice: "", number: 1, name: "", key: [])),
        AddPasskey(
          passkey: NewPasskey(
            ceremony: PasskeyCeremony(challenge: [], origin: "", relyingParty: ""), clientData: [],
            authenticatorData: [],
            publicKey: [], label: "desk")), ListPasskeys(), RemovePasskey(number: 1),
        // The last: it closes the practice.
        AddUser(name: "ann", role: .administrator, verifier: verifier),
      ]
    }()

    /// Those that need somebody who isn't there.
    static let mayFail: Set<String> = [
      "backup.restore", "schedule.redo", "user.role", "user.location-role", "user.disable", "user.passphrase",
      "user.reset", "user.link", "user.add_passkey", "user.remove_passkey", "job.report", "photo.check",
      "encounter.advance", "encounter.sign", "encounter.amend", "device.admit", "device.copy",
      "sync.present", "sync.changes", "sync.follow", "sync.settle", "sync.reopen",
      // Off until the practice switches them on.
      "network.terms", "network.cases", "network.figures",
    ]

    /// All that the practice holds but the audit log.
    func content() throws -> [String: ContentSummary.Table] {
      try practice.connection.contentSummary().tables.filter { !$0.key.hasPrefix("audit_") }
    }

    func entries() throws -> [AuditEntry] { try practice.connection.audit.entries().compactMap(\.entry) }
  }

  private static func actor(_ role: Role) -> Actor { Actor(name: "a \(role.rawValue)", role: role) }

  @Test func `there is a value of every operation, and each comes back from its encoding`() throws {
    let walk = try Walk()
    let samples = walk.samples
    #expect(samples.map { type(of: $0).name }.sorted() == OperationRegistry.all.map { $0.name }.sorted())
    #expect(Set(OperationRegistry.all.map { $0.name }).count == OperationRegistry.all.count)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    for sample in samples {
      let data = try encoder.encode(OperationEnvelope(sample))
      let back = try JSONDecoder().decode(OperationEnvelope.self, from: data)
      #expect(type(of: back.operation) == type(of: sample))
      #expect(try encoder.encode(back) == data, "\(type(of: sample).name)")
    }
  }

  @Test(arguments: [
    #"{"operation":"note.burn","version":1,"values":{}}"#,
    #"{"operation":"note.show","version":2,"values":{"id":"N1"}}"#,
  ])
  func `an operation that is unknown, or of a later version, is refused`(text: String) {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(OperationEnvelope.self, from: Data(text.utf8)) }
  }

  @Test(arguments: Role.allCases)
  func `each role may what the table says, and what is refused changes nothing and is on record`(role: Role) throws {
    let walk = try Walk()
    var refused = 0
    for sample in walk.samples {
      let wanted = type(of: sample)
      if role.may(wanted.permission) {
        do {
          try walk.practice.perform(sample, by: Self.actor(role), at: walk.now)
        } catch let error as PracticeError {
          #expect(error.code != .notPermitted, "\(wanted.name)")
          // What others could have made isn't there.
          let isOfEncrypted = wanted.name.hasPrefix("key.") || wanted.name.hasSuffix("crypt")
          #expect(role != .owner || Walk.mayFail.contains(wanted.name) || isOfEncrypted, "\(wanted.name): \(error)")
        }
      } else {
        let before = try walk.content()
        let error = #expect(throws: PracticeError.self) {
          try walk.practice.perform(sample, by: Self.actor(role), at: walk.now)
        }
        refused += 1
        #expect(error?.code == .notPermitted && error?.description.contains(wanted.name) == true)
        #expect(try walk.content() == before, "\(wanted.name)")
        let last = try #require(try walk.entries().last)
        #expect(last.kind == .refusal && last.operation == wanted.name && last.role == role.rawValue)
        #expect(last.subjects.map(\.id) == sample.subjects.map(\.id))
      }
    }
    #expect(refused == OperationRegistry.all.count { !role.may($0.permission) })
    #expect(try walk.practice.integrity.verify().ok)
  }

  @Test func `a change is one entry, with what the record was before and after`() throws {
    let walk = try Walk()
    for sample in walk.samples where !type(of: sample).changes.isEmpty && type(of: sample).conduct == .atOnce {
      let before = try walk.entries().count
      guard (try? walk.practice.perform(sample, by: .local, at: walk.now)) != nil else { continue }
      let new = try walk.entries().dropFirst(before)
      #expect(new.filter { $0.kind == .change || $0.kind == .checkpoint }.count == 1, "\(type(of: sample).name)")
    }
    let amended = try #require(try walk.entries().first { $0.operation == "note.amend" })
    let note = try #require(amended.subjects.first { $0.kind == "note" })
    #expect(note.id == "N1" && note.before != nil && note.after != nil && note.before != note.after)
    #expect(note.after == (try walk.practice.connection.recordHashes.hash(.note, 1)))
    #expect(amended.subjects.contains { $0.kind == "patient" && $0.id == "P1" })
    let moved = try #require(try walk.entries().first { $0.operation == "note.move" })
    #expect(Set(moved.subjects.filter { $0.kind == "patient" }.map(\.id)) == ["P2", "P8"])
    let settled = try #require(try walk.entries().first { $0.operation == "triage.override" })
    #expect(settled.details?.contains(#""to":"yellow""#) == true && settled.details?.contains("models") == true)
    for entry in try walk.entries() {
      for words in ["seen at the desk", "wrong day", "wrong animal", "vomiting", "Vomiting", "Mr Oak", "Nell"] {
        #expect(
          entry.details?.contains(words) != true && !entry.subjects.contains { $0.id.contains(words) }, "\(entry)")
      }
    }
  }

  @Test func `a change that can't be put on record is not made`() throws {
    let walk = try Walk()
    try walk.practice.connection.executeScript(
      "CREATE TEMP TRIGGER no_record BEFORE INSERT ON audit_entry BEGIN SELECT RAISE(ABORT, 'full'); END", context: "")
    for sample in walk.samples where !type(of: sample).changes.isEmpty {
      let before = try walk.content()
      #expect(throws: PracticeError.self, "\(type(of: sample).name)") {
        try walk.practice.perform(sample, by: .local, at: walk.now)
      }
      let changed = try walk.content().filter { before[$0.key] != $0.value }.keys
      #expect(changed.isEmpty, "\(type(of: sample).name): \(changed)")
    }
  }

  @Test func `long work is on record as begun, in steps, and ended`() throws {
    let walk = try Walk()
    let sample = try #require(walk.samples.first { type(of: $0).name == "import.run" })
    try walk.practice.perform(sample, by: .local, at: walk.now)
    let entries = try walk.entries()
    #expect(entries.map(\.kind) == [.begun, .step, .ended])
    #expect(entries[1].subjects.map { "\($0.kind) \($0.id)" } == ["patient P77"])
    #expect(entries[2].details == #"{"import":"1","rejected":"0"}"#)
  }

  @Test func `listeners hear of what was committed, and of nothing else`() throws {
    let walk = try Walk()
    var heard: [PracticeChange] = []
    let token = walk.practice.changes.add { heard.append($0) }
    try walk.practice.perform(RetractNote(id: "N1", reason: "unsure"), by: .local, at: walk.now)
    #expect(heard.map(\.operation) == ["note.retract"] && heard[0].sequence == 1)
    #expect(heard[0].subjects == [RecordReference(.note, "N1"), RecordReference(.patient, "P1")])
    _ = try? walk.practice.perform(RetractNote(id: "N1", reason: "twice"), by: .local, at: walk.now)
    try walk.practice.perform(ShowNote(id: "N2"), by: .local, at: walk.now)
    try walk.practice.perform(RetractNote(id: "N2", reason: "no", isDryRun: true), by: .local, at: walk.now)
    _ = try? walk.practice.perform(
      RetractNote(id: "N2", reason: "no"), by: Self.actor(.reception), at: walk.now)
    _ = try? walk.practice.perform(
      ShowNote(id: "Mrs Ash's letter"), by: Self.actor(.reception), at: walk.now)
    #expect(try walk.entries().last?.kind == .refusal && walk.entries().last?.subjects == [])
    #expect(heard.count == 1)
    walk.practice.changes.remove(token)
    try walk.practice.perform(RetractNote(id: "N2", reason: "no"), by: .local, at: walk.now)
    #expect(heard.count == 1)
  }

  @Test func `who sees a record is on record, from a practice that is open for reading too`() throws {
    let walk = try Walk()
    try walk.practice.perform(Reindex(options: ReindexOptions()), by: .local, at: walk.now)
    let reader = try Practice.open(at: walk.practice.path, models: walk.clinic.models, access: .read)
    let vet = Self.actor(.veterinarian)
    for sample in walk.samples where type(of: sample).changes.isEmpty && vet.role.may(type(of: sample).permission) {
      let before = try walk.entries().count
      guard (try? reader.perform(sample, by: vet, at: walk.now)) != nil else { continue }
      #expect(reader.door.unrecorded == nil)
      let new = try walk.entries().dropFirst(before)
      #expect(new.map(\.kind) == (type(of: sample).showsRecords ? [.access] : []), "\(type(of: sample).name)")
    }
    // Who is asked which of several is meant sees them all.
    #expect(throws: PracticeError.self) { try reader.perform(ShowPatient(reference: "Animal"), by: vet, at: walk.now) }
    #expect(try walk.entries().last?.subjects.count == 9)
    let seen = try walk.practice.perform(
      ReadAuditLog(patient: "P1", accessOnly: true), by: .local, at: walk.now)
    let names = Set(seen.compactMap(\.operation))
    for name in [
      "patient.show", "patient.timeline", "patient.chart", "note.show", "record.ask", "record.similar", "brief.day",
      "brief.patient",
    ] {
      #expect(names.contains(name), "\(name)")
    }
    #expect(seen.allSatisfy { $0.actor == vet.name && $0.role == "veterinarian" })
  }

  @Test func `programs that read and end leave no log that grows`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("practice.vetnet")
    try Practice.create(at: path, name: nil, timeZone: SmallClinic.zone, now: SmallClinic.at("2026-11-23T09:00"))
    let models = try shippedModels()
    func at(_ minute: Int) -> Timestamp { SmallClinic.at("2026-11-23T09:\(minute)") }
    let patient = try Practice.open(at: path, models: models, access: .write)
      .perform(AddPatient(patient: NewPatient(name: "Nell", species: .cat)), by: .local, at: at(10)).id
    var longest = 0
    for minute in 10..<58 {
      // The last to close the file, as where each is a process of its own.
      let reader = try Practice.open(at: path, models: models, access: .read)
      try reader.perform(ShowPatient(reference: patient), by: .local, at: at(minute))
      #expect(reader.door.unrecorded == nil)
      longest = max(longest, FileBytes.count(of: path + "-wal") ?? 0)
    }
    let reader = try Practice.open(at: path, models: models, access: .read)
    #expect(try reader.perform(ReadAuditLog(accessOnly: true), by: .local, at: at(59)).count == 48)
    #expect(longest > 200_000, "what was read was put on record through the log")
    #expect(longest < 1_300_000)
  }

  @Test func `a record is shown although that can't be put on record, which is said`() throws {
    let walk = try Walk()
    let reader = try Practice.open(at: walk.practice.path, models: walk.clinic.models, access: .read)
    let other = try Connection.open(walk.practice.path)
    try other.transaction { () throws(StoreError) in
      do {
        let shown = try reader.perform(ShowNote(id: "N1"), by: .local, at: walk.now)
        #expect(shown.history.note.id == "N1" && reader.door.unrecorded?.contains("another process") == true)
      } catch {
        Issue.record(error)
      }
    }
    try reader.perform(ShowNote(id: "N1"), by: .local, at: walk.now)
    #expect(reader.door.unrecorded == nil)
    let entries = try walk.entries()
    #expect(entries.map(\.kind) == [.access])
  }

  @Test func `accesses that are older than is kept lose their content, and the chain and its anchors hold`() throws {
    let walk = try Walk()
    let practice = walk.practice
    let now = walk.now
    #expect(throws: PracticeError.self) { try practice.perform(KeepAccesses(days: 30), by: .local, at: now) }
    #expect(throws: PracticeError.self) { try practice.perform(CompactAudit(), by: .local, at: now) }
    for day in 0..<6 {
      try practice.perform(ShowNote(id: "N\(day + 1)"), by: .local, at: now.adding(days: -500 + 50 * day))
    }
    try practice.perform(RetractNote(id: "N1", reason: "old"), by: .local, at: now.adding(days: -480))
    let anchor = try practice.perform(AnchorAudit(), by: .local, at: now)
    try practice.perform(KeepAccesses(days: 365), by: .local, at: now)
    #expect(try practice.perform(CompactAudit(isDryRun: true), by: .local, at: now) == 3)
    #expect(try practice.perform(CompactAudit(), by: .local, at: now) == 3)
    let report = try practice.perform(VerifyAudit(anchors: [anchor]), by: .local, at: now)
    #expect(report.ok && report.compacted == 3 && report.anchors == 1)
    let entries = try practice.connection.audit.entries()
    #expect(entries.prefix(3).allSatisfy { $0.entry == nil } && entries[6].entry?.kind == .change)
    #expect(try practice.connection.number("SELECT count(*) FROM audit_about WHERE sequence <= 3") == 0)
    #expect(try practice.perform(CompactAudit(), by: .local, at: now) == 0)
    // One more that is emptied is not what the checkpoint says.
    try practice.connection.executeScript(
      """
      DELETE FROM audit_about WHERE sequence = 4;
      UPDATE audit_entry SET at = NULL, actor = NULL, role = NULL, operation = NULL, version = NULL, details = NULL,
        checkpoint = (SELECT max(checkpoint) FROM audit_entry) WHERE sequence = 4
      """, context: "")
    #expect(try practice.perform(VerifyAudit(), by: .local, at: now).firstBad == 1)
  }

  @Test func `to put a reading on record takes as long after ten thousand entries as after none`() throws {
    let walk = try Walk()
    func milliseconds() throws -> Double {
      var times: [Double] = []
      for _ in 0..<25 {
        // A process that asks one thing opens the file once, and its log once.
        let reader = try Practice.open(at: walk.practice.path, models: walk.clinic.models, access: .read)
        _ = try reader.records.note("N1")
        let plain = ContinuousClock().measure { _ = try? reader.records.noteHistory("N1") }
        let recorded = ContinuousClock().measure {
          _ = try? reader.perform(ShowNote(id: "N1"), by: .local, at: walk.now)
        }
        times.append((recorded - plain) / .milliseconds(1))
      }
      return times.sorted()[times.count / 2]
    }
    let first = try milliseconds()
    try walk.practice.connection.transaction { () throws(StoreError) in
      for number in 0..<10_000 {
        try walk.practice.connection.audit.append(
          AuditEntry(
            .access, at: walk.now, actor: "ann", role: "owner", operation: "note.show",
            subjects: [.init(kind: "note", id: "N\(number % 6 + 1)"), .init(kind: "patient", id: "P1")]),
          key: walk.practice.secrets.auditKey)
      }
    }
    walk.practice.secrets.auditKey?.settle()
    let last = try milliseconds()
    print("a reading on record: \(first) ms; after 10,000 entries: \(last) ms")
    // To go through the log would take some hundred.
    #expect(last < max(5 * first, 60))
    #expect(try walk.practice.connection.audit.verify(key: walk.practice.secrets.auditKey).isSound)
  }

  @Test func `the same work with the same key gives the same chain`() throws {
    var heads: [AuditAnchor?] = []
    for _ in 0..<2 {
      let walk = try Walk()
      walk.practice.secrets.randomness = { [UInt8](repeating: 7, count: AuditKey.byteCount) }
      try walk.practice.perform(RetractNote(id: "N1", reason: "old"), by: .local, at: walk.now)
      try walk.practice.perform(ShowNote(id: "N1"), by: .local, at: walk.now)
      heads.append(try walk.practice.connection.audit.last())
      let key = try Data(contentsOf: URL(filePath: walk.practice.path + ".audit-key"))
      #expect(Array(key) == [UInt8](repeating: 7, count: 32))
      let rights = try FileManager.default.attributesOfItem(atPath: walk.practice.path + ".audit-key")
      #expect(rights[.posixPermissions] as? Int == 0o600)
    }
    #expect(heads[0] != nil && heads[0] == heads[1])
  }

  @Test func `a restored practice goes on under its own key, and what was there keeps its own`() throws {
    let (here, other) = (try SmallClinic(), try SmallClinic())
    for clinic in [here, other] {
      try clinic.practice.perform(ShowPatient(reference: "P1"), by: .local, at: clinic.now)
    }
    let backup = other.folder.file("backup.vetnet")
    try other.practice.perform(BackUp(destination: backup), by: .local, at: other.now)
    let path = here.practice.path
    here.practice = try Practice.inMemory(models: here.models, timeZone: .utc)
    func restore(_ role: Role) throws -> RestoreReport {
      try Practice.File.restore(
        RestoreBackup(backup: backup, replacesNewer: true), at: path, models: here.models, by: Self.actor(role),
        now: here.now)
    }
    #expect(#expect(throws: PracticeError.self) { try restore(.nurse) }?.code == .notPermitted)
    let kept = try #require(try restore(.administrator).kept)
    for (file, last) in [(path, "backup.restore"), (kept, "patient.show")] {
      let practice = try Practice.open(at: file, models: here.models, access: .write)
      let report = try practice.perform(VerifyAudit(), by: .local, at: here.now)
      #expect(report.ok && report.isKeyed, "\(file): \(report.problem ?? "")")
      #expect(try practice.connection.audit.entries().last?.entry?.operation == last)
    }
  }

  @Test func `what was on record before there was a chain is its beginning`() throws {
    let folder = try TemporaryFolder()
    let before = Migrator(Array(Migrator.practice.migrations.prefix { $0.name != "m0018_audit_chain" }))
    let path = folder.file("p.vetnet")
    do {
      let old = try Connection.create(path, migrator: before)
      try old.executeScript(
        """
        INSERT INTO audit (at, actor, action, subject, details) VALUES
          (100, 'ann', 'note.move', 'note N 1', '{"from":"P1"}'), (200, 'bob', 'restore', NULL, NULL)
        """, context: "")
    }
    let connection = try Connection.open(path)
    let entries = try connection.audit.entries().compactMap(\.entry)
    #expect(entries.map(\.kind) == [.earlier, .earlier] && entries.map(\.actor) == ["ann", "bob"])
    #expect(entries[0].subjects == [.init(kind: "note", id: "N 1")] && entries[0].details == #"{"from":"P1"}"#)
    #expect(try connection.audit.verify(key: AuditKey(practice: path)).isSound)
    try connection.executeScript("UPDATE audit_entry SET actor = 'eve' WHERE sequence = 1", context: "")
    #expect(try connection.audit.verify(key: nil).firstBad == 1)
  }

  // MARK: The sources

  @Test func `a practice has no public method that reaches what it holds but the door`() throws {
    let allowed: Set<String> = [
      "create", "checkCreation", "open", "openBackup", "inMemory", "perform", "restore", "findings", "verification",
      "forEachIntake",
      // Values for one run, before those of the file, which stays as it is.
      "override",
      // The clocks that the file goes by, for a server's threads.
      "rereadTimeZone",
      "encrypt", "decrypt",
      // Who comes to the door.
      "isOn", "require", "isClosed", "challenge", "identify", "identifyByAccount", "signIn", "session", "endSession",
      "switchPerson", "holder", "checkPasskey", "standing", "enrol", "replicaNumber",
      "admitBrowser", "contact",
      // Whom this file asks for what others changed.
      "hubConnection",
      // Whose place it is, for whoever is about to sign in.
      "name", "card",
      // In, as somebody whom the group's file knows.
      "member", "enter",
      // An operation, with its progress put down.
      "performAsJob",
    ]
    let root = projectDirectory + "/Sources/VetNet"
    var found: Set<String> = []
    let files = try #require(FileManager.default.enumerator(atPath: root))
    for case let file as String in files where file.hasSuffix(".swift") {
      let text = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
      for part in text.split(separator: "\n}\n") {
        guard let start = part.firstRange(of: /(extension|final class) Practice(\.\w+)?[ :]/) else { continue }
        for match in part[start.lowerBound...].matches(of: /\n  public (?:static )?func (\w+)/) {
          found.insert(String(match.1))
        }
      }
    }
    #expect(found == allowed)
    // The program sees what is public, and the store not at all.
    let package = try String(contentsOfFile: projectDirectory + "/Package.swift", encoding: .utf8)
    let program = try #require(package.firstMatch(of: /\.executableTarget\([^)]*\)/)).0
    #expect(program.contains("packageAccess: false") && !program.contains(#""Store""#))
  }

  @Test func `a step of an import names each of its records, with what it is now, and whose it is`() throws {
    let clinic = try SmallClinic()
    let notes = (1...150).map {
      #"{"id":"S\#($0)","patient_id":"P\#(1 + $0 % 9)","recorded_at":"2026-10-01T10:00","kind":"consult","text":"Note \#($0)."}"#
    }
    try clinic.folder.write(notes.joined(separator: "\n") + "\n", to: "in/notes.jsonl")
    var heard: [PracticeChange] = []
    let listening = clinic.practice.changes.add { heard.append($0) }
    defer { clinic.practice.changes.remove(listening) }
    try clinic.practice.perform(
      ImportRecords(paths: [clinic.folder.file("in")], options: ImportOptions(source: "test")), by: .local,
      at: clinic.now)
    let steps = try clinic.practice.connection.audit.entries().compactMap(\.entry)
      .filter { $0.operation == "import.run" && $0.kind == .step }
    let subjects = steps.flatMap(\.subjects).filter { $0.kind == "note" }
    #expect(Set(subjects.map(\.id)) == Set((1...150).map { "S\($0)" }))
    #expect(subjects.allSatisfy { $0.before == nil && $0.after != nil })
    for patient in 1...9 {
      #expect(try !clinic.practice.perform(ReadAuditLog(patient: "P\(patient)"), by: .local, at: clinic.now).isEmpty)
    }
    // Others are told that there was much, not all of it.
    #expect(!heard.isEmpty && heard.allSatisfy { $0.subjects.count <= PracticeChange.most })
    #expect(try clinic.practice.perform(VerifyAudit(), by: .local, at: clinic.now).ok)
  }

  @Test func `the page of operations says what the code says`() throws {
    let path = projectDirectory + "/Sources/VetNet/VetNet.docc/Operations.md"
    let page = try String(contentsOfFile: path, encoding: .utf8)
    if ProcessInfo.processInfo.environment["VETNET_WRITE_PAGES"] != nil, let start = page.range(of: "| operation |") {
      try (page[..<start.lowerBound] + OperationRegistry.table).write(toFile: path, atomically: true, encoding: .utf8)
    } else {
      #expect(page.hasSuffix("\n\n" + OperationRegistry.table))
    }
  }
}
