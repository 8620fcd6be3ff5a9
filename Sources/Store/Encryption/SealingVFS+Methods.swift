import CSQLite

extension SealingVFS {
  /// What SQLite calls of a sealed file.
  static var methods: UnsafePointer<sqlite3_io_methods>? { UnsafePointer(bitPattern: methodsAddress) }

  /// What it calls of a rollback journal of one: a file that is empty, whatever lies there, and can't be written.
  static var nothing: UnsafePointer<sqlite3_io_methods>? { UnsafePointer(bitPattern: nothingAddress) }

  // There for as long as the process, like the VFS.
  private static let methodsAddress: UInt = {
    var methods = sqlite3_io_methods()
    // No mapping of the file into memory, which would be of cipher text.
    methods.iVersion = 2
    methods.xClose = { SealingVFS.close($0) }
    methods.xRead = { SealingVFS.read($0, $1, $2, $3) }
    methods.xWrite = { SealingVFS.write($0, $1, $2, $3) }
    methods.xTruncate = { sealed($0)?.truncate(to: Int($1)) ?? SQLITE_IOERR }
    methods.xSync = { file, flags in forward(file) { $1.xSync?($0, flags) } }
    methods.xFileSize = { SealingVFS.size($0, $1) }
    methods.xLock = { file, level in forward(file) { $1.xLock?($0, level) } }
    methods.xUnlock = { file, level in forward(file) { $1.xUnlock?($0, level) } }
    methods.xCheckReservedLock = { file, result in forward(file) { $1.xCheckReservedLock?($0, result) } }
    methods.xFileControl = { SealingVFS.control($0, $1, $2) }
    methods.xSectorSize = { file in forward(file) { $1.xSectorSize?($0) } }
    methods.xDeviceCharacteristics = { file in
      // SQLite must not fill a frame up to the end of a sector, nor count on pages being written whole or not at all.
      (forward(file) { $1.xDeviceCharacteristics?($0) } & SQLITE_IOCAP_IMMUTABLE) | SQLITE_IOCAP_POWERSAFE_OVERWRITE
    }
    methods.xShmMap = { file, region, size, extend, place in
      forward(file) { $1.xShmMap?($0, region, size, extend, place) }
    }
    methods.xShmLock = { file, offset, count, flags in forward(file) { $1.xShmLock?($0, offset, count, flags) } }
    methods.xShmBarrier = { file in
      guard let inner = sealed(file)?.inner else { return }
      inner.pointee.pMethods?.pointee.xShmBarrier?(inner)
    }
    methods.xShmUnmap = { file, deletes in forward(file) { $1.xShmUnmap?($0, deletes) } }
    return address(of: methods)
  }()

  private static let nothingAddress: UInt = {
    var methods = sqlite3_io_methods()
    methods.iVersion = 1
    methods.xClose = { file in
      file?.pointee.pMethods = nil
      return SQLITE_OK
    }
    methods.xRead = { _, target, count, _ in
      target?.initializeMemory(as: UInt8.self, repeating: 0, count: Int(count))
      return SealingCode.shortRead
    }
    methods.xWrite = { _, _, _, _ in SealingCode.writeFailure }
    methods.xTruncate = { _, _ in SQLITE_OK }
    methods.xSync = { _, _ in SQLITE_OK }
    methods.xFileSize = { _, size in
      size?.pointee = 0
      return SQLITE_OK
    }
    methods.xLock = { _, _ in SQLITE_OK }
    methods.xUnlock = { _, _ in SQLITE_OK }
    methods.xCheckReservedLock = { _, result in
      result?.pointee = 0
      return SQLITE_OK
    }
    methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
    methods.xSectorSize = { _ in 4096 }
    methods.xDeviceCharacteristics = { _ in 0 }
    return address(of: methods)
  }()

  private static func address(of methods: sqlite3_io_methods) -> UInt {
    let memory = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    memory.initialize(to: methods)
    return UInt(bitPattern: memory)
  }

  /// Has the system's own file do it.
  private static func forward(
    _ file: UnsafeMutablePointer<sqlite3_file>?,
    _ call: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Int32?
  ) -> Int32 {
    guard let inner = sealed(file)?.inner, let methods = inner.pointee.pMethods else { return SQLITE_IOERR }
    return call(inner, methods.pointee) ?? SQLITE_IOERR
  }

  private static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    guard let file, let state = sealed(file) else { return SQLITE_OK }
    let result = state.inner.close()
    release(file)
    return result
  }

  private static func read(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ target: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    sealed(file)?.read(UnsafeMutableRawBufferPointer(start: target, count: Int(count)), at: Int(offset))
      ?? SealingCode.readFailure
  }

  private static func write(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ source: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    sealed(file)?.write(UnsafeRawBufferPointer(start: source, count: Int(count)), at: Int(offset))
      ?? SealingCode.writeFailure
  }

  private static func size(_ file: UnsafeMutablePointer<sqlite3_file>?, _ size: UnsafeMutablePointer<Int64>?) -> Int32 {
    guard let (result, count) = sealed(file)?.size() else { return SQLITE_IOERR }
    size?.pointee = Int64(count)
    return result
  }

  private static func control(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ operation: Int32, _ argument: UnsafeMutableRawPointer?
  ) -> Int32 {
    switch operation {
    // In bytes as SQLite counts them, of a file that isn't as long; and of a mapping that there is none of.
    case SQLITE_FCNTL_SIZE_HINT, SQLITE_FCNTL_CHUNK_SIZE: return SQLITE_OK
    case SQLITE_FCNTL_MMAP_SIZE:
      argument?.storeBytes(of: 0, as: Int64.self)
      return SQLITE_OK
    default: return forward(file) { $1.xFileControl?($0, operation, argument) }
    }
  }
}
