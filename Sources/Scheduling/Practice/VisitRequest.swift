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
  /// Decides whose hands it needs beside the specialty: a vet who is good at emergencies may never have treated a horse.
  public var species: Species?
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
  /// The length somebody asked for, in minutes; nil to reserve a quantile of the prediction.
  public var requestedMinutes: Int?
  /// No start before, whatever is wished for; nil for any time from now on.
  public var earliestStart: Timestamp?
  /// The visit that has to be over first, and minutes between its end and the start.
  public var afterID: String?
  public var lagMinutes = 0
  /// Minutes on the road before and after a call at a farm or a house, which needs no room.
  public var travelBefore = 0
  public var travelAfter = 0
  /// The only location to consider; nil for any.
  public var locationID: String?

  public init(
    id: String, patientID: String? = nil, urgency: Urgency? = nil, visitType: VisitType? = nil,
    specialty: Specialty? = nil, species: Species? = nil, duration: PredictedDuration, clinicianIDs: [String]? = nil,
    preferredClinicianID: String? = nil, durationFactors: [String: Double] = [:], wishedStart: Timestamp? = nil,
    window: Range<Timestamp>? = nil, receivedAt: Timestamp
  ) {
    self.id = id
    self.patientID = patientID
    self.urgency = urgency
    self.visitType = visitType
    self.specialty = specialty
    self.species = species
    self.duration = duration
    self.clinicianIDs = clinicianIDs
    self.preferredClinicianID = preferredClinicianID
    self.durationFactors = durationFactors
    self.wishedStart = wishedStart
    self.window = window
    self.receivedAt = receivedAt
  }

  /// Takes over what an appointment's options say about a new place for it.
  public mutating func apply(_ options: AppointmentOptions) {
    if let window = options.window { self.window = window }
    if let urgency = options.urgency { self.urgency = urgency }
    if let received = options.receivedAt { receivedAt = received }
    afterID = options.afterID
    lagMinutes = options.lagMinutes
    travelBefore = options.travelBefore
    travelAfter = options.travelAfter
    locationID = options.locationID
    if options.keepsClinician, let preferred = preferredClinicianID { clinicianIDs = [preferred] }
  }

  /// The urgency that decides about time: a wished time turns a green or blue case into a planned visit, and a yellow one
  /// where it is for another day; a more urgent one does not wait for it.
  var decidingUrgency: Urgency? {
    guard let urgency, let wishedStart else { return urgency }
    if urgency <= .green { return nil }
    let isForAnotherDay = wishedStart.minutes(since: receivedAt) >= 12 * 60
    return urgency == .yellow && isForAnotherDay ? nil : urgency
  }
}
