import Clinical
import Store
import Sync

/// A clone that was made.
public struct CloneReport: Encodable, Sendable {
  public let practice: String
  public let device: String
  /// Who works on it; nil where the practice has no users.
  public let user: String?
  /// Nil for a dry run.
  public let number: Int?
  /// What didn't come along.
  public let left: [String]

  public var lines: [String] {
    let whose = user.map { " of \($0)" } ?? ""
    guard let number else { return ["would make \(practice), the device '\(device)'\(whose)"] }
    return [
      "\(practice): a clone, device \(number) '\(device)'\(whose); checked before it was put there",
      "it left at the hub: \(left.joined(separator: ", "))",
    ]
  }
}

extension Practice.Sync {
  private static let leftInWords = [
    "who is signed in", "others' passphrases", "passkeys", "addresses of calendar feeds", "the inbox",
    "calendars of other programs",
    "unsigned encounters", "the audit log and its key",
  ]

  /// Makes a clone of this file, which becomes the hub where it isn't yet. A copy that breaks off leaves nothing behind, and its name is
  /// free again. It is encrypted as this file is, or by the key that was offered.
  ///
  /// - Throws: ``PracticeError`` where something stands at the path, nobody is named who could work on it, or the copy is not what it should
  ///   be.
  func clone(_ wanted: CloneHub, _ passage: Passage) throws -> CloneReport {
    let cover: Backup.Cover = practice.secrets.offeredBackupKey.map { .sealed($0.sealing) } ?? .asSource
    defer { practice.secrets.offeredBackupKey = nil }
    let (path, name) = (wanted.path, wanted.device)
    try Practice.checkCreation(at: path)
    let user = try reading {
      try practice.devices.holder(wanted.user ?? passage.actor.name, isNamed: wanted.user != nil)
    }
    func report(_ number: Int?) -> CloneReport {
      CloneReport(practice: path, device: name, user: user?.name, number: number, left: Self.leftInWords)
    }
    guard !wanted.isDryRun else { return report(nil) }
    let admission = try admitReplica(named: name, user: user?.rowID, now: passage.now)
    do {
      try Clone.make(of: connection, at: path, as: SyncSelf(admission), user: user?.rowID, cover: cover) {
        done, total in
        try continueUnlessStopped()
        passage.progress(Progress(done: done, total: total, detail: "copied"))
      }
    } catch {
      try? writing { try connection.replicas.forget(admission.number) }
      throw Self.cloneError(error, path: path)
    }
    return report(admission.number)
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
