import Clinical

/// Who sees patients: what they can, when they work next, how full that is, whom they know, and when they are free.
public struct ListSpecialists: Operation {
  public static let name = "staff.specialists"
  public static let permission = Permission.readBook
  public static let reads: Set<RecordKind> = [.staff, .appointment, .patient]

  /// Of the visit that a free time is looked for.
  public var minutes: Int

  public init(minutes: Int = 20) {
    self.minutes = minutes
  }

  public func run(_ passage: Passage) throws -> [SpecialistCard] {
    guard (5...480).contains(minutes) else {
      throw PracticeError(.invalidArgument, "a visit takes 5 to 480 minutes")
    }
    let cards = try passage.practice.reception.specialists(minutes: minutes, now: passage.now)
    for card in cards { passage.touch(.patient, card.regulars.map(\.patient.id)) }
    return cards
  }
}
