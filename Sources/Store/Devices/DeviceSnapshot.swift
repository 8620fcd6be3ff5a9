import Glibc

/// A copy of a hub's file that a device is to have, on its way: proven as a backup is, and without what stays at the hub. The file has
/// no name that anybody would take for a practice, is readable by its owner only, and goes with this value.
public final class DeviceSnapshot: @unchecked Sendable {
  // Made whole by the initialiser, and only read from then on, through descriptors of each reader's own.
  private let file: PrivateFile
  /// BLAKE2b-256 of its bytes.
  public let digest: ContentHash
  public let byteCount: Int

  /// - Parameters:
  ///   - connection: to the hub's file; it is read as it is at one moment, while others go on writing.
  ///   - own: what the clone is to be.
  ///   - user: whose passphrase may open it; nil where the practice has no users.
  ///   - continuing: called between the steps, with what is done of what; what it throws ends it all.
  /// - Throws: ``StoreError``, ``Backup/Flaw``, or what `continuing` throws. Nothing is left behind.
  public init(
    of connection: Connection, as own: SyncSelf, user: Int64?, continuing: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    let made = try Backup.make(of: connection, in: FilePath.folder(of: connection.path), continuing: continuing)
    file = made.file
    try Clone.prepare(file.path, as: own, user: user)
    try file.synchronize()
    let problems = try Backup.proof(of: file.path)
    guard problems.isEmpty else { throw Backup.Flaw(problems: problems, isOfSource: false) }
    (digest, byteCount) = try FileBytes.digest(of: file.path)
  }

  /// Bytes from a place on, as many as `most`; none at the end.
  ///
  /// - Throws: ``StoreError`` where the disk can't be read.
  public func bytes(from offset: Int, most: Int) throws(StoreError) -> [UInt8] {
    guard offset >= 0, offset < byteCount else { return [] }
    return try FileBytes.withDescriptor(of: file.path) { descriptor throws(StoreError) in
      var bytes = [UInt8](repeating: 0, count: min(most, byteCount - offset))
      var done = 0
      while done < bytes.count {
        let count = bytes[done...].withUnsafeMutableBytes {
          pread(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .file("reading '\(file.path)'") }
        done += count
      }
      return bytes
    }
  }
}

/// A file that arrives in parts, beside the place where it will stand; it goes with this value unless it was put there.
public final class ArrivingFile {
  private let file: PrivateFile
  public private(set) var byteCount = 0

  /// - Parameter path: where it is to stand.
  /// - Throws: ``StoreError`` where no file can be made there.
  public init(for path: String) throws(StoreError) {
    file = try PrivateFile(in: FilePath.folder(of: FilePath.absolute(path)))
  }

  public var path: String { file.path }

  public func append(_ bytes: [UInt8]) throws(StoreError) {
    try file.append(bytes)
    byteCount += bytes.count
  }

  /// Whether all of it is what was sent.
  public func isWhole(_ digest: ContentHash) throws(StoreError) -> Bool {
    try file.synchronize()
    return try FileBytes.digest(of: file.path).digest == digest
  }

  /// What is wrong with it as a practice file; empty where nothing is.
  public func problems() throws(StoreError) -> [String] { try Backup.proof(of: file.path) }

  /// Puts it in its place in one step. Nobody has it open.
  ///
  /// - Throws: ``StoreError`` with `alreadyExists` where something stands there.
  public func put(at target: String) throws(StoreError) {
    guard Glibc.access(target, F_OK) != 0 else { throw StoreError(.alreadyExists, context: target) }
    try file.synchronize()
    try file.put(at: target)
  }
}
