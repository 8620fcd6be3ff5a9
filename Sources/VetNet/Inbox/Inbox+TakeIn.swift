public import Clinical
import Store
import TextAnalysis

/// What an owner wrote or said, by web form, telephone or mail, as it comes in.
public struct IncomingMessage: Codable, Hashable, Sendable {
  /// Its sender's id for it: the same again is no news. Nil for one made of what it says and when.
  public var id: String?
  public var text: String
  /// `phone`, `web form`, …
  public var channel: String?
  /// Who wrote or rang.
  public var author: String?
  /// A number or an address by which they can be reached.
  public var contact: String?
  /// What they call the animal.
  public var animal: String?
  public var species: Species?
  public var breed: String?
  public var age: String?
  public var sex: Sex?
  public var weightKilograms: Double?
  /// The item that it answers, where somebody says so.
  public var answers: String?
  /// A level that somebody gave it; it counts where it is more urgent than its words.
  public var urgency: Urgency?

  public init(text: String, channel: String? = nil) {
    self.text = text
    self.channel = channel
  }
}

extension Practice.Inbox {
  /// The source of messages that come by the desk or a form.
  static let messageSource = "messages"

  /// Puts a message into the queue, or files it where somebody says whose it is. It is assessed, patients are proposed by its own
  /// words, and what it answers comes back.
  func takeIn(_ message: IncomingMessage, patient reference: String?, now: Timestamp) throws -> InboxItem {
    guard message.text.contains(where: { !$0.isWhitespace }) else {
      throw PracticeError(.invalidArgument, "the message is empty", hint: "Give its words.")
    }
    let patient = try reference.map { try practice.records.patient($0).id }
    var item = try incoming(message, now: now)
    if let patient {
      item.candidates.removeAll { $0.patientID == patient }
      item.candidates.insert(.init(patientID: patient, certainty: 0.99, evidence: [.id]), at: 0)
    }
    if let given = message.urgency, try given > level(of: item, now: now).urgency { item.urgency = given }
    let answered = try asked(by: item)
    item.details.answers = answered.first.map(InboxItem.id)
    return try writing {
      let receipt = try receive([item], now: now)
      let id = receipt.ids.first ?? ""
      if receipt.unchanged == 0 { for row in answered { try answer(row, with: id, now: now) } }
      let stored = try inboxItem(id)
      // The same again is no news, whatever became of it.
      guard let patient, receipt.unchanged == 0 else { return stored }
      return try fileInboxItem(id, to: patient, date: nil, now: now, isDryRun: false)
    }
  }

  /// A message as an item, with the patients whom it may be about.
  private func incoming(_ message: IncomingMessage, now: Timestamp) throws -> IncomingItem {
    let found = try reading { try candidates(of: message) }
    var details = IncomingItem.Details(
      title: Self.title(of: message), author: message.author, channel: message.channel, species: message.species)
    details.breed = message.breed
    details.age = message.age
    details.sex = message.sex
    details.weightKilograms = message.weightKilograms
    details.animal = message.animal
    details.contact = message.contact
    details.answers = message.answers
    let made = Passage.digest("\(now.seconds)\n\(message.author ?? "")\n\(message.contact ?? "")\n\(message.text)")
    return IncomingItem(
      .intake,
      from: .init(source: Self.messageSource, id: message.id ?? "message-\(made.prefix(24))", receivedAt: now),
      text: message.text, reason: found.reason, details: details, candidates: found.candidates)
  }

  /// Messages without a patient that come by an import wait in the queue where they are no older; what is older is history.
  static let daysOfMessages = 30

  /// An intake that is on file without a patient, as an item that waits for one.
  func waiting(_ intake: Intake, from source: String, now: Timestamp) throws -> IncomingItem {
    var message = IncomingMessage(text: intake.text, channel: intake.channel)
    message.id = intake.id
    message.species = intake.species
    message.breed = intake.breed
    message.age = intake.age
    message.sex = intake.sex
    message.weightKilograms = intake.weightKilograms
    var item = try incoming(message, now: intake.receivedAt ?? now)
    item.origin.source = source
    item.intakeID = intake.id
    return item
  }

