/// How far a visit has got on its day, from the door to the door.
///
/// An appointment's status says less: a visit that is over for the vet and still has to be paid for is done.
public enum VisitStage: String, CaseIterable, Codable, Sendable {
  case expected, arrived
  case inConsult = "in_consult"
  case toPay = "to_pay"
  case left
  case noShow = "no_show"

  /// What an appointment is that has got there.
  public var status: Appointment.Status {
    switch self {
    case .expected: .booked
    case .arrived: .arrived
    case .inConsult: .inProgress
    case .toPay, .left: .done
    case .noShow: .noShow
    }
  }

  /// Where a visit is taken to be of which only the status is known; nil for one that is not in the book.
  public init?(_ status: Appointment.Status) {
    switch status {
    case .booked: self = .expected
    case .arrived: self = .arrived
    case .inProgress: self = .inConsult
    case .done: self = .left
    case .noShow: self = .noShow
    case .requested, .cancelled: return nil
    }
  }

  public var words: String {
    switch self {
    case .expected: "expected"
    case .arrived: "waiting"
    case .inConsult: "in consult"
    case .toPay: "to pay"
    case .left: "left"
    case .noShow: "didn't come"
    }
  }
}

/// That a visit got to a stage, as somebody said it did.
public struct VisitStep: Hashable, Sendable {
  public var stage: VisitStage
  public var at: Timestamp
  /// Who said so.
  public var actor: String

  public init(_ stage: VisitStage, at: Timestamp, actor: String) {
    self.stage = stage
    self.at = at
    self.actor = actor
  }
}

/// A visit's way through the practice: its steps in the order in which they were told, mistakes and their correction among them.
public struct VisitCourse: Hashable, Sendable {
  public let steps: [VisitStep]
  public let stage: VisitStage

  /// - Parameters:
  ///   - steps: in the order in which they were told.
  ///   - status: of the appointment, which counts where somebody changed it in another way since. Nil for one not in the book.
  public init?(_ steps: [VisitStep], status: Appointment.Status) {
    guard let known = VisitStage(status) else { return nil }
    let last = steps.last?.stage
    self.init(steps, at: last?.status == status ? last ?? known : known)
  }

  public init(_ steps: [VisitStep], at stage: VisitStage) {
    self.steps = steps
    self.stage = stage
  }

  /// When it got to a stage for good: the last time that it did without going back behind it since; nil where nobody told.
  public func moment(of stage: VisitStage) -> Timestamp? {
    var found: Timestamp?
    for step in steps {
      if step.stage == stage { found = found ?? step.at }
      if step.stage < stage { found = nil }
    }
    return found
  }

  /// Minutes from coming to being seen.
  ///
  /// - Parameters:
  ///   - now: ends the wait of who waits still.
  ///   - zone: the practice's.
  /// - Returns: 0 or more; nil for who was not seen to come, and for a wait whose end somebody told on another day or twelve hours
  ///   later: they were tidying up.
  public func waitingMinutes(now: Timestamp, in zone: PracticeTimeZone) -> Int? {
    guard let came = moment(of: .arrived) else { return nil }
    guard let end = moment(of: .inConsult) ?? moment(of: .toPay) ?? moment(of: .left) else {
      return stage == .arrived ? max(0, now.minutes(since: came)) : nil
    }
    let minutes = max(0, end.minutes(since: came))
    return minutes <= Self.mostMinutes && zone.date(of: end) == zone.date(of: came) ? minutes : nil
  }

  /// What takes longer was told when somebody thought of it.
  private static let mostMinutes = 720

  /// Minutes with the vet; nil before it is over, and where nobody told when it began or ended. Both told within two minutes are
  /// words that catch up, and so is an end twelve hours later.
  public var consultMinutes: Int? {
    guard let began = moment(of: .inConsult), let end = moment(of: .toPay) ?? moment(of: .left) else { return nil }
    let minutes = end.minutes(since: began)
    return (2...Self.mostMinutes).contains(minutes) ? minutes : nil
  }
}

extension VisitStage: Comparable {
  /// In the order of a visit; not to come is before everything.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

  private var rank: Int {
    switch self {
    case .noShow: 0
    case .expected: 1
    case .arrived: 2
    case .inConsult: 3
    case .toPay: 4
    case .left: 5
    }
  }
}
