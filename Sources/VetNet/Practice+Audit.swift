import Clinical
import FoundationEssentials
import Glibc
import Store

extension Practice {
  /// Who runs the program, by the operating system's name for them.
  static let userName: String = {
    if let entry = getpwuid(geteuid()), let name = entry.pointee.pw_name { return String(cString: name) }
    return "user \(geteuid())"
  }()

  /// Adds to the record of who did what. Details must do without words of a note.
  func audit(_ action: String, subject: String, _ details: some Encodable, at moment: Timestamp) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try connection.audit.append(
      AuditEntry(
        at: moment, actor: Self.userName, action: action, subject: subject,
        details: String(decoding: try encoder.encode(details), as: UTF8.self)))
  }
}
