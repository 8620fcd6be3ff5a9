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
    /// As triaged when it was booked, or as its reason reads now; nil where it has none.
    public let urgency: Urgency?
    /// What may come of it; nil for what occupies no time or is over.
    public let risk: DayRisk.Visit?
    public let options: AppointmentOptions
    /// Limits that it does not keep where it stands, in words.
    public let broken: [String]
    /// Grows with each change of the appointment.
    public let revision: Int64
    /// Nil in a practice that is one place.
    public let locationID: String?

    /// The same visit somewhere else, as a proposal would have it; what it risks there is not known.
    public func moved(to visit: PlannedVisit, clinicianName: String?) -> Entry {
      var appointment = appointment
      appointment.status = .booked
      appointment.start = visit.start
      appointment.durationMinutes = visit.minutes
      appointment.clinicianID = visit.clinicianID
      appointment.resourceIDs = visit.resourceIDs
      return Entry(
        appointment: appointment, patient: patient, clinicianName: clinicianName, conflict: nil, urgency: urgency,
        risk: nil, options: options, broken: [], revision: revision, locationID: locationID)
    }
  }

  /// What the day asks of one member of staff.
  public struct Workload: Sendable {
    public let clinicianID: String
    public let name: String
    public let visits: Int
    /// Minutes booked, of minutes worked with breaks taken out.
    public let bookedMinutes: Int
    public let workingMinutes: Int
    /// When they work, in minutes of the day; empty on leave.
    public let hours: [Range<Int>]
    /// Nil where nothing is booked.
    public let risk: DayRisk.Clinician?

    public var share: Double { workingMinutes > 0 ? Double(bookedMinutes) / Double(workingMinutes) : 0 }
  }

  public let date: CalendarDate
  /// In order of time, then clinician; those still asked for at the end.
  public internal(set) var entries: [Entry]
  /// Those who work that day, in the order of the staff list.
  public let workload: [Workload]
  /// Rooms and equipment of the practice.
  public let resources: [Resource]
  public let risk: DayRisk?
}

/// What a slot is wanted for.
public enum ProposalRequest: Sendable, Codable {
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
public struct Booking: Sendable, Codable {
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
  /// Changes the wishes and limits that it is booked with.
  public var limits: LimitsEdit?
  /// The level that a person gave the case; nil for what its words say.
  public var urgency: Urgency?
  /// The same in code, after them; for tests.
  var options: (@Sendable (inout AppointmentOptions) -> Void)?

  private enum CodingKeys: String, CodingKey {
    case patient, appointmentID, start, minutes, clinicianID, resourceIDs, visitType, reason, limits, urgency
  }

  public init(
    patient: String?, appointmentID: String? = nil, start: Timestamp, minutes: Int?, clinicianID: String,
    resourceIDs: [String] = [], visitType: VisitType? = nil, reason: String? = nil, limits: LimitsEdit? = nil,
    urgency: Urgency? = nil
  ) {
    self.urgency = urgency
    self.patient = patient
    self.appointmentID = appointmentID
    self.start = start
    self.minutes = minutes
    self.clinicianID = clinicianID
    self.resourceIDs = resourceIDs
    self.visitType = visitType
    self.reason = reason
    self.limits = limits
  }
}

/// How long a search may go on.
public struct SearchLimits: Sendable, Codable {
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

/// A better plan for some days, and whether it was written.
public struct DayPlan: Sendable {
  public let dates: [CalendarDate]
  public let proposal: DayProposal
  /// Appointments by id, for showing who is meant.
  public let appointments: [String: Appointment]
  public let patients: [String: Patient]
  public let isWritten: Bool
  /// How often it was computed: more than once where the book changed meanwhile.
  public let attempts: Int
  /// The plan's version in the practice file.
  public let version: Int64
}

extension DaySchedule {
  /// The same day with these appointments only.
  public func showing(only ids: Set<String>) -> DaySchedule {
    var day = self
    day.entries.removeAll { !ids.contains($0.appointment.id) }
    return day
  }
}
