public import Clinical

/// Why the practice could not do what was asked: a code to switch on, and words for a person.
///
/// Messages name ids, files and values that the caller gave; never note text, names or keys, because they reach logs.
public struct PracticeError: Error, Sendable, CustomStringConvertible {
  public enum Code: Equatable, Sendable {
    /// There is no practice file at the path.
    case noPracticeFile
    /// Another process holds the file, or the job.
    case locked
    /// The file is damaged, or is no practice file.
    case integrity
    /// The file is encrypted, and the key, passphrase or recovery key that was given doesn't open it, or none was.
    case key
    /// The file was written by a newer VetNet.
    case newerSchema
    /// A model, table or protocol is missing or can't be used.
    case models
    /// No patient, note, appointment or clinician has that id.
    case notFound
    /// The name fits several patients; ``PracticeError/candidates`` lists them.
    case ambiguousPatient
    /// The slot is taken, outside hours, or otherwise not to be had.
    case slotUnavailable
    /// A device was revoked.
    case deviceRevoked
    /// A change was based on a revision that is no longer the present one.
    case changedMeanwhile
    /// An argument that can't be meant.
    case invalidArgument
    /// The key of a request stands for another one.
    case keyReused
    /// This user has no right to the file or its folder.
    case fileRights
    /// The role of whoever wanted it doesn't have the permission.
    case notPermitted
    /// The practice has users, and nobody says rightly which of them wants it.
    case notSignedIn
    /// The practice has switched it off.
    case switchedOff
    /// A signal asked for the end of it.
    case stopped(signal: Int32)
    case failed
  }

  public let code: Code
  public let description: String
  /// What to do next; nil where there is nothing to add.
  public let hint: String?
  /// The patients a name fits, when the code is ``Code/ambiguousPatient``.
  public let candidates: [Patient]
  /// Slots that are left, when the code is ``Code/slotUnavailable`` and there are any.
  public let freeSlots: [FreeSlot]

  public init(
    _ code: Code, _ description: String, hint: String? = nil, candidates: [Patient] = [], freeSlots: [FreeSlot] = []
  ) {
    self.freeSlots = freeSlots
    self.code = code
    self.description = description
    self.hint = hint
    self.candidates = candidates
  }

  /// The same with more of what it means.
  func adding(_ words: String, hint: String? = nil) -> Self {
    Self(code, "\(description); \(words)", hint: hint ?? self.hint, candidates: candidates, freeSlots: freeSlots)
  }
}

/// A slot that could be booked instead of the one that was asked for.
public struct FreeSlot: Hashable, Sendable {
  public let start: Timestamp
  /// The start in the practice's time, as ISO 8601 writes it.
  public let local: String
  public let minutes: Int
  public let clinicianID: String
  public let resourceIDs: [String]

  public init(start: Timestamp, local: String, minutes: Int, clinicianID: String, resourceIDs: [String]) {
    self.start = start
    self.local = local
    self.minutes = minutes
    self.clinicianID = clinicianID
    self.resourceIDs = resourceIDs
  }
}
