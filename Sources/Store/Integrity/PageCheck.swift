import Glibc

/// The pages of a practice file, compared with their checksums.
public struct PageCheck: Hashable, Sendable {
  /// False for a file that was made before there were any; see ``Connection/addPageSums()``.
  public let isCovered: Bool
  public let pageCount: Int
  /// The numbers, from 1, of pages that are not as they were written.
  public let alteredPages: [Int]

  /// Reads the file as it lies on disk, without SQLite: also one that SQLite can't open.
  ///
  /// A page that another process writes meanwhile is read again. Pages that lie in the write-ahead log are not looked at: the log
  /// has checksums of its own, which SQLite minds.
  ///
  /// - Throws: ``StoreError`` when the file can't be read.
  /// - Complexity: reads the file once.
  public init(path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError(.cannotOpen, context: path) }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 100)
    guard pread(descriptor, &head, head.count, 0) == head.count else {
      throw StoreError(.notAPracticeFile, context: path)
    }
    let size = Int(head[16]) << 8 | Int(head[17])
    let pageSize = size == 1 ? 65536 : size
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StoreError(.cannotOpen, context: path) }
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0, head[PageSum.reserveOffset] == PageSum.byteCount else {
      isCovered = false
      pageCount = 0
      alteredPages = []
      return
    }
    isCovered = true
    let count = Int(status.st_size) / pageSize
    pageCount = count
    var altered: [Int] = []
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize * Self.pagesAtOnce, alignment: 16)
    defer { block.deallocate() }
    var first = 0
    while first < count {
      let wanted = min(Self.pagesAtOnce, count - first)
      let read = pread(descriptor, block.baseAddress, wanted * pageSize, first * pageSize)
      for place in 0..<wanted {
        let range = (place * pageSize)..<((place + 1) * pageSize)
        let number = first + place + 1
        if range.upperBound <= max(0, read), Self.isSound(UnsafeRawBufferPointer(rebasing: block[range]), number) {
          continue
        }
        if !Self.becomesSound(number, descriptor, pageSize) { altered.append(number) }
      }
      first += wanted
    }
    alteredPages = altered
  }

  private static let pagesAtOnce = 64

  /// Whether the pages of a file have room for checksums; true for none that can't be read.
  static func reserves(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var bytes: UInt8 = 0
    guard pread(descriptor, &bytes, 1, PageSum.reserveOffset) == 1 else { return true }
    return bytes == PageSum.byteCount
  }

  /// A page of zeros was never written: SQLite leaves such holes for pages that were freed before they were used.
  private static func isSound(_ page: UnsafeRawBufferPointer, _ number: Int) -> Bool {
    let stored = PageSum.stored(in: page)
    if stored == PageSum.sum(of: page, number: UInt64(number)) { return true }
    return stored == 0 && page.allSatisfy { $0 == 0 }
  }

  /// Whether a page was only being written when it was read.
  private static func becomesSound(_ number: Int, _ descriptor: Int32, _ pageSize: Int) -> Bool {
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: pageSize, alignment: 16)
    defer { page.deallocate() }
    for pause: UInt32 in [0, 2000, 20000] {
      usleep(pause)
      if pread(descriptor, page.baseAddress, pageSize, (number - 1) * pageSize) == pageSize,
        isSound(UnsafeRawBufferPointer(page), number)
      {
        return true
      }
    }
    return false
  }
}

extension Connection {
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
    guard !PageCheck.reserves(path) else { return }
    try reserveBytes()
    try compact()
  }
}
