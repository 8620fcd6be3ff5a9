package import Store

/// Keys that were offered to a practice for its next operation, which are no part of one: it can be kept and sent. And what makes keys
/// and tries them.
public final class PracticeSecrets {
  /// What is to open the file from now on, for the operation that adds or changes a key.
  public var offeredKey: OfferedKey?
  /// From which tags of terms are made that several practices share, for an operation that gives them.
  public var offeredGroupKey: [UInt8]?
  /// What the next backup is to be encrypted with, where the practice file isn't.
  public var offeredBackupKey: NewFileKey?
  /// What a guess at a new passphrase of the file costs; less in tests.
  var keyCost = KeyCost.standard
  /// What a user's passphrase costs to try; less in tests.
  package var passphraseCost = Argon2id.Cost.interactive
  /// Where a new key of the audit log comes from.
  package var randomness: () -> [UInt8] = AuditKey.randomBytes
  private let path: String
  /// Nil for a practice in memory, whose log nobody can reach.
  private(set) lazy var auditKey: AuditKey? =
    path == ":memory:" ? nil : AuditKey(practice: path, random: { [unowned self] in randomness() })

  init(of path: String) { self.path = path }
}
