/// What opens an encrypted practice file.
public struct ListKeys: Operation {
  public static let name = "key.list"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.file]

  public init() {}

  public func run(_ passage: Passage) throws -> [FileKeyLine] { try passage.practice.file.keyList() }
}

/// Lets ``PracticeSecrets/offeredKey`` open the file too.
public struct AddKey: Operation {
  public static let name = "key.add"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.file]
  public static let changes: Set<RecordKind> = [.setting]

  /// What the key is called; it is sealed in the file.
  public var label: String
  public var isDryRun: Bool

  public init(label: String, isDryRun: Bool = false) {
    self.label = label
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  /// The key's number.
  public func run(_ passage: Passage) throws -> Int {
    if isDryRun { return try passage.practice.file.keyPlace(nil) }
    return try passage.practice.file.setKey(nil, label: label, now: passage.now)
  }
}

/// Gives the place of a key to ``PracticeSecrets/offeredKey``: the old one opens the file no more.
public struct ChangeKey: Operation {
  public static let name = "key.change"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.file]
  public static let changes: Set<RecordKind> = [.setting]

  /// From 1.
  public var number: Int
  public var label: String
  public var isDryRun: Bool

  public init(number: Int, label: String, isDryRun: Bool = false) {
    self.number = number
    self.label = label
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws {
    passage.details["key"] = String(number)
    if isDryRun {
      _ = try passage.practice.file.keyPlace(number)
      return
    }
    _ = try passage.practice.file.setKey(number, label: label, now: passage.now)
  }
}

/// Takes a key away.
public struct RemoveKey: Operation {
  public static let name = "key.remove"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.file]
  public static let changes: Set<RecordKind> = [.setting]

  /// From 1.
  public var number: Int
  public var isDryRun: Bool

  public init(number: Int, isDryRun: Bool = false) {
    self.number = number
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws {
    passage.details["key"] = String(number)
    if isDryRun {
      _ = try passage.practice.file.keyPlace(number, isLeaving: true)
      return
    }
    try passage.practice.file.removeKey(number)
  }
}

/// Encrypts a practice file, which is closed meanwhile: see ``Practice/File/encrypt(_:at:with:models:by:now:progress:)``.
public struct EncryptPractice: Operation {
  public static let name = "practice.encrypt"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.file]
  public static let changes: Set<RecordKind> = [.setting]

  public var isDryRun: Bool

  public init(isDryRun: Bool = false) {
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> CoverReport {
    throw PracticeError(.locked, "a practice file is encrypted while it is closed", hint: "Maybe run: vetnet encrypt")
  }
}

/// Takes the encryption of a practice file away: see ``Practice/File/decrypt(_:at:models:by:now:progress:)``.
public struct DecryptPractice: Operation {
  public static let name = "practice.decrypt"
  public static let permission = Permission.keep
  public static let reads: Set<RecordKind> = [.file]
  public static let changes: Set<RecordKind> = [.setting]

  public var isDryRun: Bool

  public init(isDryRun: Bool = false) {
    self.isDryRun = isDryRun
  }

  public var changesNothing: Bool { isDryRun }

  public func run(_ passage: Passage) throws -> CoverReport {
    throw PracticeError(.locked, "a practice file is decrypted while it is closed", hint: "Maybe run: vetnet decrypt")
  }
}
