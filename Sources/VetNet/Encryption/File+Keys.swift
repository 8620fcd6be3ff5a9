import Clinical
import Store

/// What is to open an encrypted file from now on.
public struct OfferedKey: Sendable {
  let secret: NewSecret

  /// A passphrase, as bytes, which are copied to where nobody else sees them.
  public init(passphrase: UnsafeRawBufferPointer) throws {
    secret = .passphrase(try Practice.File.secret(passphrase))
  }

  /// A recovery key, and its words, to be shown once.
  public static func recovery() -> (key: OfferedKey, words: String) {
    let recovery = RecoveryKey()
    return (OfferedKey(secret: .recovery(recovery)), recovery.words)
  }

  private init(secret: NewSecret) {
    self.secret = secret
  }
}

extension Practice.File {
  func keyList() throws -> [FileKeyLine] {
    try reporting {
      guard let sealing = try connection.sealing() else { throw Self.isPlain(path) }
      return sealing.head.slots.enumerated().compactMap { place, slot in
        slot.map {
          FileKeyLine(
            number: place + 1, kind: $0.kind == .recovery ? "recovery" : "passphrase",
            label: sealing.label(place + 1) ?? "", madeAt: timeZone.iso8601($0.madeAt),
            memoryMegabytes: $0.kind == .recovery ? nil : $0.cost.memory / 1_048_576)
        }
      }
    }
  }

  /// Adds a key, or gives the place of one to another.
  func setKey(_ number: Int?, label: String, now: Timestamp) throws -> Int {
    defer { practice.secrets.offeredKey = nil }
    guard isEncryptedFile else { throw Self.isPlain(path) }
    guard let secret = practice.secrets.offeredKey?.secret else {
      throw PracticeError(.key, "no new passphrase was given", hint: "Maybe give one: --new-passphrase-file FILE")
    }
    return try reporting {
      try connection.changeSealing { [cost = practice.secrets.keyCost] (sealing) throws(StoreError) in
        guard let number else { return try sealing.add(secret, label: label, cost: cost, at: now) }
        guard (1...SealedHead.slotCount).contains(number), sealing.head.slots[number - 1] != nil else {
          throw StoreError(.keyRefused, context: "there is no key \(number); vetnet key list shows them")
        }
        try sealing.replace(number, by: secret, label: label, cost: cost, at: now)
        return number
      }
    }
  }

  /// The place of a key that could be changed, or taken away, or for nil of one that could be added.
  ///
  /// - Throws: ``PracticeError`` with `key`, as the change itself would.
  func keyPlace(_ number: Int?, isLeaving: Bool = false) throws -> Int {
    let known = try keyList().map(\.number)
    guard let number else {
      guard let free = (1...SealedHead.slotCount).first(where: { !known.contains($0) }) else {
        throw PracticeError(.key, "there are \(SealedHead.slotCount) keys, and no room for another")
      }
      return free
    }
    guard known.contains(number) else {
      throw PracticeError(.key, "there is no key \(number)", hint: "Maybe look: vetnet key list")
    }
    guard !isLeaving || known.count > 1 else {
      throw PracticeError(.key, "key \(number) is the only one, without which nobody could open the file")
    }
    return number
  }

  func removeKey(_ number: Int) throws {
    guard isEncryptedFile else { throw Self.isPlain(path) }
    try reporting { try connection.changeSealing { (sealing) throws(StoreError) in try sealing.remove(number) } }
  }

  static func isPlain(_ path: String) -> PracticeError {
    PracticeError(.failed, "'\(path)' is not encrypted, and needs no keys", hint: "Maybe encrypt it: vetnet encrypt")
  }
}
