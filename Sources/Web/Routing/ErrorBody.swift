import Clinical
import Presentation
import VetNet

/// What is wrong with a request, as JSON: `{"error":{"code","message","hint","field"}}`, with what helps further.
struct ErrorBody: Error, Encodable, Sendable {
  struct Slot: Encodable, Sendable {
    let start: String
    let minutes: Int
    let clinician_id: String
    let resource_ids: [String]
  }

  struct Candidate: Encodable, Sendable {
    let id: String
    let name: String
    let species: String
    let owner_name: String?
  }

  let status: Int
  let code: String
  let message: String
  var hint: String?
  var field: String?
  /// What is left where a slot was not to be had.
  var freeSlots: [Slot] = []
  /// The patients that a name fits.
  var candidates: [Candidate] = []
  /// The appointment as it is, where a change was based on an earlier revision.
  var current: RevisedEntry?
  /// The registration as it is, likewise.
  var registration: RegistrationOutput?
  /// The encounter as it is, likewise, and the words that were to replace its own.
  var encounter: EncounterOutput?
  var sent: String?

  init(_ status: Int, _ code: String, _ message: String, hint: String? = nil, field: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.hint = hint
    self.field = field
  }

  init(_ error: PracticeError) {
    let (status, code) = Self.kind(error.code)
    self.init(status, code, error.description, hint: error.hint)
    freeSlots = error.freeSlots.map {
      Slot(start: $0.local, minutes: $0.minutes, clinician_id: $0.clinicianID, resource_ids: $0.resourceIDs)
    }
    candidates = error.candidates.map {
      Candidate(id: $0.id, name: $0.name, species: $0.species.rawValue, owner_name: $0.ownerName)
    }
  }

  /// Whatever was thrown. What an unknown error says may hold anything: a person is told that it failed, and the test suite has to
  /// find out why.
  init(any error: any Error) {
    switch error {
    case let error as ErrorBody: self = error
    case let error as PracticeError: self.init(error)
    default: self.init(500, "failed", "something went wrong in this program")
    }
  }

  /// Somebody's role doesn't have a permission.
  init(lacking permission: Permission, _ role: Role, for what: String) {
    let roles = Role.allCases.filter { $0 != .owner && $0.may(permission) }.map(\.rawValue).joined(separator: ", ")
    self.init(
      403, "not_permitted", "\(what) is not permitted to the role \(role.rawValue)",
      hint: "It needs the permission to \(permission.rawValue), which these roles have: \(roles).")
  }

  private static func kind(_ code: PracticeError.Code) -> (Int, String) {
    switch code {
    case .notFound: (404, "not_found")
    case .ambiguousPatient: (409, "ambiguous_patient")
    case .slotUnavailable: (409, "slot_unavailable")
    case .deviceRevoked: (403, "device_revoked")
    case .changedMeanwhile: (412, "changed_meanwhile")
    case .keyReused: (422, "key_reused")
    case .invalidArgument: (400, "invalid_argument")
    case .notPermitted: (403, "not_permitted")
    case .notSignedIn: (401, "not_signed_in")
    case .switchedOff: (403, "switched_off")
    case .key: (503, "key")
    case .locked: (503, "locked")
    case .noPracticeFile: (503, "no_practice_file")
    case .integrity: (500, "integrity")
    case .newerSchema: (500, "newer_schema")
    case .models: (500, "models")
    case .fileRights: (500, "file_rights")
    case .stopped: (503, "stopping")
    case .failed: (409, "failed")
    }
  }

  private enum CodingKeys: String, CodingKey { case error }
  private enum ErrorKeys: String, CodingKey {
    case code, message, hint, field, candidates, current, sent
    case freeSlots = "free_slots"
  }

  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: CodingKeys.self)
    var container = outer.nestedContainer(keyedBy: ErrorKeys.self, forKey: .error)
    try container.encode(code, forKey: .code)
    try container.encode(message, forKey: .message)
    // Keys that scripts rely on are there without a value too.
    try container.encode(hint, forKey: .hint)
    try container.encode(field, forKey: .field)
    if !freeSlots.isEmpty { try container.encode(freeSlots, forKey: .freeSlots) }
    if !candidates.isEmpty { try container.encode(candidates, forKey: .candidates) }
    try container.encodeIfPresent(current, forKey: .current)
    if let registration { try container.encode(registration, forKey: .current) }
    if let encounter { try container.encode(encounter, forKey: .current) }
    try container.encodeIfPresent(sent, forKey: .sent)
  }

  var response: Response {
    (try? .json(self, status: status)) ?? .text(message, status: status)
  }
}
