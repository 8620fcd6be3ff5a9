/// Where the bytes that SQLite reads and writes lie in a sealed file.
///
/// The practice file: the head, then each page with ``Seal/overhead`` bytes before it. The log: SQLite's 32 bytes, which say nothing of the
/// content, as they are; then for each frame its head (24 bytes, among them a checksum of the page) and the page, each sealed by itself,
/// for SQLite writes them one by one and later either of them again.
///
/// - Source: <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>
struct SealedLayout {
  static let logHeadSize = 32
  static let frameHeadSize = 24

  let pageSize: Int

  /// A sealed page's bytes.
  var pageStride: Int { pageSize + Seal.overhead }
  /// A frame's as SQLite sees it.
  var frameSize: Int { pageSize + Self.frameHeadSize }
  /// A sealed frame's.
  var frameStride: Int { frameSize + 2 * Seal.overhead }
  /// Where in a sealed frame the page begins.
  static let framePageStart = frameHeadSize + Seal.overhead

  /// Where a page, from 1, begins.
  func pageStart(_ number: Int) -> Int { SealedHead.regionSize + (number - 1) * pageStride }

  /// How many whole pages a file of so many bytes has.
  func pageCount(fileSize: Int) -> Int { max(0, fileSize - SealedHead.regionSize) / pageStride }

  /// Where a frame, from 0, begins.
  func frameStart(_ index: Int) -> Int { Self.logHeadSize + index * frameStride }

  /// The length of a log as SQLite sees it; a frame that isn't whole doesn't count.
  func logSize(fileSize: Int) -> Int {
    guard fileSize > Self.logHeadSize else { return fileSize }
    return Self.logHeadSize + (fileSize - Self.logHeadSize) / frameStride * frameSize
  }

  /// What a part of a log is.
  enum LogPart: Equatable {
    /// Of the log's own head.
    case head
    /// So many bytes of the head of a frame.
    case frameHead(Int, Range<Int>)
    case page(Int)
    case frame(Int)
  }

  /// What SQLite means by a range of the log; nil for a range that it never reads or writes.
  func logPart(offset: Int, count: Int) -> LogPart? {
    guard offset >= Self.logHeadSize else { return offset + count <= Self.logHeadSize ? .head : nil }
    let (index, within) = (offset - Self.logHeadSize).quotientAndRemainder(dividingBy: frameSize)
    if within + count <= Self.frameHeadSize { return .frameHead(index, within..<(within + count)) }
    switch (within, count) {
    case (Self.frameHeadSize, pageSize): return .page(index)
    case (0, frameSize): return .frame(index)
    default: return nil
    }
  }
}

/// What is authenticated with a sealed piece, so that it can't stand anywhere else: its kind, the file, its place, and for the log the
/// salts of the round that it belongs to.
struct SealContext {
  enum Kind: UInt64 {
    case page = 1
    case frameHead = 2
    case framePage = 3
  }

  /// Kind 8 bytes, file 16, place 8, salts 8.
  private var bytes: (UInt64, UInt64, UInt64, UInt64, UInt64)

  init(fileID: [UInt8]) {
    bytes = (0, Little.number(fileID[0..<8]).littleEndian, Little.number(fileID[8..<16]).littleEndian, 0, 0)
  }

  mutating func with<Result>(
    _ kind: Kind, _ place: Int, salts: UInt64 = 0, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    bytes.0 = kind.rawValue.littleEndian
    bytes.3 = UInt64(place).littleEndian
    bytes.4 = salts
    return withUnsafeBytes(of: bytes, body)
  }
}
