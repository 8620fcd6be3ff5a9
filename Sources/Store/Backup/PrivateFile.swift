import CSodium
import Glibc

/// A file that is being made under a name of its own, beside the place where it will stand: nobody finds it half done.
///
/// It is readable by its owner only, locked for as long as it is being made, and gone with its value unless it was put in place.
/// What a killed process left behind is removed by the next that makes one in the same folder.
final class PrivateFile {
  let path: String
  private let descriptor: Int32
  private var isInPlace = false

  /// Makes an empty file in a folder.
  ///
  /// - Parameters:
  ///   - folder: where it is made.
  ///   - removesAbandoned: whether what killed processes left there goes first. Not where many processes make files at the same
  ///     time: one that is made and not yet locked would be taken for such.
  /// - Throws: ``StoreError`` with `cannotOpen` or `diskFull`, naming the folder.
  init(in folder: String, removesAbandoned: Bool = true) throws(StoreError) {
    if removesAbandoned { Self.removeAbandoned(in: folder) }
    var name = Array("\(folder)/\(Self.prefix)XXXXXX".utf8CString)
    // Made with mode 0600.
    descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw .file("making a file in '\(folder)'") }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // SQLite locks ranges by process; this lock is another kind, which it neither sees nor releases.
    flock(descriptor, LOCK_EX | LOCK_NB)
  }

  deinit {
    for suffix in Self.suffixes where !(isInPlace && suffix.isEmpty) { unlink(path + suffix) }
    close(descriptor)
  }

  /// Replaces what it holds by a copy of another file.
  ///
  /// - Returns: the hash and the length of what was copied.
  @discardableResult
  func copy(from source: String) throws(StoreError) -> (digest: ContentHash, byteCount: Int) {
    try FileBytes.withDescriptor(of: source) { descriptor throws(StoreError) in
      try copy(from: descriptor, named: source)
    }
  }

  /// ``copy(from:)`` of a file that is open.
  @discardableResult
  func copy(
    from source: Int32, named name: String
  ) throws(StoreError) -> (digest: ContentHash, byteCount: Int) {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw .file("emptying '\(path)'") }
    let descriptor = descriptor
    let path = path
    return try FileBytes.forEach(of: source, named: name) { block throws(StoreError) in
      var rest = block
      while !rest.isEmpty {
        let count = write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .file("writing '\(path)'") }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  /// Adds bytes to what it holds.
  func append(_ bytes: [UInt8]) throws(StoreError) {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .file("writing '\(path)'") }
      done += count
    }
  }

  /// Brings what was written to the disk.
  func synchronize() throws(StoreError) {
    guard fsync(descriptor) == 0 else { throw .file("writing '\(path)' to the disk") }
  }

  /// Gives it another name, in one step, in place of a file that has it.
  ///
  /// - Precondition: it was synchronized, and no connection has it open.
  func put(at target: String) throws(StoreError) {
    guard rename(path, target) == 0 else { throw .file("putting '\(target)' in place") }
    isInPlace = true
    try Folder.synchronize(FilePath.folder(of: target))
  }

  private static let prefix = ".vetnet-partial-"
  private static let suffixes = ["", "-wal", "-shm", "-journal"]

  private static func removeAbandoned(in folder: String) {
    for name in Folder.names(in: folder) where name.hasPrefix(prefix) && name.count == prefix.count + 6 {
      let path = "\(folder)/\(name)"
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      // Whoever makes one holds its lock.
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { continue }
      for suffix in suffixes { unlink(path + suffix) }
    }
  }
}

/// A file that is written in portions and stands in its place when all of it is there.
public final class PortionFile {
  private let file: PrivateFile
  private let target: String

  public init(_ target: String) throws(StoreError) {
    file = try PrivateFile(in: FilePath.folder(of: target), removesAbandoned: false)
    self.target = target
  }

  public func append(_ bytes: [UInt8]) throws(StoreError) { try file.append(bytes) }

  /// Puts it in place. One that is dropped without leaves nothing.
  public func finish() throws(StoreError) {
    try file.synchronize()
    try file.put(at: target)
  }
}

