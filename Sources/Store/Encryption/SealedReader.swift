import Glibc

/// Reads a sealed file as it lies on disk, without SQLite: also one that SQLite can't open. For a file that this process has not open;
/// its log is not looked at.
final class SealedReader {
  private let descriptor: Int32
  private let layout: SealedLayout
  private let key: FileKey
  private var context: SealContext
  private let scratch: UnsafeMutableRawBufferPointer
  /// The length of the pages together, as SQLite sees the file.
  let byteCount: Int

  /// Nil where the file is a plain one. The descriptor stays the caller's.
  ///
  /// - Throws: ``StoreError`` with `keyNeeded` when its key is not in ``KeyRing``, `corrupt` when its head is damaged.
  init?(descriptor: Int32, fileSize: Int) throws(StoreError) {
    var region = [UInt8](repeating: 0, count: SealedHead.regionSize)
    let count = max(0, pread(descriptor, &region, region.count, 0))
    guard SealedHead.hasMagic(region) || SealedHead.hasMagic(region[SealedHead.copySize...]),
      count >= SealedHead.magic.count
    else { return nil }
    let head = try SealedHead(region: region)
    guard let key = KeyRing.key(head.keyID) else { throw StoreError(.keyNeeded, context: "reading an encrypted file") }
    self.descriptor = descriptor
    self.key = key
    layout = SealedLayout(pageSize: head.pageSize)
    context = SealContext(fileID: head.fileID)
    scratch = .allocate(byteCount: layout.pageStride, alignment: 16)
    byteCount = layout.pageCount(fileSize: fileSize) * layout.pageSize
  }

  deinit { scratch.deallocate() }

  /// Fills `target` with what was sealed.
  ///
  /// - Returns: false when any page of it can't be read or opened.
  func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int) -> Bool {
    let page = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.pageSize, alignment: 16)
    defer { page.deallocate() }
    var done = 0
    while done < target.count {
      let (index, within) = (offset + done).quotientAndRemainder(dividingBy: layout.pageSize)
      guard readPage(index + 1, into: page) else { return false }
      let count = min(target.count - done, layout.pageSize - within)
      UnsafeMutableRawBufferPointer(rebasing: target[done..<(done + count)]).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: page[within..<(within + count)]))
      done += count
    }
    return true
  }

  private func readPage(_ number: Int, into page: UnsafeMutableRawBufferPointer) -> Bool {
    guard pread(descriptor, scratch.baseAddress, scratch.count, layout.pageStart(number)) == scratch.count,
      let base = scratch.baseAddress
    else { return false }
    return context.with(.page, number) { Seal.open(UnsafeRawPointer(base), into: page, context: $0, key: key.pages) }
  }
}
