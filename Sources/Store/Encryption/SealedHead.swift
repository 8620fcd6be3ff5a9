import CSodium

/// The head of a sealed file, before its first page: what it takes to open it, for whoever has a passphrase.
///
/// It stands there twice, so that a change that is broken off leaves one whole. 4096 bytes: magic 0, page size 16, bytes that SQLite leaves
/// free on each page 20, number of the change 24, the file's id 32, the key's id 48, eight slots of 256 bytes from 64; then a BLAKE2b-256 of
/// all that under the file's key, and one of all before it without a key, which tells a torn copy from a whole one before there
/// is a key. The rest is zeros. Numbers have the least significant byte first.
public struct SealedHead: Hashable, Sendable {
  static let magic = Array("VetNet sealed 1\n".utf8)
  static let copySize = 4096
  /// Where the first page begins.
  static let regionSize = 2 * copySize
  public static let slotCount = 8
  private static let slotsStart = 64
  private static let macStart = slotsStart + slotCount * KeySlot.byteCount
  private static let digestStart = macStart + 32

  let pageSize: Int
  let reserve: UInt8
  private(set) var sequence: UInt64
  /// Random, and another for each file: a backup's pages are not this one's.
  let fileID: [UInt8]
  public let keyID: [UInt8]
  /// By place, from 0.
  public private(set) var slots: [KeySlot?]
  private var mac: [UInt8]

  /// The head of a new file under a new key.
  static func new(pageSize: Int, key: FileKey) -> SealedHead {
    SealedHead(
      pageSize: pageSize, reserve: UInt8(PageSum.byteCount), sequence: 1,
      fileID: Sodium.randomBytes(FileKey.idSize), keyID: key.id, slots: Array(repeating: nil, count: slotCount), mac: []
    )
  }

  private init(
    pageSize: Int, reserve: UInt8, sequence: UInt64, fileID: [UInt8], keyID: [UInt8], slots: [KeySlot?], mac: [UInt8]
  ) {
    self.pageSize = pageSize
    self.reserve = reserve
    self.sequence = sequence
    self.fileID = fileID
    self.keyID = keyID
    self.slots = slots
    self.mac = mac
  }

  /// The head of another file that the same secrets open, such as a backup.
  func forAnotherFile(pageSize: Int) -> SealedHead {
    SealedHead(
      pageSize: pageSize, reserve: reserve, sequence: 1, fileID: Sodium.randomBytes(FileKey.idSize), keyID: keyID,
      slots: slots, mac: [])
  }

  // MARK: Opening

  /// The key, for a passphrase or the words of a recovery key; nil when it is neither.
  ///
  /// - Throws: ``StoreError`` with `corrupt` when the head was changed by who doesn't have the key.
  /// - Complexity: derives a key for each passphrase there is, until one fits.
  public func unlock(_ secret: LockedBytes) throws(StoreError) -> FileKey? {
    let recovery = RecoveryKey.secret(fromWords: secret)
    for slot in slots.compactMap(\.self) {
      let given = slot.kind == .recovery ? recovery : secret
      guard let given, let key = slot.open(given, keyID: keyID) else { continue }
      guard isAuthentic(key) else {
        throw StoreError(.corrupt, context: "the head of the file is not what was written")
      }
      return key
    }
    return nil
  }

  func isAuthentic(_ key: FileKey) -> Bool {
    let expected = Self.mac(of: core, key)
    return mac.count == expected.count && sodium_memcmp(mac, expected, expected.count) == 0
  }

  // MARK: Changing

  /// Adds a slot in the first place that is free.
  ///
  /// - Returns: its number, from 1; nil when all are taken.
  mutating func add(_ slot: KeySlot) -> Int? {
    guard let place = slots.firstIndex(of: nil) else { return nil }
    slots[place] = slot
    return place + 1
  }

  mutating func set(_ slot: KeySlot?, at number: Int) { slots[number - 1] = slot }

  /// The same as the successor of another.
  func following(_ other: SealedHead) -> SealedHead {
    var head = self
    head.sequence = other.sequence
    return head
  }

  /// To be called before a changed head is written.
  mutating func advance() { sequence += 1 }

  // MARK: In a file

  private var core: [UInt8] {
    var bytes = Self.magic
    bytes += Little.bytes(UInt64(pageSize) | UInt64(reserve) << 32) + Little.bytes(sequence) + fileID + keyID
    for slot in slots { bytes += slot?.encoded ?? [UInt8](repeating: 0, count: KeySlot.byteCount) }
    return bytes
  }

  private static func mac(of core: [UInt8], _ key: FileKey) -> [UInt8] {
    var mac = [UInt8](repeating: 0, count: 32)
    crypto_generichash(&mac, mac.count, core, UInt64(core.count), key.head.pointer, key.head.count)
    return mac
  }

  /// One copy, authenticated.
  func encoded(_ key: FileKey) -> [UInt8] {
    var bytes = core
    bytes += Self.mac(of: bytes, key)
    bytes += ContentHash(of: bytes).bytes
    return bytes + [UInt8](repeating: 0, count: Self.copySize - bytes.count)
  }

  /// Whether bytes at the beginning of a file, or 4096 further on, are those of a head.
  static func hasMagic(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: magic) }

  /// Reads the head from both copies: the later one that is whole.
  ///
  /// - Throws: ``StoreError`` with `corrupt` when neither is.
  init(region: [UInt8]) throws(StoreError) {
    let copies = [0, Self.copySize].compactMap { start -> SealedHead? in
      guard region.count >= start + Self.copySize else { return nil }
      return SealedHead(copy: Array(region[start..<(start + Self.copySize)]))
    }
    guard let latest = copies.max(by: { $0.sequence < $1.sequence }) else {
      throw StoreError(.corrupt, context: "both copies of the head of the encrypted file are damaged")
    }
    self = latest
  }

  private init?(copy bytes: [UInt8]) {
    guard Self.hasMagic(bytes),
      ContentHash(of: Array(bytes[..<Self.digestStart])).bytes
        == Array(bytes[Self.digestStart..<(Self.digestStart + 32)])
    else { return nil }
    let sizes = Little.number(bytes[16..<24])
    let pageSize = Int(sizes & 0xFFFF_FFFF)
    guard (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
    self.init(
      pageSize: pageSize, reserve: UInt8(truncatingIfNeeded: sizes >> 32), sequence: Little.number(bytes[24..<32]),
      fileID: Array(bytes[32..<48]), keyID: Array(bytes[48..<64]),
      slots: (0..<Self.slotCount).map { place in
        let start = Self.slotsStart + place * KeySlot.byteCount
        return KeySlot(encoded: bytes[start..<(start + KeySlot.byteCount)])
      }, mac: Array(bytes[Self.macStart..<Self.digestStart]))
  }

  /// Whether the second copy is the one that counts.
  static func isSecondCopyLater(_ region: [UInt8]) -> Bool {
    guard region.count >= regionSize, let second = SealedHead(copy: Array(region[copySize..<regionSize])) else {
      return false
    }
    return SealedHead(copy: Array(region[..<copySize])).map { $0.sequence < second.sequence } ?? true
  }

  static func copiesAgree(inRegion region: [UInt8]) -> Bool {
    region.count >= regionSize && region[..<copySize].elementsEqual(region[copySize..<regionSize])
  }

  /// How many of the two copies are whole.
  static func soundCopies(inRegion region: [UInt8]) -> Int {
    [0, copySize].count { start in
      region.count >= start + copySize && SealedHead(copy: Array(region[start..<(start + copySize)])) != nil
    }
  }
}
