public import Clinical
import CSodium

/// What deriving a key from a passphrase costs, and so what each guess costs who has the file and not the passphrase.
public struct KeyCost: Hashable, Sendable {
  /// Passes over the memory, 1...16.
  public let passes: Int
  /// Bytes, 8192...2^30.
  public let memory: Int

  public init(passes: Int, memory: Int) {
    self.passes = passes
    self.memory = memory
  }

  /// 256 MB and three passes: less than a second here, and as much memory for each guess elsewhere.
  ///
  /// - Source: libsodium's `crypto_pwhash_OPSLIMIT_MODERATE` and `crypto_pwhash_MEMLIMIT_MODERATE`.
  public static let standard = KeyCost(passes: 3, memory: 268_435_456)

  /// The least that Argon2 can do; protects nothing that a person can remember.
  package static let least = KeyCost(passes: 1, memory: 8192)

  /// What a file may ask for: its head can be anybody's until the key is known.
  var isAcceptable: Bool { (1...16).contains(passes) && (8192...(1 << 30)).contains(memory) }
}

/// One way to open a file's key: a passphrase, or a recovery key, under which the key is wrapped.
public struct KeySlot: Hashable, Sendable {
  public enum Kind: UInt8, Sendable {
    case passphrase = 1
    case recovery = 2
  }

  public let kind: Kind
  public let madeAt: Timestamp
  public let cost: KeyCost
  /// 16 random bytes.
  let salt: [UInt8]
  /// The file's key, sealed.
  let wrapped: [UInt8]
  /// What the slot is called, sealed with the file's key: it may be a person's name.
  let sealedLabel: [UInt8]

  static let byteCount = 256
  static let saltSize = 16
  /// The longest label in UTF-8 bytes.
  public static let labelLimit = 47
  private static let wrappedSize = FileKey.byteCount + Seal.overhead
  private static let labelSize = labelLimit + 1 + Seal.overhead

  /// Wraps a key; nil where the memory for it isn't to be had.
  init?(
    wrapping key: FileKey, with secret: LockedBytes, kind: Kind, label: String, cost: KeyCost, at moment: Timestamp
  ) {
    precondition(label.utf8.count <= Self.labelLimit, "a label of \(label.utf8.count) bytes")
    self.kind = kind
    self.cost = cost
    madeAt = moment
    salt = Sodium.randomBytes(Self.saltSize)
    guard let wrapping = Self.wrappingKey(secret, kind, cost, salt) else { return nil }
    let context = Self.context(key.id, kind, cost, salt)
    var wrapped = [UInt8](repeating: 0, count: Self.wrappedSize)
    context.withUnsafeBytes { context in
      wrapped.withUnsafeMutableBytes { target in
        guard let base = target.baseAddress else { return }
        Seal.seal(key.master.bytes, into: base, context: context, key: wrapping)
      }
    }
    self.wrapped = wrapped
    var plain = [UInt8(label.utf8.count)] + Array(label.utf8)
    plain += [UInt8](repeating: 0, count: Self.labelLimit + 1 - plain.count)
    var sealed = [UInt8](repeating: 0, count: Self.labelSize)
    context.withUnsafeBytes { context in
      sealed.withUnsafeMutableBytes { target in
        guard let base = target.baseAddress else { return }
        plain.withUnsafeBytes { Seal.seal($0, into: base, context: context, key: key.head) }
      }
    }
    sealedLabel = sealed
  }

  /// Opens the file's key; nil when the secret is not the one it was wrapped with.
  func open(_ secret: LockedBytes, keyID: [UInt8]) -> FileKey? {
    guard let wrapping = Self.wrappingKey(secret, kind, cost, salt) else { return nil }
    let context = Self.context(keyID, kind, cost, salt)
    var isOpen = false
    let master = LockedBytes(count: FileKey.byteCount) { target in
      isOpen = context.withUnsafeBytes { context in
        wrapped.withUnsafeBytes { sealed in
          sealed.baseAddress.map { Seal.open($0, into: target, context: context, key: wrapping) } ?? false
        }
      }
    }
    return isOpen ? FileKey(id: keyID, master: master) : nil
  }

  /// What the slot is called; nil when that is not what was written with the key.
  func label(_ key: FileKey) -> String? {
    var plain = [UInt8](repeating: 0, count: Self.labelLimit + 1)
    let context = Self.context(key.id, kind, cost, salt)
    let isOpen = context.withUnsafeBytes { context in
      sealedLabel.withUnsafeBytes { sealed in
        plain.withUnsafeMutableBytes { plain in
          sealed.baseAddress.map { Seal.open($0, into: plain, context: context, key: key.head) } ?? false
        }
      }
    }
    guard isOpen, Int(plain[0]) < plain.count else { return nil }
    return String(decoding: plain[1...].prefix(Int(plain[0])), as: UTF8.self)
  }

  /// The key that wraps: slow to derive from what a person can remember, at once from what nobody can guess.
  private static func wrappingKey(_ secret: LockedBytes, _ kind: Kind, _ cost: KeyCost, _ salt: [UInt8]) -> LockedBytes?
  {
    switch kind {
    case .recovery:
      return LockedBytes(
        count: 32,
        filledAt: { crypto_generichash($0, 32, salt, UInt64(salt.count), secret.pointer, secret.count) })
    case .passphrase:
      guard cost.isAcceptable else { return nil }
      var isDerived = false
      let key = LockedBytes(
        count: 32,
        filledAt: { target in
          isDerived = secret.pointer.withMemoryRebound(to: CChar.self, capacity: secret.count) { words in
            crypto_pwhash(
              target, 32, words, UInt64(secret.count), salt, UInt64(cost.passes), cost.memory,
              crypto_pwhash_ALG_ARGON2ID13) == 0
          }
        })
      return isDerived ? key : nil
    }
  }

  /// What is authenticated with what is sealed in a slot: which key it is for, and how it was derived.
  private static func context(_ keyID: [UInt8], _ kind: Kind, _ cost: KeyCost, _ salt: [UInt8]) -> [UInt8] {
    Array("vetnet-key-slot-1".utf8) + keyID + [kind.rawValue] + Little.bytes(UInt64(cost.passes))
      + Little.bytes(UInt64(cost.memory)) + salt
  }

  // MARK: In a file

  /// 256 bytes: kind 0, moment 8, passes 16, memory 24, salt 32, wrapped key 48, label 120; the rest is zeros.
  var encoded: [UInt8] {
    var bytes = [kind.rawValue] + [UInt8](repeating: 0, count: 7)
    bytes += Little.bytes(UInt64(bitPattern: madeAt.seconds))
    bytes += Little.bytes(UInt64(cost.passes)) + Little.bytes(UInt64(cost.memory))
    bytes += salt + wrapped + sealedLabel
    return bytes + [UInt8](repeating: 0, count: Self.byteCount - bytes.count)
  }

  /// Reads ``encoded``; nil where no slot is.
  init?(encoded bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    guard let kind = Kind(rawValue: bytes[0]) else { return nil }
    self.kind = kind
    madeAt = Timestamp(seconds: Int64(bitPattern: Little.number(bytes[8..<16])))
    cost = KeyCost(
      passes: Int(clamping: Little.number(bytes[16..<24])), memory: Int(clamping: Little.number(bytes[24..<32])))
    salt = Array(bytes[32..<48])
    wrapped = Array(bytes[48..<(48 + Self.wrappedSize)])
    sealedLabel = Array(bytes[120..<(120 + Self.labelSize)])
  }
}

/// Whole numbers with the least significant byte first.
enum Little {
  static func bytes(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
