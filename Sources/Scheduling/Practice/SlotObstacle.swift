import Clinical

/// A reason that forbids a visit at a time with somebody.
public struct SlotObstacle: Hashable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case past
    /// The location is closed that day.
    case closed
    /// A room or the clinician is at another location.
    case elsewhere = "at another location"
    case unknownClinician = "unknown clinician"
    case wrongRole = "wrong role"
    case uncredentialed = "lacks a credential"
    case onLeave = "on leave"
    case notWorking = "not at work"
    case clinicianTaken = "clinician taken"
    case noBreak = "no room for a break"
    case roomTaken = "room taken"
    case patientElsewhere = "patient elsewhere"
    case ownerAway = "owner can't come"
    case tooEarly = "too early after another visit"
  }

  public let kind: Kind
  /// The clinician, room or kind of room, patient or appointment it is about, by id.
  public let subjectID: String
  /// The fewest appointments whose leaving would clear it; empty when none could.
  public let appointmentIDs: [String]
  /// In words, without names.
  public let description: String

  public init(kind: Kind, subjectID: String, appointmentIDs: [String] = [], description: String) {
    self.kind = kind
    self.subjectID = subjectID
    self.appointmentIDs = appointmentIDs
    self.description = description
  }
}

/// Everything that forbids a slot, and the least that would have to give way.
public struct SlotVerdict: Hashable, Sendable {
  /// In the order of ``SlotObstacle/Kind``; empty when the slot can be booked.
  public let obstacles: [SlotObstacle]
  /// The smallest set of appointments that would have to leave; empty where none is in the way, or none could help.
  public let conflicts: [String]
  /// The obstacles that no appointment's leaving clears.
  public var rules: [SlotObstacle] { obstacles.filter { $0.appointmentIDs.isEmpty } }

  public var isFree: Bool { obstacles.isEmpty }
}
