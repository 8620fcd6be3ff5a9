public import Clinical

/// Why the practice could not do what was asked: a code to switch on, and words for a person.
///
/// Messages name ids, files and values that the caller gave; never note text, names or keys, because they reach logs.
public struct PracticeError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable {
    /// There is no practice file at the path.
    case noPracticeFile
    /// Another process holds the file, or the job.
    case locked
    /// The file is damaged, or is no practice file.
    case integrity
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
    /// An argument that can't be meant.
    case invalidArgument
    case failed
  }

  public let code: Code
  public let description: String
  /// What to do next; nil where there is nothing to add.
  public let hint: String?
  /// The patients a name fits, when the code is ``Code/ambiguousPatient``.
  public let candidates: [Patient]

  public init(_ code: Code, _ description: String, hint: String? = nil, candidates: [Patient] = []) {
    self.code = code
    self.description = description
    self.hint = hint
    self.candidates = candidates
  }
}
