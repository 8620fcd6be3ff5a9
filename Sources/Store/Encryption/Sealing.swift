public import Clinical
import CSQLite
import Glibc

/// What a file is sealed with: its key, and the head that lets those in who have a passphrase or the recovery key.
public struct Sealing: Sendable {
  public private(set) var head: SealedHead
  public let key: FileKey

  /// The page size of practice files.
  private static let pageSize = 16384

  /// A new key, which nothing opens yet.
  public static func new() -> Sealing {
    let key = FileKey.random()
    return Sealing(head: .new(pageSize: pageSize, key: key), key: key)
  }

  init(head: SealedHead, key: FileKey) {
    self.head = head
    self.key = key
  }

  /// Lets a passphrase open the key, or what a recovery key's words stand for.
  ///
  /// - Returns: the slot's number, from 1.
  /// - Throws: ``StoreError`` with `keyRefused` when the label is too long, all slots are taken, or there is no memory to derive a key in.
  @discardableResult
  public mutating func add(
    _ secret: NewSecret, label: String, cost: KeyCost = .standard, at moment: Timestamp
  ) throws(StoreError) -> Int {
    let slot = try slot(for: secret, label, cost, moment)
    guard let number = head.add(slot) else {
      throw StoreError(.keyRefused, context: "all \(SealedHead.slotCount) places for keys are taken; remove one first")
    }
    return number
  }

  /// Replaces what opens the key at a place.
  public mutating func replace(
    _ number: Int, by secret: NewSecret, label: String, cost: KeyCost = .standard, at moment: Timestamp
  ) throws(StoreError) {
    head.set(try slot(for: secret, label, cost, moment), at: number)
  }

  /// Takes away what opens the key at a place.
  ///
  /// - Throws: ``StoreError`` when nothing is there, or it is the last.
  public mutating func remove(_ number: Int) throws(StoreError) {
    guard (1...SealedHead.slotCount).contains(number), head.slots[number - 1] != nil else {
      throw StoreError(.keyRefused, context: "there is no key \(number)")
    }
    guard head.slots.count(where: { $0 != nil }) > 1 else {
      throw StoreError(.keyRefused, context: "it is the only key, and nobody could open the file without it")
    }
    head.set(nil, at: number)
  }

  private func slot(
    for secret: NewSecret, _ label: String, _ cost: KeyCost, _ moment: Timestamp
  ) throws(StoreError) -> KeySlot {
    guard label.utf8.count <= KeySlot.labelLimit else {
      throw StoreError(.keyRefused, context: "a label is \(KeySlot.labelLimit) bytes long at most")
    }
    let slot: KeySlot? =
      switch secret {
      case .passphrase(let words):
        KeySlot(wrapping: key, with: words, kind: .passphrase, label: label, cost: cost, at: moment)
      case .recovery(let recovery):
        KeySlot(wrapping: key, with: recovery.secret, kind: .recovery, label: label, cost: cost, at: moment)
      }
    guard let slot else { throw StoreError(.keyRefused, context: "there is not enough memory to derive a key in") }
    return slot
  }

  /// The same for another file.
  func forAnotherFile(pageSize: Int) -> Sealing {
    Sealing(head: head.forAnotherFile(pageSize: pageSize), key: key)
  }

  /// Begins a sealed file at an empty one.
  func begin(_ path: String) throws(StoreError) {
    try head.begin(path, key)
    KeyRing.add(key)
  }

  // MARK: Of a file

  /// A change that wasn't put on record in the end is taken back.
  func putBack(_ path: String) throws(StoreError) {
    try Self.change(of: path) { (sealing) throws(StoreError) in sealing.head = head.following(sealing.head) }
  }

  /// Reads the head of a file whose key is in ``KeyRing``; nil for a plain file.
  ///
  /// - Throws: ``StoreError`` with `keyNeeded`, `notFound` or `corrupt`.
  public init?(of path: String) throws(StoreError) {
    guard let head = try HeadFile(path, writing: false).head() else { return nil }
    guard let key = KeyRing.key(head.keyID) else { throw StoreError(.keyNeeded, context: path) }
    guard head.isAuthentic(key) else {
      throw StoreError(.corrupt, context: "the head of the file is not what was written")
    }
    self.init(head: head, key: key)
  }

  /// Changes who can open a file, in one step, while others go on with it.
  ///
  /// - Throws: ``StoreError`` with `busy` while another process does the same; what `change` throws, and nothing is changed then.
  @discardableResult
  static func change<Result>(
    of path: String, _ change: (inout Sealing) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let file = try HeadFile(path, writing: true)
    try file.lock()
    guard let head = try file.head(), let key = KeyRing.key(head.keyID), head.isAuthentic(key) else {
      throw StoreError(.keyNeeded, context: path)
    }
    var sealing = Sealing(head: head, key: key)
    let result = try change(&sealing)
    sealing.head.advance()
    try file.write(sealing.head, key)
    return result
  }

