public import Clinical
import FoundationEssentials
public import Scheduling

/// A day of the appointment book.
public struct DaySchedule: Sendable {
  public struct Entry: Sendable {
    public let appointment: Appointment
    public let patient: Patient?
    public let clinicianName: String?
    /// Why it overlaps others; nil when it does not.
    public let conflict: String?
  }

  public let date: CalendarDate
  /// In order of time, then clinician; those still asked for at the end.
  public let entries: [Entry]
}

/// What a slot is wanted for.
public enum ProposalRequest: Sendable {
  /// A request on file.
  case appointment(String)
  /// A case in words; the second value names the patient where one is known.
  case intake(Intake, patient: String?)
}

/// A case with the slots proposed for it.
public struct CaseProposals: Sendable {
  public let request: VisitRequest
  public let proposals: [SlotProposal]
  public let staffNames: [String: String]
}

/// An appointment that is to be booked.
public struct Booking: Sendable {
  public var patient: String?
  /// A request on file that gets this time.
  public var appointmentID: String?
  public var start: Timestamp
  /// Nil for what VetNet predicts.
  public var minutes: Int?
  public var clinicianID: String
  /// Empty for what the visit type needs.
  public var resourceIDs: [String]
  public var visitType: VisitType?
  public var reason: String?

  public init(
    patient: String?, appointmentID: String? = nil, start: Timestamp, minutes: Int?, clinicianID: String,
    resourceIDs: [String] = [], visitType: VisitType? = nil, reason: String? = nil
  ) {
    self.patient = patient
    self.appointmentID = appointmentID
    self.start = start
    self.minutes = minutes
    self.clinicianID = clinicianID
    self.resourceIDs = resourceIDs
    self.visitType = visitType
    self.reason = reason
  }
}

/// How long a search may go on.
public struct SearchLimits: Sendable {
  /// Nil for half a second, or, where the steps are limited, for no limit.
  public var seconds: Double?
  /// Steps of each search, for a plan that can be repeated; nil to let the seconds decide.
  public var iterations: Int?
  public var seed: UInt64 = 1
  /// Searches side by side; nil for one a core where time is the limit, and two, whatever the machine, where steps are.
  public var threads: Int?

  public init() {}

  var configuration: Solver.Configuration {
    Solver.Configuration(
      seed: seed, iterationLimit: iterations, timeLimit: seconds ?? (iterations == nil ? 0.5 : nil))
  }

  var searches: Int {
    threads ?? (iterations == nil ? min(8, ProcessInfo.processInfo.activeProcessorCount) : 2)
  }
}

/// A better day, and whether it was written.
public struct DayPlan: Sendable {
  public let date: CalendarDate
  public let proposal: DayProposal
  /// Appointments by id, for showing who is meant.
  public let appointments: [String: Appointment]
  public let patients: [String: Patient]
  public let isWritten: Bool
}