/// The bytes of a file as they lie on disk, without SQLite.
public enum FileBytes {
  /// BLAKE2b-256 of a file, and its length.
  ///
  /// - Complexity: reads the file once.
  public static func digest(of path: String) throws(StoreError) -> (digest: ContentHash, byteCount: Int) {
    try withDescriptor(of: path) { descriptor throws(StoreError) in
      try forEach(of: descriptor, named: path) { _ throws(StoreError) in }
    }
  }

  /// Puts a file with these bytes in place, whole or not at all.
  public static func write(_ bytes: [UInt8], to path: String) throws(StoreError) {
    let file = try PrivateFile(in: FilePath.folder(of: path), removesAbandoned: false)
    try file.append(bytes)
    try file.synchronize()
    try file.put(at: path)
  }

  /// Whether two paths name one file.
  public static func areSame(_ first: String, _ second: String) -> Bool {
    var (a, b) = (stat(), stat())
    return stat(first, &a) == 0 && stat(second, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino
  }

  /// The length of a file; nil where there is none.
  public static func count(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Opens a file for reading. This process must have no connection to it: closing the descriptor would take its locks away.
  static func withDescriptor<Result>(
    of path: String, _ body: (Int32) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("reading '\(path)'") }
    defer { close(descriptor) }
    return try body(descriptor)
  }

  /// Goes through a file in blocks, from the disk rather than from what the system remembers of it.
  static func forEach(
    of descriptor: Int32, named path: String, _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) -> (digest: ContentHash, byteCount: Int) {
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .file("reading '\(path)'") }
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { block.deallocate() }
    let hash = StreamedHash()
    var total = 0
    while true {
      let count = read(descriptor, block.baseAddress, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .file("reading '\(path)'") }
      if count == 0 { break }
      let bytes = UnsafeRawBufferPointer(rebasing: block[..<count])
      hash.append(bytes)
      try body(bytes)
      total += count
    }
    return (hash.finish(), total)
  }
}

/// What is done to a folder, for a change of its names to be kept.
public enum Folder {
  /// Brings the names in a folder to the disk: a rename is not kept before.
  static func synchronize(_ path: String) throws(StoreError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("opening the folder '\(path)'") }
    defer { close(descriptor) }
    // Some file systems have nothing to bring there.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .file("writing the folder '\(path)' to the disk") }
  }

  /// The names in a folder, in no order; none where it can't be read.
  public static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        })
    }
    return names
  }

  /// Deletes a file, and brings that to the disk.
  public static func remove(_ path: String) throws(StoreError) {
    guard unlink(path) == 0 else { throw .file("deleting '\(path)'") }
    try synchronize(FilePath.folder(of: path))
  }

  public static func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

/// Paths as words.
public enum FilePath {
  /// What stands before the last `/`; `.` where there is none.
  public static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  public static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// The path from the root; its folder has to be there.
  public static func absolute(_ path: String) -> String {
    guard let resolved = realpath(folder(of: path), nil) else { return path }
    defer { free(resolved) }
    let folder = String(cString: resolved)
    return (folder == "/" ? "" : folder) + "/" + name(of: path)
  }
}

/// BLAKE2b-256 of bytes that come in portions.
struct StreamedHash: ~Copyable {
  private let state: UnsafeMutableRawPointer
  private var handle: OpaquePointer { OpaquePointer(state) }

  init() {
    state = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
    crypto_generichash_init(handle, nil, 0, 32)
  }

  deinit { state.deallocate() }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    crypto_generichash_update(handle, base.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
  }

  /// To be called once, when all is there.
  func finish() -> ContentHash {
    var hash = [UInt8](repeating: 0, count: 32)
    crypto_generichash_final(handle, &hash, hash.count)
    return ContentHash(stored: hash)
  }
}

extension StoreError {
  /// What `errno` says of a call that failed.
  static func file(_ context: String) -> Self {
    let number = errno
    let code: Code =
      switch number {
      case ENOSPC, EDQUOT, EFBIG, EIO: .diskFull
      case ENOENT: .notFound
      default: .cannotOpen
      }
    return StoreError(code, context: "\(context): \(String(cString: strerror(number)))")
  }
}
