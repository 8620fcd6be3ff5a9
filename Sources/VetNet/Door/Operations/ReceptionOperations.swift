public import Clinical

/// Who and which rooms are free on a day, or at a moment.
public struct FindFreeTimes: Operation {
  public static let name = "schedule.free"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .staff, .resource]

  public var query: FreeQuery

  public init(query: FreeQuery) {
    self.query = query
  }

  public var place: String? { query.location }

  public func run(_ passage: Passage) throws -> FreeTimes {
    try passage.practice.reception.freeTimes(query, now: passage.now)
  }
}

/// The member of staff that some words mean: an id, a name, or words of a name.
///
/// - Throws: ``PracticeError`` listing candidates where the words fit several or none.
public struct IdentifyStaff: Operation {
  public static let name = "staff.identify"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.staff]

  public var reference: String

  public init(reference: String) {
    self.reference = reference
  }

  public func run(_ passage: Passage) throws -> StaffMember {
    try passage.practice.workplace.staffMember(reference)
  }
}

/// The room or device that some words mean: an id, a name, or words of a name.
///
/// - Throws: ``PracticeError`` listing candidates where the words fit several or none.
public struct IdentifyResource: Operation {
  public static let name = "resource.identify"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.resource]

  public var reference: String

  public init(reference: String) {
    self.reference = reference
  }

  public func run(_ passage: Passage) throws -> Resource {
    try passage.practice.workplace.resource(reference)
  }
}

/// Answers a question about the appointment book: who, which room or when is free; nil for any other question.
public struct AskBook: Operation {
  public static let name = "schedule.ask"
  public static let feature: Feature? = .bookQuestions
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .staff, .resource]

  public var question: String

  public init(question: String) {
    self.question = question
  }

  public func run(_ passage: Passage) throws -> FreeTimes? {
    guard let query = try passage.practice.reception.bookQuery(question, now: passage.now) else {
      passage.isAboutNobody = true
      return nil
    }
    return try passage.practice.reception.freeTimes(query, now: passage.now)
  }
}

/// Patients whose id or name begins with what somebody is typing: ids and names, nothing else.
public struct CompletePatients: Operation {
  public static let name = "patient.complete"
  public static let permission = Permission.readRegister
  public static let reads: Set<RecordKind> = [.patient, .appointment]

  public var beginning: String

  public init(beginning: String) {
    self.beginning = beginning
  }

  public func run(_ passage: Passage) throws -> [Completion] {
    let found = try passage.practice.reception.completePatients(beginning, now: passage.now)
    // Who looks for names sees a list of them; whose is on record where a record is opened.
    passage.isAboutNobody = found.isEmpty
    return found
  }
}

/// Staff, rooms or appointments whose id or name begins with what somebody is typing.
public struct CompleteBook: Operation {
  public static let name = "schedule.complete"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.appointment, .patient, .staff, .resource]

  public var kind: BookCompletion
  public var beginning: String

  public init(kind: BookCompletion, beginning: String) {
    self.kind = kind
    self.beginning = beginning
  }

  public func run(_ passage: Passage) throws -> [Completion] {
    let found = try passage.practice.reception.complete(kind, beginning, now: passage.now)
    passage.isAboutNobody = found.isEmpty || kind != .appointment
    return found
  }
}
