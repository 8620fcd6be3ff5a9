import Clinical
import Interchange
import Store

// What rows say beside their records, as the practice file keeps it.

extension NoteVersion {
  /// Nil for a cause that nobody knows.
  init?(_ version: RowAdditions.Version) {
    guard let cause = Cause(rawValue: version.cause) else { return nil }
    self.init(
      replacedAt: version.replacedAt, actor: version.actor, cause: cause, reason: version.reason,
      patientID: version.patientID, recordedAt: version.recordedAt, author: version.author, kind: version.kind,
      text: version.text)
  }
}

extension NoteRetraction {
  init(_ retraction: RowAdditions.Retraction) {
    self.init(at: retraction.at, actor: retraction.actor, reason: retraction.reason)
  }
}

extension RowAdditions {
  /// Names a version's patient only where it is `patient`, where one is given.
  init(_ versions: [NoteVersion], _ retraction: NoteRetraction?, onlyOf patient: String?) {
    self.init()
    self.versions = versions.map { version in
      Version(
        replacedAt: version.replacedAt, actor: version.actor, cause: version.cause.rawValue, reason: version.reason,
        patientID: patient == nil || patient == version.patientID ? version.patientID : nil,
        recordedAt: version.recordedAt, author: version.author, kind: version.kind, text: version.text)
    }
    self.retraction = retraction.map { Retraction(at: $0.at, actor: $0.actor, reason: $0.reason) }
  }
}

extension RecordTable {
  /// The table of a record that can have tags; nil for others.
  init?(tagged record: ImportRecord) {
    switch record {
    case .patient: self = .patient
    case .note: self = .note
    case .appointment: self = .appointment
    default: return nil
    }
  }
}
