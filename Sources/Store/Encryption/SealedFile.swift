import CSQLite
import Glibc
import Synchronization

/// A sealed file that SQLite has open: practice file or log. Belongs to one connection, and so to one thread.
final class SealedFile {
  let head: SealedHead
  let key: FileKey
  let layout: SealedLayout
  let isLog: Bool
  /// The file as the system's VFS has it open.
  let inner: UnsafeMutablePointer<sqlite3_file>
  /// Cipher text on its way; the longest piece is a frame.
  private let scratch: UnsafeMutableRawBufferPointer
  private var context: SealContext
  /// What the first page began with when it was last read, by its nonce and tag: SQLite asks for single bytes of it often.
  private var firstPage: (mark: [UInt8], bytes: [UInt8])?

  init(head: SealedHead, key: FileKey, isLog: Bool, inner: UnsafeMutablePointer<sqlite3_file>) {
    self.head = head
    self.key = key
    self.isLog = isLog
    self.inner = inner
    layout = SealedLayout(pageSize: head.pageSize)
    context = SealContext(fileID: head.fileID)
    scratch = .allocate(byteCount: layout.frameStride, alignment: 16)
  }

  deinit { scratch.deallocate() }

  // MARK: What SQLite asks for

  func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    if isLog { return readLog(target, at: offset) }
    let size = layout.pageSize
    guard offset % size == 0, target.count % size == 0 else { return readPart(target, at: offset) }
    for start in stride(from: 0, to: target.count, by: size) {
      let page = UnsafeMutableRawBufferPointer(rebasing: target[start..<(start + size)])
      let result = readPage((offset + start) / size + 1, into: page)
      guard result == SQLITE_OK else {
        UnsafeMutableRawBufferPointer(rebasing: target[start...]).initializeMemory(as: UInt8.self, repeating: 0)
        return result
      }
    }
    return SQLITE_OK
  }

  func write(_ source: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    if isLog { return writeLog(source, at: offset) }
    let size = layout.pageSize
    guard offset % size == 0, source.count == size else { return SealingCode.writeFailure }
    let number = offset / size + 1
    let result = fill(upTo: number - 1)
    guard result == SQLITE_OK else { return result }
    return write(source, .page, place: number, at: layout.pageStart(number))
  }

  func truncate(to size: Int) -> Int32 {
    if isLog {
      guard size > SealedLayout.logHeadSize else { return inner.truncate(to: size) }
      return inner.truncate(to: layout.frameStart((size - SealedLayout.logHeadSize) / layout.frameSize))
    }
    let count = size / layout.pageSize
    let result = fill(upTo: count)
    return result == SQLITE_OK ? inner.truncate(to: layout.pageStart(count + 1)) : result
  }

  /// The length that SQLite is told.
  func size() -> (result: Int32, size: Int) {
    let (result, size) = inner.size()
    guard result == SQLITE_OK else { return (result, 0) }
    return (result, isLog ? layout.logSize(fileSize: size) : layout.pageCount(fileSize: size) * layout.pageSize)
  }

  /// How many pages are there, and how many there should be without the log, as the first of them says.
  var pageCounts: (there: Int, meant: Int) {
    var count = [UInt8](repeating: 0, count: 4)
    let isRead = count.withUnsafeMutableBytes { readFileHead($0, at: 28) } == SQLITE_OK
    return (size().size / layout.pageSize, isRead ? count.reduce(0) { $0 << 8 | Int($1) } : 0)
  }

  // MARK: Pages

  private func readPage(_ number: Int, into page: UnsafeMutableRawBufferPointer) -> Int32 {
    let start = layout.pageStart(number)
    let result = inner.read(part(layout.pageStride), at: start)
    if result == SealingCode.shortRead {
      let (sizeResult, size) = inner.size()
      guard sizeResult == SQLITE_OK else { return sizeResult }
      page.initializeMemory(as: UInt8.self, repeating: 0)
      // Nothing is there: SQLite takes that for zeros, as of any file.
      if size <= start { return SealingCode.shortRead }
      return SealingFailures.note("page \(number) is cut off")
    }
    guard result == SQLITE_OK else { return result }
    guard open(part(layout.pageStride), into: page, .page, place: number) else {
      return SealingFailures.note("page \(number) is not what was written to this file")
    }
    return SQLITE_OK
  }

  /// A few bytes of a page.
  private func readPart(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    let size = layout.pageSize
    let (index, within) = offset.quotientAndRemainder(dividingBy: size)
    guard within + target.count <= size else { return SealingCode.readFailure }
    if index == 0, within + target.count <= Self.fileHeadSize { return readFileHead(target, at: within) }
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { page in
      let result = readPage(index + 1, into: page)
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: page[within..<(within + target.count)]))
      return result
    }
  }

  /// SQLite's own head of a file, the first 100 bytes of the first page.
  private static let fileHeadSize = 100

  /// A first page that can't be opened may be one that is being written, or was when a process was killed, and stands whole in the log,
  /// which SQLite looks for next. What it needs to get there is the size of a page; if there is no log, it reads the page itself, and
  /// that fails.
  private func readFileHead(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    let mark = part(Seal.overhead)
    let result = inner.read(mark, at: layout.pageStart(1))
    if result == SealingCode.shortRead {
      target.initializeMemory(as: UInt8.self, repeating: 0)
      return result
    }
    guard result == SQLITE_OK else { return result }
    if firstPage?.mark.elementsEqual(mark) != true {
      let mark = Array(mark)
      let bytes = withUnsafeTemporaryAllocation(byteCount: layout.pageSize, alignment: 16) { page -> [UInt8]? in
        readPage(1, into: page) == SQLITE_OK ? Array(page.prefix(Self.fileHeadSize)) : nil
      }
      firstPage = (bytes == nil ? [] : mark, bytes ?? standIn)
    }
    let bytes = firstPage?.bytes ?? standIn
    target.copyBytes(from: bytes[offset..<(offset + target.count)])
    return SQLITE_OK
  }

  /// A head that says how large pages are, and what is left free on each.
  private var standIn: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.fileHeadSize)
    // 65536 is written as 1.
    bytes[16] = UInt8(truncatingIfNeeded: head.pageSize >> 8)
    bytes[17] = head.pageSize == 65536 ? 1 : UInt8(truncatingIfNeeded: head.pageSize)
    bytes[PageSum.reserveOffset] = head.reserve
    return bytes
  }

  /// Writes pages of zeros where SQLite would leave a hole: without them nobody could tell a hole from a page that something else
  /// overwrote with zeros.
  private func fill(upTo number: Int) -> Int32 {
    let (result, size) = inner.size()
    guard result == SQLITE_OK else { return result }
    let count = layout.pageCount(fileSize: size)
    guard count < number else { return SQLITE_OK }
    return withUnsafeTemporaryAllocation(byteCount: layout.pageSize, alignment: 16) { page in
      page.initializeMemory(as: UInt8.self, repeating: 0)
      for hole in (count + 1)...number {
        let result = write(UnsafeRawBufferPointer(page), .page, place: hole, at: layout.pageStart(hole))
        guard result == SQLITE_OK else { return result }
      }
      return SQLITE_OK
    }
  }

  // MARK: The log

  private func readLog(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    guard let wanted = layout.logPart(offset: offset, count: target.count) else { return SealingCode.readFailure }
    var salts: UInt64 = 0
    if wanted != .head {
      let result = readSalts(&salts)
      guard result == SQLITE_OK else { return result }
    }
    let headSize = SealedLayout.frameHeadSize
    switch wanted {
    case .head: return inner.read(target, at: offset)
    case .page(let index):
      let sealed = part(layout.pageStride)
      let result = readPiece(sealed, target, at: layout.frameStart(index) + SealedLayout.framePageStart)
      guard result == SQLITE_OK else { return result }
      guard open(sealed, into: target, .framePage, place: index, salts: salts) else {
        return SealingFailures.note("frame \(index + 1) of the log is not what was written to it")
      }
    case .frameHead(let index, let range):
      let sealed = part(headSize + Seal.overhead)
      let result = readPiece(sealed, target, at: layout.frameStart(index))
      guard result == SQLITE_OK else { return result }
      withUnsafeTemporaryAllocation(byteCount: headSize, alignment: 8) { head in
        if !open(sealed, into: head, .frameHead, place: index, salts: salts) { Self.end(head, salts) }
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: head[range]))
      }
    case .frame(let index):
      let sealed = part(layout.frameStride)
      let result = readPiece(sealed, target, at: layout.frameStart(index))
      guard result == SQLITE_OK else { return result }
      let head = UnsafeMutableRawBufferPointer(rebasing: target[..<headSize])
      let page = UnsafeMutableRawBufferPointer(rebasing: target[headSize...])
      let sealedPage = UnsafeMutableRawBufferPointer(rebasing: sealed[SealedLayout.framePageStart...])
      if !open(sealed, into: head, .frameHead, place: index, salts: salts)
        || !open(sealedPage, into: page, .framePage, place: index, salts: salts)
      {
        Self.end(target, salts)
      }
    }
    return SQLITE_OK
  }

  /// Makes what was read a frame of another round, which ends the log: in playing it back, one that can't be opened is one that a
  /// process was killed or lost power in, or is left from an earlier round.
  private static func end(_ target: UnsafeMutableRawBufferPointer, _ salts: UInt64) {
    target.initializeMemory(as: UInt8.self, repeating: 0)
    target.storeBytes(of: ~salts, toByteOffset: 8, as: UInt64.self)
  }

  private func writeLog(_ source: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    guard let wanted = layout.logPart(offset: offset, count: source.count) else { return SealingCode.writeFailure }
    if wanted == .head { return inner.write(source, at: offset) }
    var salts: UInt64 = 0
    let result = readSalts(&salts)
    guard result == SQLITE_OK else { return result }
    switch wanted {
    case .head: return SQLITE_OK
    case .frameHead(let index, let range):
      guard range.count == SealedLayout.frameHeadSize else { return SealingCode.writeFailure }
      return write(source, .frameHead, place: index, salts: salts, at: layout.frameStart(index))
    case .page(let index):
      return write(
        source, .framePage, place: index, salts: salts, at: layout.frameStart(index) + SealedLayout.framePageStart)
    case .frame(let index):
      let head = UnsafeRawBufferPointer(rebasing: source[..<SealedLayout.frameHeadSize])
      let result = write(head, .frameHead, place: index, salts: salts, at: layout.frameStart(index))
      guard result == SQLITE_OK else { return result }
      let page = UnsafeRawBufferPointer(rebasing: source[SealedLayout.frameHeadSize...])
      return write(
        page, .framePage, place: index, salts: salts, at: layout.frameStart(index) + SealedLayout.framePageStart)
    }
  }

  /// The salts of the round that the log is in, from its head: another process may have begun a new one.
  private func readSalts(_ salts: inout UInt64) -> Int32 {
    withUnsafeMutableBytes(of: &salts) { inner.read($0, at: 16) }
  }

  /// Reads sealed bytes; where the file ends before them, `target` is zeros.
  private func readPiece(
    _ sealed: UnsafeMutableRawBufferPointer, _ target: UnsafeMutableRawBufferPointer, at start: Int
  ) -> Int32 {
    let result = inner.read(sealed, at: start)
    if result != SQLITE_OK { target.initializeMemory(as: UInt8.self, repeating: 0) }
    return result
  }

  // MARK: Pieces

  private func part(_ count: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: scratch[..<count])
  }

  private func open(
    _ sealed: UnsafeMutableRawBufferPointer, into plain: UnsafeMutableRawBufferPointer, _ kind: SealContext.Kind,
    place: Int, salts: UInt64 = 0
  ) -> Bool {
    guard let base = sealed.baseAddress else { return false }
    return context.with(kind, place, salts: salts) {
      Seal.open(UnsafeRawPointer(base), into: plain, context: $0, key: key.pages)
    }
  }

  private func write(
    _ plain: UnsafeRawBufferPointer, _ kind: SealContext.Kind, place: Int, salts: UInt64 = 0, at start: Int
  ) -> Int32 {
    let sealed = part(plain.count + Seal.overhead)
    guard let base = sealed.baseAddress else { return SealingCode.writeFailure }
    context.with(kind, place, salts: salts) { Seal.seal(plain, into: base, context: $0, key: key.pages) }
    return inner.write(UnsafeRawBufferPointer(sealed), at: start)
  }
}

