public import Clinical
import Store

/// How a practice lets its users in.
public struct SignInRules: Encodable, Hashable, Sendable {
  /// After so many minutes without use a session ends.
  public let idleMinutes: Int
  /// Whether a user who is linked to an account of the operating system acts by it, without a passphrase.
  public let unlocksByAccount: Bool

  private enum CodingKeys: String, CodingKey {
    case idleMinutes = "idle_minutes"
    case unlocksByAccount = "account_unlock"
  }
}

extension Practice.People {
  /// What sessions may be left alone for, in minutes.
  public static let idleRange = 1...720

  func signInRules() throws -> SignInRules {
    SignInRules(
      idleMinutes: try idleMinutes,
      unlocksByAccount: try reporting { try connection.settings.value(Setting.accountUnlock) } == "on")
  }

  func setSignInRules(idleMinutes: Int?, unlocksByAccount: Bool?) throws -> SignInRules {
    if let idleMinutes, !Self.idleRange.contains(idleMinutes) {
      throw PracticeError(
        .invalidArgument,
        "a session may be left alone for \(Self.idleRange.lowerBound) to \(Self.idleRange.upperBound) minutes, not \(idleMinutes)"
      )
    }
    try writing {
      if let idleMinutes { try connection.settings.set(Setting.sessionIdleMinutes, to: String(idleMinutes)) }
      if let unlocksByAccount {
        try connection.settings.set(Setting.accountUnlock, to: unlocksByAccount ? "on" : nil)
      }
    }
    return try signInRules()
  }

  /// The user whom the account that runs this program unlocks, where the practice allows that; puts it on record.
  ///
  /// - Throws: ``PracticeError`` where the file can't be read.
  /// - Returns: nil where there is none.
  public func identifyByAccount(at now: Timestamp) throws -> Actor? {
    guard try signInRules().unlocksByAccount,
      let user = try reporting({ try connection.users.user(account: Self.userName) }), !user.isDisabled
    else { return nil }
    let known = try PracticeUser(user)
    // What it opens is no more than what the account's owner could read in the file: not being on record keeps nobody out.
    try? practice.recordingAside { connection in
      try connection.transaction { () throws(StoreError) in
        try connection.audit.append(
          AuditEntry(
            .access, at: now, actor: known.name, role: known.role.rawValue, operation: Self.signInOperation,
            details: #"{"by":"account"}"#, subjects: [.init(kind: "user", id: known.name)]),
          key: practice.secrets.auditKey)
      }
      practice.secrets.auditKey?.settle()
    }
    return Actor(name: known.name, role: known.role)
  }

  func link(_ name: String, account: String?) throws -> String {
    let connection = connection
    if let account,
      account.isEmpty || account.utf8.count > 64 || !account.allSatisfy({ $0.isASCII && !$0.isWhitespace })
    {
      throw PracticeError(.invalidArgument, "that is no name of an account of the operating system")
    }
    if let account, let holder = try reporting({ try connection.users.user(account: account) }),
      UserStore.key(holder.name) != UserStore.key(name)
    {
      throw PracticeError(.failed, "the account '\(account)' is linked to '\(holder.name)' already")
    }
    return try changeUser(name, isDryRun: false) { row throws(StoreError) in
      try connection.users.set(account: account, row: row)
    }
  }
}