  /// Who a message may be about, the likeliest first, and why it can't be filed unasked.
  func candidates(
    of message: IncomingMessage
  ) throws -> (candidates: [IncomingItem.Candidate], reason: IncomingItem.Reason) {
    let head = [message.author, message.contact, message.animal, message.breed].compactMap(\.self)
    let subjects = [message.animal].compactMap(\.self)
    let ranked = try LetterCandidates(
      connection, text: (head + [message.text]).joined(separator: "\n"), subjects: subjects,
      clients: connection.clients.list(), manner: .message(species: message.species, owner: message.author)
    ).ranked()
    return (
      ranked.map {
        IncomingItem.Candidate(
          patientID: $0.found.patient.id, certainty: $0.certainty,
          evidence: IncomingItem.Candidate.Evidence.allCases.filter($0.found.evidence.contains))
      }, Self.reason(ranked, isNamed: message.animal != nil)
    )
  }

  /// `Bella, phone`, or how the message begins.
  private static func title(of message: IncomingMessage) -> String {
    let name = message.animal ?? message.author
    let beginning = message.text.split(whereSeparator: \.isNewline).first.map { String($0.prefix(70)) } ?? ""
    guard let name, !beginning.hasPrefix(name) else { return beginning }
    return "\(name): \(beginning)"
  }

  // MARK: Answers

  /// Items that were asked about and that a message answers: the one that it names, else those from the same number or address.
  private func asked(by item: IncomingItem) throws -> [Int64] {
    if let named = item.details.answers {
      let row = try storedItem(named)
      return row.standing.state == InboxItem.State.asked.rawValue || row.standing.isBack ? [row.rowID] : []
    }
    guard let contact = item.details.contact.map(Self.contactKey), contact.count >= 6 else { return [] }
    return try reading {
      try connection.inbox.asked().filter { row in
        try inboxItem(InboxItem.id(row)).content.details.contact.map(Self.contactKey) == contact
      }
    }
  }

  /// Numbers without spaces and the country's code, addresses in small letters.
  private static func contactKey(_ contact: String) -> String {
    if contact.contains("@") { return contact.lowercased().filter { !$0.isWhitespace } }
    return String(contact.filter(\.isNumber).suffix(9))
  }

  /// Within a transaction: what was asked about waits again, at the head of those of its level.
  private func answer(_ row: Int64, with id: String, now: Timestamp) throws {
    guard let asked = try connection.inbox.item(row: row, at: now) else { return }
    var deed = InboxRow.Deed(InboxItem.State.waiting.rawValue, reason: "an answer came: \(id)")
    deed.asked = asked.standing.asked
    try connection.inbox.decide(row: row, deed, at: now, actor: practice.actorName)
  }
}

/// Takes in what an owner wrote or said: it waits in the queue, the most urgent first; where somebody says whose it is, it is filed.
public struct TakeIn: Operation {
  public static let name = "inbox.take-in"
  public static let permission = Permission.fileInbox
  public static let reads: Set<RecordKind> = [.inbox, .patient, .client]
  public static let changes: Set<RecordKind> = [.inbox, .intake]

  public var message: IncomingMessage
  /// Whose it is, where a person says so.
  public var patient: String?

  public init(message: IncomingMessage, patient: String? = nil) {
    self.message = message
    self.patient = patient
  }

  public var subjects: [RecordReference] { patient.map { [RecordReference(.patient, $0)] } ?? [] }

  public func run(_ passage: Passage) throws -> InboxItem {
    if let patient { passage.touch(.patient, try passage.practice.records.patient(patient).id) }
    let item = try passage.practice.inbox.takeIn(message, patient: patient, now: passage.now)
    passage.touchInbox(item)
    if let urgency = item.content.urgency { passage.details["urgency"] = urgency.rawValue }
    return item
  }
}
