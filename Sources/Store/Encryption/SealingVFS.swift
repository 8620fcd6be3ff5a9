import CSQLite
import Glibc

/// The file system through which SQLite opens practice files: what was sealed is opened and sealed on the way, whatever else is left to the
/// system's own, without a step between.
///
/// A file says by its head whether it is sealed. Its key has to be in ``KeyRing`` by then. The log of a sealed file is sealed; a rollback
/// journal of one is never made, nor is one that lies there played back; temporary files are never made, of no practice: SQLite
/// is told to keep such data in memory.
enum SealingVFS {
  static let name = "vetnet"

  /// Has SQLite know of it; true if that went well.
  static let isRegistered: Bool = {
    guard let original = sqlite3_vfs_find(nil) else { return false }
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    // All but opening is what it was: files are deleted, looked for and named as ever, and none of that takes the
    // structure it is called with.
    vfs.initialize(to: original.pointee)
    vfs.pointee.iVersion = min(original.pointee.iVersion, 2)
    vfs.pointee.szOsFile = Int32(innerOffset) + original.pointee.szOsFile
    vfs.pointee.pNext = nil
    vfs.pointee.zName = UnsafePointer(strdup(name))
    vfs.pointee.pAppData = UnsafeMutableRawPointer(original)
    vfs.pointee.xOpen = { vfs, path, file, flags, outFlags in SealingVFS.open(vfs, path, file, flags, outFlags) }
    return sqlite3_vfs_register(vfs, 0) == SQLITE_OK
  }()

  // A sealed file in SQLite's memory: the pointer to functions, a mark, the `SealedFile`, and the system's own file.
  private static let markOffset = 8
  private static let stateOffset = 16
  private static let innerOffset = 32
  /// No address, which is what the system's files have there.
  private static let mark: UInt64 = 0xF1E5_5EA1_ED00_0053

  /// What a file is, if it is sealed; its functions may have been replaced by others that call them.
  static func sealed(_ file: UnsafeMutablePointer<sqlite3_file>?) -> SealedFile? {
    guard let file, file.pointee.pMethods != nil else { return nil }
    let memory = UnsafeRawPointer(file)
    guard memory.load(fromByteOffset: markOffset, as: UInt64.self) == mark,
      let state = memory.load(fromByteOffset: stateOffset, as: UnsafeRawPointer?.self)
    else { return nil }
    return Unmanaged<SealedFile>.fromOpaque(state).takeUnretainedValue()
  }

  // MARK: Opening

  private static func open(
    _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32, _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file, let data = vfs?.pointee.pAppData else { return SQLITE_CANTOPEN }
    let original = data.assumingMemoryBound(to: sqlite3_vfs.self)
    file.pointee.pMethods = nil
    let isTemporary =
      flags & (SQLITE_OPEN_TEMP_DB | SQLITE_OPEN_TEMP_JOURNAL | SQLITE_OPEN_TRANSIENT_DB | SQLITE_OPEN_SUBJOURNAL) != 0
    guard let path, !isTemporary, let xOpen = original.pointee.xOpen else { return SQLITE_CANTOPEN }
    if flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0, let main = sealed(sqlite3_database_file_object(path))
    {
      guard flags & SQLITE_OPEN_WAL != 0 else {
        file.pointee.pMethods = nothing
        return SQLITE_OK
      }
      return place(file, main.head, main.key, isLog: true) { xOpen(original, path, $0, flags, outFlags) }
    }
    let result = xOpen(original, path, file, flags, outFlags)
    guard result == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0 else { return result }
    let region: [UInt8]?
    switch headRegion(of: file) {
    case (SQLITE_OK, let found): region = found
    case (let failure, _):
      file.close()
      return failure
    }
    guard let region else { return SQLITE_OK }
    file.close()
    guard let head = try? SealedHead(region: region) else {
      return SealingFailures.note("neither copy of its head is whole")
    }
    guard let key = KeyRing.key(head.keyID) else { return SealingCode.noKey }
    guard head.isAuthentic(key) else { return SealingFailures.note("its head is not what was written with the key") }
    return place(file, head, key, isLog: false) { xOpen(original, path, $0, flags, outFlags) }
  }

  /// The bytes of a head, where a file begins with one.
  static func headRegion(of file: UnsafeMutablePointer<sqlite3_file>) -> (Int32, [UInt8]?) {
    var start = [UInt8](repeating: 0, count: SealedHead.magic.count)
    func begins(at offset: Int) -> Int32 { start.withUnsafeMutableBytes { file.read($0, at: offset) } }
    var result = begins(at: 0)
    if result == SealingCode.shortRead { return (SQLITE_OK, nil) }
    if result == SQLITE_OK, !SealedHead.hasMagic(start) {
      if start.starts(with: "SQLite format 3\0".utf8) { return (SQLITE_OK, nil) }
      result = begins(at: SealedHead.copySize)
      if result == SealingCode.shortRead || (result == SQLITE_OK && !SealedHead.hasMagic(start)) {
        return (SQLITE_OK, nil)
      }
    }
    guard result == SQLITE_OK else { return (result, nil) }
    var region = [UInt8](repeating: 0, count: SealedHead.regionSize)
    result = region.withUnsafeMutableBytes { file.read($0, at: 0) }
    // What is missing is zeros, and no head.
    return (result == SealingCode.shortRead ? SQLITE_OK : result, region)
  }

  /// Opens the system's file within the memory of `file`, and puts a sealed one around it.
  private static func place(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ head: SealedHead, _ key: FileKey, isLog: Bool,
    opening: (UnsafeMutablePointer<sqlite3_file>) -> Int32
  ) -> Int32 {
    let memory = UnsafeMutableRawPointer(file)
    let inner = memory.advanced(by: innerOffset).bindMemory(to: sqlite3_file.self, capacity: 1)
    inner.pointee.pMethods = nil
    let result = opening(inner)
    guard result == SQLITE_OK else {
      inner.close()
      return result
    }
    let state = SealedFile(head: head, key: key, isLog: isLog, inner: inner)
    memory.storeBytes(of: mark, toByteOffset: markOffset, as: UInt64.self)
    memory.storeBytes(
      of: UnsafeRawPointer(Unmanaged.passRetained(state).toOpaque()), toByteOffset: stateOffset,
      as: UnsafeRawPointer.self)
    file.pointee.pMethods = methods
    return SQLITE_OK
  }

  static func release(_ file: UnsafeMutablePointer<sqlite3_file>) {
    guard sealed(file) != nil else { return }
    let memory = UnsafeMutableRawPointer(file)
    let state = memory.load(fromByteOffset: stateOffset, as: UnsafeRawPointer.self)
    memory.storeBytes(of: 0, toByteOffset: markOffset, as: UInt64.self)
    file.pointee.pMethods = nil
    Unmanaged<SealedFile>.fromOpaque(state).release()
  }
}