/// Results that Swift doesn't import, or that are this file system's own.
enum SealingCode {
  static let shortRead = SQLITE_IOERR | (2 << 8)
  static let readFailure = SQLITE_IOERR | (1 << 8)
  static let writeFailure = SQLITE_IOERR | (3 << 8)
  /// A piece of a file can't be opened with the file's key: damage, by a number of its own.
  static let notAuthentic = SQLITE_CORRUPT | (83 << 8)
  /// There is no key in ``KeyRing`` for the file.
  static let noKey = SQLITE_AUTH
}

/// What could not be opened last, for the error that SQLite's number becomes.
enum SealingFailures {
  /// By the thread whose call of SQLite failed, which asks next: another connection's failure explains nothing here.
  private static let last = Mutex<[UInt: String]>([:])
  private static let most = 256

  /// - Returns: the result to give SQLite.
  static func note(_ words: String) -> Int32 {
    last.withLock { last in
      // Threads come and go, and their words with them.
      if last.count >= most { last.removeAll() }
      last[UInt(pthread_self())] = words
    }
    return SealingCode.notAuthentic
  }

  static func words() -> String? { last.withLock { $0[UInt(pthread_self())] } }
}

/// A file of another VFS, called as SQLite would.
extension UnsafeMutablePointer<sqlite3_file> {
  func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Int32 {
    pointee.pMethods?.pointee.xRead?(self, target.baseAddress, Int32(target.count), Int64(offset))
      ?? SealingCode.readFailure
  }

  func write(_ source: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
    pointee.pMethods?.pointee.xWrite?(self, source.baseAddress, Int32(source.count), Int64(offset))
      ?? SealingCode.writeFailure
  }

  func truncate(to size: Int) -> Int32 {
    pointee.pMethods?.pointee.xTruncate?(self, Int64(size)) ?? SealingCode.writeFailure
  }

  func size() -> (result: Int32, size: Int) {
    var size: Int64 = 0
    let result = pointee.pMethods?.pointee.xFileSize?(self, &size) ?? SealingCode.readFailure
    return (result, Int(size))
  }

  /// What it says of a result that it has closed the file.
  @discardableResult
  func close() -> Int32 {
    let result = pointee.pMethods?.pointee.xClose?(self) ?? SQLITE_OK
    pointee.pMethods = nil
    return result
  }
}
