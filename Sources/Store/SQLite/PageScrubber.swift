import CSQLite
import Glibc
import Synchronization

/// Clears, in every page on its way into the file, the room between the list of cells and the cells, and puts the page's
/// ``PageSum`` behind it.
///
/// `secure_delete` overwrites a row that is deleted, but not the copies of it that stay behind when SQLite moves rows
/// from a page to its neighbours: they lie in room that counts as unused, below the first cell (SQLite 3.40.1; found by
/// the canary test, where one change in some hundreds left a copy). Nothing reads that room, so that clearing it changes
/// nothing else. In write-ahead mode pages reach the file through this one function, in a checkpoint, whichever process
/// wrote them; the log, which may hold copies until then, is emptied as ``Connection/markRemovedText()`` says.
///
/// - Source: <https://www.sqlite.org/fileformat2.html#b_tree_pages>
enum PageScrubber {
  /// Puts itself between a database and its file.
  ///
  /// A `sqlite3_file` begins with a pointer to its functions, put there for every file by the VFS that opened it. This
  /// one gets the same functions with another `xWrite`; a VFS of our own would forward twenty calls to do as much.
  static func install(on database: OpaquePointer) throws(StoreError) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard result == SQLITE_OK, let file, let original = file.pointee.pMethods else {
      throw StoreError(.cannotOpen, resultCode: result, context: "reaching the file behind a connection")
    }
    file.pointee.pMethods = UnsafePointer(methods(replacing: original))
  }

  /// The tables of functions made so far, by the address of the original. There is one for each VFS in use, and they
  /// stay for as long as the process: a connection may outlive whoever opened it.
  private static let tables = Mutex<[UInt: UInt]>([:])

  private static func methods(
    replacing original: UnsafePointer<sqlite3_io_methods>
  ) -> UnsafeMutablePointer<sqlite3_io_methods> {
    let address = tables.withLock { tables in
      let key = UInt(bitPattern: original)
      if let known = tables[key] { return known }
      // The original's address lies behind the table, where `write` finds it.
      let block = UnsafeMutableRawPointer.allocate(
        byteCount: originalOffset + MemoryLayout<UInt>.size, alignment: MemoryLayout<sqlite3_io_methods>.alignment)
      var methods = original.pointee
      // A newer library may have more functions than this table has room for.
      methods.iVersion = min(methods.iVersion, 3)
      methods.xWrite = { file, bytes, count, offset in PageScrubber.write(file, bytes, count, offset) }
      block.initializeMemory(as: sqlite3_io_methods.self, to: methods)
      block.storeBytes(of: key, toByteOffset: originalOffset, as: UInt.self)
      tables[key] = UInt(bitPattern: block)
      return UInt(bitPattern: block)
    }
    // The address of the block that was allocated above: never zero.
    guard let pointer = UnsafeMutablePointer<sqlite3_io_methods>(bitPattern: address) else {
      preconditionFailure("a table of functions at address 0")
    }
    return pointer
  }

  private static let originalOffset = MemoryLayout<sqlite3_io_methods>.stride

  private static func write(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    guard let file, let bytes, let table = file.pointee.pMethods,
      let original = UnsafePointer<sqlite3_io_methods>(
        bitPattern: UnsafeRawPointer(table).load(fromByteOffset: originalOffset, as: UInt.self)),
      let write = original.pointee.xWrite
    else { return writeFailure }
    let page = UnsafeRawBufferPointer(start: bytes, count: Int(count))
    guard isPage(page.count) else { return write(file, bytes, count, offset) }
    let hasSum = reservesSum(page, file, original, offset)
    let unused = unusedRange(of: page, isFirst: offset == 0)
    guard hasSum || unused != nil else { return write(file, bytes, count, offset) }
    return withUnsafeTemporaryAllocation(byteCount: page.count, alignment: 16) { copy in
      copy.copyMemory(from: page)
      if let unused, let start = copy.baseAddress { memset(start + unused.lowerBound, 0, unused.count) }
      if hasSum {
        let sum = PageSum.sum(of: UnsafeRawBufferPointer(copy), number: UInt64(offset) / UInt64(page.count) + 1)
        copy.storeBytes(of: sum, toByteOffset: page.count - PageSum.byteCount, as: UInt64.self)
      }
      return write(file, copy.baseAddress, count, offset)
    }
  }

  /// Whether so many bytes are a page of SQLite's.
  private static func isPage(_ count: Int) -> Bool { count >= 512 && count & (count - 1) == 0 }

  /// Whether the file leaves room for checksums: its first page says so, which is written before all others, in a new file and
  /// in a checkpoint alike.
  private static func reservesSum(
    _ page: UnsafeRawBufferPointer, _ file: UnsafeMutablePointer<sqlite3_file>,
    _ original: UnsafePointer<sqlite3_io_methods>, _ offset: Int64
  ) -> Bool {
    if offset == 0 { return page[PageSum.reserveOffset] == PageSum.byteCount }
    var reserve: UInt8 = 0
    guard let read = original.pointee.xRead else { return false }
    return read(file, &reserve, 1, Int64(PageSum.reserveOffset)) == SQLITE_OK && reserve == PageSum.byteCount
  }

  /// `SQLITE_IOERR_WRITE`, a macro that Swift doesn't import.
  private static let writeFailure = SQLITE_IOERR | (3 << 8)

  /// Where a page holds nothing; nil when it is no page of a b-tree.
  ///
  /// A b-tree page begins with 2, 5, 10 or 13; the first page with it after the file's own head of 100 bytes. Other pages
  /// (overflow and free ones) begin with a page number of four bytes, whose first is 0 in files of less than 256 GB.
  static func unusedRange(of page: UnsafeRawBufferPointer, isFirst: Bool) -> Range<Int>? {
    guard isPage(page.count) else { return nil }
    let head = isFirst ? 100 : 0
    let isInner: Bool
    switch page[head] {
    case 2, 5: isInner = true
    case 10, 13: isInner = false
    default: return nil
    }
    func number(at offset: Int) -> Int { Int(page[head + offset]) << 8 | Int(page[head + offset + 1]) }
    let cellCount = number(at: 3)
    // 0 stands for 65536, which two bytes can't hold.
    let contentStart = number(at: 5) == 0 ? 65536 : number(at: 5)
    let listEnd = head + (isInner ? 12 : 8) + 2 * cellCount
    guard listEnd <= contentStart, contentStart <= page.count else { return nil }
    return listEnd..<contentStart
  }
}
