import Assessment
import Clinical
import FoundationEssentials
import Store

extension Practice.Inbox {
  /// More than this is no letter.
  private static let maximumText = 1 << 20
  private static let maximumOriginal = 32 << 20

  /// Puts what can't be filed for certain into the inbox, all or nothing; what came before, in whatever state, is left as it is.
  ///
  /// An intake without a level is assessed, so that the most urgent stands first.
  ///
  /// - Throws: ``PracticeError`` for a candidate or an appointment that isn't on file, for an item without any content, and for one
  ///   of more than a megabyte of text or 32 of bytes.
  @discardableResult
  func receive(_ items: [IncomingItem], now: Timestamp) throws -> InboxReceipt {
    var rows: [InboxRow] = []
    for (index, item) in items.enumerated() { rows.append(try row(of: item, number: index + 1, now: now)) }
    return try writing {
      var receipt = InboxReceipt()
      for row in rows {
        let kept = try connection.inbox.add(row)
        switch kept.outcome {
        case .inserted: receipt.added += 1
        case .updated: receipt.updated += 1
        case .unchanged: receipt.unchanged += 1
        }
        receipt.ids.append(InboxItem.id(kept.rowID))
      }
      return receipt
    }
  }

  private func row(of item: IncomingItem, number: Int, now: Timestamp) throws -> InboxRow {
    func refuse(_ words: String) -> PracticeError {
      PracticeError(.invalidArgument, "item \(number) of what came in \(words); nothing was added")
    }
    guard !item.origin.id.isEmpty, !item.origin.source.isEmpty else { throw refuse("has no id of its source") }
    let hasText = item.text.contains { !$0.isWhitespace }
    guard hasText || item.original?.bytes.isEmpty == false || item.appointmentID != nil else {
      throw refuse("is empty")
    }
    guard item.text.utf8.count <= Self.maximumText else {
      throw refuse("has more than \(Self.maximumText) bytes of text")
    }
    guard item.original.map({ $0.bytes.count <= Self.maximumOriginal }) ?? true else {
      throw refuse("has more than \(Self.maximumOriginal) bytes")
    }
    guard item.candidates.allSatisfy({ (0...1).contains($0.certainty) }) else {
      throw refuse("has a candidate whose certainty is not from 0 to 1")
    }
    var urgency = item.urgency
    var assessed: String?
    if item.kind == .intake, hasText {
      // A level that came with it stands; what it rests on is then somebody else's to say.
      let judged = try level(of: item, now: now)
      if urgency == nil || urgency == judged.urgency { (urgency, assessed) = (judged.urgency, judged.assessed) }
    }
    let appointment = try item.appointmentID.map { try practice.calendar.storedAppointment($0).rowID }
    return InboxRow(
      origin: .init(
        source: item.origin.source, externalID: item.origin.id, kind: item.kind.rawValue,
        receivedAt: item.origin.receivedAt),
      content: .init(
        details: try Self.encoded(item.details), text: item.text, original: item.original?.bytes,
        mediaType: item.original?.mediaType),
      standing: .init(
        state: InboxItem.State.waiting.rawValue, reason: item.reason.rawValue, urgency: urgency?.rawValue,
        appointment: appointment, intake: try item.intakeID.flatMap { try connection.recordIDs.row(.intake, $0) },
        assessed: assessed),
      candidates: item.candidates.map {
        .init(patientID: $0.patientID, certainty: $0.certainty, evidence: $0.evidence.map(\.rawValue))
      })
  }

  /// How urgent a message is by its words, and what that rests on.
  func level(of item: IncomingItem, now: Timestamp) throws -> (urgency: Urgency, assessed: String) {
    let triage = try practice.assessment.triage(
      intake(of: item, id: "", patient: nil), patient: nil, now: now, saves: false
    ).triage
    var words: [String] = []
    for quote in triage.basis.words.map(\.quote) + triage.fired.flatMap(\.evidence).map(\.quote)
    where words.count < 6 && !words.contains(quote) { words.append(quote) }
    let level = InboxItem.Level(
      action: triage.action, targetMinutes: triage.targetMinutes, basis: triage.basis.text, words: words,
      hasTooLittleInformation: triage.hasTooLittleInformation)
    return (triage.urgency, try Self.encoded(level))
  }

