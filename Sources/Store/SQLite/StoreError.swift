import CSQLite

/// Why the practice file could not do what was asked.
///
/// The context says what was attempted, in our words and SQL; values are bound to statements and never written into
/// them, so that no note text can reach a message. SQLite's own messages are left out for the same reason.
public struct StoreError: Error, Equatable, Sendable {
  public enum Code: Hashable, Sendable {
    case cannotOpen
    /// There is no file at the path.
    case notFound
    /// There already is a file at the path.
    case alreadyExists
    case notAPracticeFile
    case migrationFailed
    /// The file was written by a newer VetNet.
    case supersededSchema
    /// The file is older than this VetNet and was opened for reading only.
    case needsMigration
    case statementFailed
    /// Another process holds the file.
    case busy
    case corrupt
    /// Nothing more can be written: no room, no more of a quota, or a disk that fails.
    case diskFull
    /// The disk fails at reading, or at keeping what was written.
    case diskFails
    /// A write through a connection that only reads, or to a file that can't be written.
    case readOnly
    case constraint(Constraint)
    /// The file is encrypted, and its key is not in ``KeyRing``.
    case keyNeeded
    /// A key that can't be added, changed or removed, for the reason that the context says.
    case keyRefused
    /// The audit log's key is there and can't be read; the context is its path.
    case auditKeyUnreadable
    /// A record that the values refer to isn't in the file.
    case unknownRecord
    /// An id that records of several sources share.
    case ambiguousID
    /// The record is no longer the version the change was based on.
    case changedMeanwhile
    /// The record is not what was written, and a change of a part of it would make that look sound.
    case alteredRecord
    /// Notes are still to be indexed.
    case incomplete
    /// A job of this kind is running elsewhere.
    case jobRunning
  }

  /// What a row violated.
  public enum Constraint: Hashable, Sendable {
    case unique, primaryKey, foreignKey, notNull, check, trigger, datatype, other
  }

  public let code: Code
  /// SQLite's extended result code, <https://www.sqlite.org/rescode.html>; 0 where SQLite was not asked.
  public let resultCode: Int32
  /// What was being attempted. Never holds note text: messages reach logs.
  public let context: String

  public init(_ code: Code, resultCode: Int32 = 0, context: String) {
    self.code = code
    self.resultCode = resultCode
    self.context = context
  }

  /// Whether a row with the same key is there already.
  public var isUniqueViolation: Bool {
    code == .constraint(.unique) || code == .constraint(.primaryKey)
  }

  /// The error that an extended result code of SQLite means, `code` where no other says more.
  static func sqlite(_ resultCode: Int32, _ code: Code = .statementFailed, context: String) -> Self {
    if resultCode == SealingCode.notAuthentic, let words = SealingFailures.words() {
      return StoreError(.corrupt, resultCode: resultCode, context: words)
    }
    let known: Code =
      switch resultCode & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_NOTADB: .notAPracticeFile
      case SQLITE_FULL: .diskFull
      // SQLITE_IOERR_WRITE and SQLITE_IOERR_SHMSIZE, sums that Swift doesn't import: how quotas and limits end a write.
      case SQLITE_IOERR where [3, 19].contains(resultCode >> 8): .diskFull
      case SQLITE_IOERR: .diskFails
      case SQLITE_READONLY: .readOnly
      case SQLITE_CONSTRAINT: .constraint(Constraint(resultCode: resultCode))
      case SQLITE_CANTOPEN: .cannotOpen
      default: code
      }
    return StoreError(known, resultCode: resultCode, context: context)
  }
}

extension StoreError {
  /// Why SQLite could not open a file; its result has no more than the low byte then.
  static func opening(_ result: Int32, _ path: String) -> Self {
    switch result & 0xFF {
    case SealingCode.noKey: StoreError(.keyNeeded, context: path)
    case SQLITE_CORRUPT: StoreError(.corrupt, resultCode: result, context: SealingFailures.words() ?? "opening \(path)")
    default: StoreError(.cannotOpen, resultCode: result, context: path)
    }
  }
}

extension StoreError.Constraint {
  /// The high byte of an extended result code, as `sqlite3.h` numbers them; the macros are sums Swift doesn't import.
  init(resultCode: Int32) {
    self =
      switch resultCode >> 8 {
      case 1: .check
      case 3: .foreignKey
      case 5: .notNull
      case 6: .primaryKey
      case 7: .trigger
      case 8, 10: .unique
      case 12: .datatype
      default: .other
      }
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    resultCode == 0 ? "\(code): \(context)" : "\(code): \(context) (SQLite result \(resultCode))"
  }
}
