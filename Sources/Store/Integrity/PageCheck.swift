import CSQLite
import Glibc

/// The pages of a practice file, compared with their checksums.
public struct PageCheck: Hashable, Sendable {
  /// False for a file that was made before there were any; see ``Connection/addPageSums()``.
  public let isCovered: Bool
  public let pageCount: Int
  /// The numbers, from 1, of pages that are not as they were written.
  public let alteredPages: [Int]

  /// Reads a file that this process has not open as it lies on disk, without SQLite: also one that SQLite can't open.
  ///
  /// Not one that it has open: the system takes the locks of all of a process's connections to a file away when any descriptor of it
  /// is closed. There is ``Connection/pageCheck()`` for that.
  ///
  /// - Throws: ``StoreError`` when the file can't be read.
  /// - Complexity: reads the file once.
  public init(path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(.cannotOpen, context: path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StoreError(.cannotOpen, context: path) }
    if let reader = try SealedReader(descriptor: descriptor, fileSize: Int(status.st_size)) {
      try self.init(byteCount: reader.byteCount) { block, offset in reader.read(block, at: offset) }
      return
    }
    try self.init(byteCount: Int(status.st_size)) { block, offset in
      pread(descriptor, block.baseAddress, block.count, offset) == block.count
    }
  }

  /// A page that another process writes meanwhile is read again. Pages that lie in the write-ahead log are not looked at: the log
  /// has checksums of its own, which SQLite minds.
  /// `read` fills a block from an offset, and is false when it can't be filled.
  fileprivate init(
    byteCount: Int, reading read: (UnsafeMutableRawBufferPointer, Int) -> Bool
  ) throws(StoreError) {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { block.deallocate() }
    guard byteCount >= 100, read(UnsafeMutableRawBufferPointer(rebasing: block[..<100]), 0) else {
      throw StoreError(.notAPracticeFile, context: "reading the head of a file")
    }
    let size = Int(block[16]) << 8 | Int(block[17])
    let pageSize = size == 1 ? 65536 : size
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, block[PageSum.reserveOffset] == PageSum.byteCount else {
      isCovered = false
      pageCount = 0
      alteredPages = []
      return
    }
    isCovered = true
    let count = byteCount / pageSize
    pageCount = count
    var altered: [Int] = []
    var first = 0
    while first < count {
      let wanted = min(block.count / pageSize, count - first)
      let isRead = read(UnsafeMutableRawBufferPointer(rebasing: block[..<(wanted * pageSize)]), first * pageSize)
      for place in 0..<wanted {
        let range = (place * pageSize)..<((place + 1) * pageSize)
        let number = first + place + 1
        if isRead, Self.isSound(UnsafeRawBufferPointer(rebasing: block[range]), number) { continue }
        if !Self.becomesSound(number, pageSize, read) { altered.append(number) }
      }
      first += wanted
    }
    alteredPages = altered
  }

  fileprivate func leavingOut(_ pages: Set<Int>) -> Self {
    Self(isCovered: isCovered, pageCount: pageCount, alteredPages: alteredPages.filter { !pages.contains($0) })
  }

  private init(isCovered: Bool, pageCount: Int, alteredPages: [Int]) {
    self.isCovered = isCovered
    self.pageCount = pageCount
    self.alteredPages = alteredPages
  }

  /// A page of zeros was never written: SQLite leaves such holes for pages that were freed before they were used.
  private static func isSound(_ page: UnsafeRawBufferPointer, _ number: Int) -> Bool {
    let stored = PageSum.stored(in: page)
    if stored == PageSum.sum(of: page, number: UInt64(number)) { return true }
    return stored == 0 && page.allSatisfy { $0 == 0 }
  }

  /// Whether a page was only being written when it was read.
  private static func becomesSound(
    _ number: Int, _ pageSize: Int, _ read: (UnsafeMutableRawBufferPointer, Int) -> Bool
  ) -> Bool {
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 16)
    defer { page.deallocate() }
    for pause: UInt32 in [0, 2000, 20000] {
      usleep(pause)
      if read(page, (number - 1) * pageSize), isSound(UnsafeRawBufferPointer(page), number) { return true }
    }
    return false
  }
}

extension Connection {
  /// Compares the pages of the file with their checksums, as they lie on disk, through the descriptor that SQLite has open.
  ///
  /// - Complexity: reads the file once.
  public func pageCheck() throws(StoreError) -> PageCheck {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var byteCount: Int64 = 0
    let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard result == SQLITE_OK, let file, let methods = file.pointee.pMethods, let read = methods.pointee.xRead,
      let size = methods.pointee.xFileSize, size(file, &byteCount) == SQLITE_OK
    else { throw StoreError(.cannotOpen, resultCode: result, context: "reaching the file behind a connection") }
    let check = try PageCheck(byteCount: Int(byteCount)) { block, offset in
      read(file, block.baseAddress, Int32(block.count), Int64(offset)) == SQLITE_OK
    }
    guard !check.alteredPages.isEmpty else { return check }
    // A checkpoint that was broken off leaves half of a page; the whole one is in the log, where it is read from.
    return check.leavingOut(sealedFile == nil ? Self.pages(inLogOf: path) : pagesInSealedLog())
  }

  /// The numbers of the pages that stand in the write-ahead log since it was last begun.
  ///
  /// - Source: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>
  private static func pages(inLogOf path: String) -> Set<Int> {
    // SQLite holds no locks on the log, which may be opened and closed.
    let descriptor = Glibc.open(path + "-wal", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 32)
    guard pread(descriptor, &head, 32, 0) == 32 else { return [] }
    func number(_ bytes: [UInt8], at offset: Int) -> Int {
      bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    let pageSize = number(head, at: 8)
    var pages: Set<Int> = []
    var frame = [UInt8](repeating: 0, count: 24)
    var offset = 32
    // The salt tells frames of this round from those of the one before.
    while pread(descriptor, &frame, 24, offset) == 24, frame[8..<16] == head[16..<24], pageSize > 0 {
      pages.insert(number(frame, at: 0))
      offset += 24 + pageSize
    }
    return pages
  }

  /// Whether pages have room for checksums.
  var reservesSums: Bool {
    // Asking with a negative number changes nothing.
    var count: Int32 = -1
    let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
    return result == SQLITE_OK && count == PageSum.byteCount
  }

  /// The tables that pages belong to: an index counts as its table. Pages that belong to none are free.
  ///
  /// - Complexity: reads every page of the file.
  public func tables(ofPages pages: [Int]) throws(StoreError) -> [Int: String] {
    let wanted = Set(pages)
    let owners = Dictionary(
      try rows("SELECT name, tbl_name FROM sqlite_schema", read: { ($0.text(0), $0.text(1)) }),
      uniquingKeysWith: { first, _ in first })
    var tables: [Int: String] = [:]
    try withStatement("SELECT pageno, name FROM dbstat") { statement throws(StoreError) in
      while try statement.step() {
        let page = statement.int(0)
        guard wanted.contains(page) else { continue }
        let name = statement.text(1)
        tables[page] = owners[name] ?? name
      }
    }
    return tables
  }

  /// Gives a file from before there were checksums of pages room for them, and every page its own. Done by whoever opens such a
  /// file for writing; nothing happens while somebody else has it open.
  ///
  /// - Complexity: as ``compact()``.
  public func addPageSums() throws(StoreError) {
    guard !reservesSums else { return }
    try reserveBytes()
    try compact()
  }
}