  private static func encoded(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// The moment at which the queue is looked at; without anybody who looks, nothing that was put off comes back.
  var queueMoment: Timestamp { practice.door.passage?.now ?? Timestamp(seconds: .min / 2) }

  /// How long whoever opened an item counts as having it open.
  static let openMinutes = 3

  /// What stands in the inbox: the most urgent first, the longest waiting before others, what was put off at the end.
  func inbox(_ states: [InboxItem.State], kind: IncomingItem.Kind?, most: Int? = nil) throws -> [InboxItem] {
    try reading {
      try connection.inbox.list(
        states: states.map(\.rawValue), kind: kind?.rawValue, at: queueMoment, limit: most ?? .max
      ).map { try item($0, isWhole: false) }
    }
  }

  func inboxItem(_ id: String) throws -> InboxItem { try reading { try item(storedItem(id), isWhole: true) } }

  /// How much there is to do, and how much was decided on the day of `now`.
  func inboxTally(now: Timestamp) throws -> InboxTally {
    let midnight = timeZone.timestamp(of: timeZone.date(of: now))
    let tally = try reporting { try connection.inbox.tally(since: midnight, at: now) }
    return InboxTally(
      waiting: tally.waiting, urgent: tally.urgent, later: tally.later, asked: tally.asked, decided: tally.decided)
  }

  /// What was decided last and stands, an item once.
  func decidedInboxItems(_ most: Int) throws -> [DecidedInboxItem] {
    try reading {
      try connection.inbox.standingDecisions(limit: most).compactMap { stored in
        guard let row = try connection.inbox.item(row: stored.item, at: queueMoment),
          let decision = Self.decision(stored)
        else {
          return nil
        }
        return DecidedInboxItem(item: try item(row, isWhole: false), decision: decision)
      }
    }
  }

  func storedItem(_ id: String) throws -> InboxRow {
    guard let row = InboxItem.row(id),
      let item = try reporting({ try connection.inbox.item(row: row, at: queueMoment) })
    else {
      throw PracticeError(
        .notFound, "there is nothing in the inbox with that id", hint: "Maybe look: vetnet inbox list --state all")
    }
    return item
  }

  private func item(_ row: InboxRow, isWhole: Bool) throws -> InboxItem {
    guard let kind = IncomingItem.Kind(rawValue: row.origin.kind),
      let reason = IncomingItem.Reason(rawValue: row.standing.reason),
      let state = InboxItem.State(rawValue: row.standing.state),
      let details = try? JSONDecoder().decode(IncomingItem.Details.self, from: Data(row.content.details.utf8))
    else { throw PracticeError(.integrity, "\(InboxItem.id(row.rowID)) is not as it was written") }
    let candidates = row.candidates.map {
      IncomingItem.Candidate(
        patientID: $0.patientID, certainty: $0.certainty,
        evidence: $0.evidence.compactMap(IncomingItem.Candidate.Evidence.init))
    }
    var content = IncomingItem(
      kind, from: .init(source: row.origin.source, id: row.origin.externalID, receivedAt: row.origin.receivedAt),
      text: row.content.text, reason: reason, details: details, candidates: candidates)
    content.urgency = row.standing.urgency.flatMap(Urgency.init)
    let appointment = try row.standing.appointment.flatMap { try connection.appointments.appointment(row: $0)?.value }
    content.appointmentID = appointment?.id
    content.intakeID = try row.standing.intake.flatMap { try connection.recordIDs.shown(.intake, $0) }
    let original = try isWhole ? connection.inbox.original(row: row.rowID) : nil
    if let original, let type = row.content.mediaType { content.original = .init(mediaType: type, bytes: original) }
    let proposals = try candidates.compactMap { candidate in
      try connection.patients.patients(id: candidate.patientID).first.map {
        InboxItem.Proposal(patient: $0.value, candidate: candidate)
      }
    }
    return InboxItem(
      id: InboxItem.id(row.rowID), content: content, state: state, proposals: proposals,
      namesakes: try namesakes(of: proposals.map(\.patient)), filed: try filed(row.standing),
      decisions: try isWhole ? decisions(of: row.rowID) : [], originalCount: original?.count, appointment: appointment,
      level: row.standing.assessed.flatMap { try? JSONDecoder().decode(InboxItem.Level.self, from: Data($0.utf8)) },
      until: row.standing.until, asked: row.standing.asked, isBack: row.standing.isBack,
      readers: try readers(of: row.rowID), booked: try booked(with: row), revision: row.standing.revision,
      standing: row.standing.revision > 0
        ? try connection.inbox.lastDecision(item: row.rowID).flatMap(Self.decision) : nil)
  }

  /// Who else has an item open.
  private func readers(of row: Int64) throws -> [InboxItem.Reader] {
    let now = queueMoment
    return try connection.inbox.places().filter {
      $0.item == row && $0.actor != practice.actorName && $0.at.adding(minutes: Self.openMinutes) > now
    }.map { InboxItem.Reader(name: $0.actor, since: $0.at) }
  }

  /// The visit that was booked with the decision that stands.
  private func booked(with row: InboxRow) throws -> Appointment? {
    guard row.standing.revision > 0, let visit = try connection.inbox.lastDecision(item: row.rowID)?.booked else {
      return nil
    }
    return try connection.appointments.appointment(row: visit)?.value
  }

  private func namesakes(of proposed: [Patient]) throws -> [Patient] {
    var known = Set(proposed.map(\.id))
    return try Set(proposed.map(\.name)).sorted().flatMap { name in
      try connection.patients.patients(named: name).map(\.value).filter {
        $0.deceasedAt == nil && known.insert($0.id).inserted
      }
    }
  }

  private func filed(_ standing: InboxRow.Standing) throws -> InboxItem.Filed? {
    guard let filed = standing.filed, let patient = try connection.patients.patient(row: filed.patient)?.value,
      let id = try connection.recordIDs.shown(filed.table, filed.row)
    else { return nil }
    return InboxItem.Filed(patient: patient, kind: filed.table.rawValue, id: id)
  }

  private func decisions(of row: Int64) throws -> [InboxItem.Decision] {
    try connection.inbox.decisions(item: row).compactMap(Self.decision)
  }

  private static func decision(_ stored: InboxRow.Decision) -> InboxItem.Decision? {
    guard let before = InboxItem.State(rawValue: stored.before), let after = InboxItem.State(rawValue: stored.after)
    else { return nil }
    return InboxItem.Decision(
      at: stored.at, actor: stored.actor, before: before, after: after, reason: stored.reason,
      undoneAt: stored.undone?.at, undoneBy: stored.undone?.actor, batch: stored.batch)
  }

  func intake(of item: IncomingItem, id: String, patient: String?) -> Intake {
    var intake = Intake(id: id, patientID: patient, receivedAt: item.origin.receivedAt, text: item.text)
    intake.channel = item.details.channel
    intake.species = item.details.species
    intake.breed = item.details.breed
    intake.age = item.details.age
    intake.sex = item.details.sex ?? .unknown
    intake.weightKilograms = item.details.weightKilograms
    return intake
  }
}
