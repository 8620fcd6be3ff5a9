public import Clinical

/// A visit that wants a place: a triaged case, or somebody who wishes for a time.
public struct VisitRequest: Hashable, Sendable {
  /// The id of the appointment or intake it stands for.
  public var id: String
  public var patientID: String?
  /// From triage; nil for a planned visit.
  public var urgency: Urgency?
  public var visitType: VisitType?
  public var specialty: Specialty?
  public var duration: PredictedDuration
  /// The only clinicians to consider; nil for everybody who may take such a visit and fits well enough.
  public var clinicianIDs: [String]?
  /// The clinician who knows the patient.
  public var preferredClinicianID: String?
  /// How much longer than predicted somebody takes, by staff id; 1 where absent.
  public var durationFactors: [String: Double]
  /// The time the owner wishes for; counts for planned visits and for green and blue ones.
  public var wishedStart: Timestamp?
  /// When the owner can come at all: starts outside are not proposed, however urgent the case.
  public var window: Range<Timestamp>?
  public var receivedAt: Timestamp

  public init(
    id: String, patientID: String? = nil, urgency: Urgency? = nil, visitType: VisitType? = nil,
    specialty: Specialty? = nil, duration: PredictedDuration, clinicianIDs: [String]? = nil,
    preferredClinicianID: String? = nil, durationFactors: [String: Double] = [:], wishedStart: Timestamp? = nil,
    window: Range<Timestamp>? = nil, receivedAt: Timestamp
  ) {
    self.id = id
    self.patientID = patientID
    self.urgency = urgency
    self.visitType = visitType
    self.specialty = specialty
    self.duration = duration
    self.clinicianIDs = clinicianIDs
    self.preferredClinicianID = preferredClinicianID
    self.durationFactors = durationFactors
    self.wishedStart = wishedStart
    self.window = window
    self.receivedAt = receivedAt
  }

  /// The urgency that decides about time: a wished time turns a green or blue case into a planned visit, a more urgent
  /// one does not wait for it.
  var decidingUrgency: Urgency? {
    guard let urgency else { return nil }
    return wishedStart != nil && urgency <= .green ? nil : urgency
  }
}
