import CSQLite
import Glibc

/// The head of a practice file, read and written beside connections that have the file open.
///
/// Through SQLite's own way to files: a descriptor of ours would take the locks of all of this process's connections away when it is closed.
final class HeadFile {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let memory: UnsafeMutableRawPointer
  /// SQLite keeps the pointer for as long as the file is open.
  private let name: UnsafeMutablePointer<CChar>
  private let path: String
  private var hasLock = false

  /// - Throws: ``StoreError`` with `notFound` or `cannotOpen`.
  init(_ path: String, writing: Bool) throws(StoreError) {
    guard access(path, F_OK) == 0 else { throw StoreError(.notFound, context: path) }
    guard let vfs = sqlite3_vfs_find(nil), let xOpen = vfs.pointee.xOpen, let name = strdup(FilePath.absolute(path))
    else {
      throw StoreError(.cannotOpen, context: path)
    }
    self.path = path
    self.name = name
    memory = .allocate(byteCount: Int(vfs.pointee.szOsFile), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(vfs.pointee.szOsFile))
    file = memory.bindMemory(to: sqlite3_file.self, capacity: 1)
    let result = xOpen(
      vfs, name, file, (writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_MAIN_DB, nil)
    guard result == SQLITE_OK else {
      throw StoreError(.cannotOpen, resultCode: result, context: path)
    }
  }

  deinit {
    if hasLock { _ = file.pointee.pMethods?.pointee.xUnlock?(file, SQLITE_LOCK_NONE) }
    file.close()
    memory.deallocate()
    free(name)
  }

  /// The head; nil of a file that isn't sealed.
  ///
  /// - Throws: ``StoreError`` with `corrupt` when it is damaged, `diskFails` when it can't be read.
  func head() throws(StoreError) -> SealedHead? {
    guard let region = try region() else { return nil }
    return try SealedHead(region: region)
  }

  func region() throws(StoreError) -> [UInt8]? {
    let (result, region) = SealingVFS.headRegion(of: file)
    guard result == SQLITE_OK else { throw .sqlite(result, context: "reading the head of \(path)") }
    return region
  }

  /// Keeps other processes from changing the head, while they go on with the pages.
  ///
  /// - Throws: ``StoreError`` with `busy` when one is at it.
  func lock() throws(StoreError) {
    for level in [SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED] {
      let result = file.pointee.pMethods?.pointee.xLock?(file, level) ?? SQLITE_IOERR
      hasLock = true
      guard result == SQLITE_OK else { throw .sqlite(result, context: "changing the head of \(path)") }
    }
  }

  /// Writes a head over both copies, one after the other, each brought to the disk: what was there before is gone from the file, and
  /// at no moment is none of both whole.
  func write(_ head: SealedHead, _ key: FileKey) throws(StoreError) {
    let bytes = head.encoded(key)
    // The later of the two that are there stays whole until the other is.
    for start in try SealedHead.isSecondCopyLater(region() ?? [])
      ? [0, SealedHead.copySize] : [SealedHead.copySize, 0]
    {
      let result = bytes.withUnsafeBytes { file.write($0, at: start) }
      guard result == SQLITE_OK else { throw .sqlite(result, context: "writing the head of \(path)") }
      let synced = file.pointee.pMethods?.pointee.xSync?(file, SQLITE_SYNC_FULL) ?? SQLITE_IOERR
      guard synced == SQLITE_OK else { throw .sqlite(synced, context: "writing the head of \(path) to the disk") }
    }
  }
}

extension SealedHead {
  /// The head of a file; nil of one that isn't sealed, and where there is no file.
  public static func read(_ path: String) throws(StoreError) -> SealedHead? {
    guard access(path, F_OK) == 0 else { return nil }
    return try HeadFile(path, writing: false).head()
  }

  /// How many of the two copies of a file's head are whole.
  public static func soundCopies(of path: String) throws(StoreError) -> Int {
    soundCopies(inRegion: try HeadFile(path, writing: false).region() ?? [])
  }

  /// Begins a sealed file: an empty one, which nobody has open, gets this head.
  func begin(_ path: String, _ key: FileKey) throws(StoreError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("writing '\(path)'") }
    defer { close(descriptor) }
    let copy = encoded(key)
    let bytes = copy + copy
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      throw .file("writing '\(path)'")
    }
  }
}