  /// Ends a change of the head that was broken off between its two copies, or in the middle of one: both become the later that is whole. Until
  /// then what a passphrase opened that was changed is in the other still.
  ///
  /// - Throws: ``StoreError`` with `busy` while another process changes the head.
  static func endChange(of path: String) throws(StoreError) {
    guard let region = try HeadFile(path, writing: false).region(), !SealedHead.copiesAgree(inRegion: region) else {
      return
    }
    try change(of: path) { (_) throws(StoreError) in }
  }

  /// What a slot is called, by its number; nil where there is none, or it can't be read.
  public func label(_ number: Int) -> String? { head.slots[number - 1]?.label(key) }
}

/// What is to open a file's key from now on.
public enum NewSecret: Sendable {
  case passphrase(LockedBytes)
  case recovery(RecoveryKey)
}

extension Connection {
  /// Changes who can open the file, and commits what is on record of that: both or neither.
  ///
  /// - Throws: ``StoreError``; what `change` throws.
  public func changeSealing<Result>(
    _ change: @escaping (inout Sealing) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    precondition(transactionDepth == 0, "the head of the file is changed at the end of a transaction of its own")
    let before = try sealing()
    var result: Result?
    lastStep = { [path] () throws(StoreError) in result = try Sealing.change(of: path, change) }
    defer { lastStep = nil }
    do {
      try transaction { () throws(StoreError) in }
    } catch {
      // Written, and not committed.
      if result != nil { try? before?.putBack(path) }
      throw error
    }
    guard let result else { throw StoreError(.readOnly, context: "changing the head of \(path)") }
    return result
  }

  /// The sealed file behind a connection; nil for a plain one.
  var sealedFile: SealedFile? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK else { return nil }
    return SealingVFS.sealed(file)
  }

  public var isSealed: Bool { sealedFile != nil }

  /// What the file is sealed with, as its head says now; nil for a plain one.
  public func sealing() throws(StoreError) -> Sealing? {
    isSealed ? try Sealing(of: path) : nil
  }

  /// Makes a sealed practice file under another name, fills it, and puts it in its place in one step.
  ///
  /// - Throws: ``StoreError`` with `alreadyExists`, or as ``create(_:migrator:)``; what `fill` throws.
  public static func createSealed(
    _ path: String, _ sealing: Sealing, filledBy fill: (Connection) throws -> Void
  ) throws {
    guard Glibc.access(path, F_OK) != 0 || FileBytes.count(of: path) == 0 else {
      throw StoreError(.alreadyExists, context: path)
    }
    let file = try PrivateFile(in: FilePath.folder(of: path))
    do {
      let connection = try create(file.path, sealing: sealing, hasPageSums: true)
      try fill(connection)
      try connection.checkpoint()
    }
    try file.synchronize()
    try file.put(at: path)
  }

  /// The mark of a practice file, read first of all, and for a sealed file that is cut off what of it is there.
  func applicationMark() throws(StoreError) -> Int64 {
    do {
      return try number("PRAGMA application_id")
    } catch {
      guard error.code == .corrupt, error.resultCode != SealingCode.notAuthentic, let pages = sealedFile?.pageCounts,
        pages.there < pages.meant
      else { throw error }
      throw StoreError(
        .corrupt, resultCode: error.resultCode,
        context: "it is cut off: \(pages.there) of its \(pages.meant) pages are there")
    }
  }

  /// The numbers of the pages that stand in the log of a sealed file since it was last begun.
  func pagesInSealedLog() -> Set<Int> {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard let layout = sealedFile?.layout,
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK, let file,
      SealingVFS.sealed(file)?.isLog == true
    else { return [] }
    var head = [UInt8](repeating: 0, count: SealedLayout.logHeadSize)
    guard head.withUnsafeMutableBytes({ file.read($0, at: 0) }) == SQLITE_OK else { return [] }
    var pages: Set<Int> = []
    var frame = [UInt8](repeating: 0, count: SealedLayout.frameHeadSize)
    var offset = SealedLayout.logHeadSize
    while frame.withUnsafeMutableBytes({ file.read($0, at: offset) }) == SQLITE_OK, frame[8..<16] == head[16..<24] {
      pages.insert(frame[0..<4].reduce(0) { $0 << 8 | Int($1) })
      offset += layout.frameSize
    }
    return pages
  }
}
