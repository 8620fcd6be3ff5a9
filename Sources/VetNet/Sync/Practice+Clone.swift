import Clinical
import Store
import Sync

/// A clone that was made.
public struct CloneReport: Encodable, Sendable {
  public let practice: String
  public let device: String
  /// Nil for a dry run.
  public let number: Int?
  /// What didn't come along.
  public let left: [String]

  public var lines: [String] {
    guard let number else { return ["would make \(practice), the device '\(device)'"] }
    return [
      "\(practice): a clone, device \(number) '\(device)'; checked before it was put there",
      "it left at the hub: \(left.joined(separator: ", "))",
    ]
  }
}

extension Practice {
  private static let leftInWords = [
    "who is signed in", "passkeys", "addresses of calendar feeds", "the inbox", "calendars of other programs",
    "unsigned encounters", "the audit log and its key",
  ]

  /// Makes a clone of this file, which becomes the hub where it isn't yet. A copy that breaks off leaves nothing behind, and its name is
  /// free again.
  ///
  /// - Throws: ``PracticeError`` where something stands at the path, or the copy is not what it should be.
  func clone(
    to path: String, named name: String, isDryRun: Bool, now: Timestamp, progress: (Progress) -> Void
  ) throws -> CloneReport {
    try Self.checkCreation(at: path)
    guard !isDryRun else { return CloneReport(practice: path, device: name, number: nil, left: Self.leftInWords) }
    let admission = try admitReplica(named: name, now: now)
    do {
      try Clone.make(of: connection, at: path, as: SyncSelf(admission)) { done, total in
        try continueUnlessStopped()
        progress(Progress(done: done, total: total, detail: "copied"))
      }
    } catch {
      try? writing { try connection.replicas.forget(admission.number) }
      throw Self.cloneError(error, path: path)
    }
    return CloneReport(practice: path, device: name, number: admission.number, left: Self.leftInWords)
  }

  private static func cloneError(_ error: any Error, path: String) -> any Error {
    guard let flaw = error as? Backup.Flaw else { return error }
    return PracticeError(
      .integrity, "no clone was made: \(flaw.problems.prefix(5).joined(separator: "; "))",
      hint: "Maybe look: vetnet doctor")
  }
}

extension SyncSelf {
  init(_ admission: SyncAdmission) {
    self.init(
      practice: admission.practice, replica: admission.number, name: admission.name, key: admission.key)
  }
}
