import FoundationEssentials
import Glibc
import VetNet

/// Where a job keeps what is done: its goal, the plan of its present round, and a file for each part that is finished. Whoever is killed goes
/// on from there. One driver at a time works in it.
public final class StateFolder {
  public let path: String
  private let lock: Int32

  /// Takes a folder, which is made where there is none.
  ///
  /// - Throws: ``VetNet/PracticeError`` with `locked`, naming the process, while another driver has it.
  public init(_ path: String) throws {
    try Self.make(path)
    self.path = path
    let file = "\(path)/lock"
    lock = Glibc.open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw PracticeError(.failed, "can't write in '\(path)'") }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      let holder = (try? FileContents.bytes(file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      close(lock)
      throw PracticeError(
        .locked, "this job is being done already\(holder.isEmpty ? "" : ", by process \(holder)"): '\(path)'",
        hint: "Maybe wait for it; a job whose process is gone is taken up by starting it again.")
    }
    let own = Array("\(getpid())".utf8)
    _ = ftruncate(lock, 0)
    _ = own.withUnsafeBytes { write(lock, $0.baseAddress, $0.count) }
    try Self.make(partsPath)
  }

  deinit { close(lock) }

  public var partsPath: String { "\(path)/parts" }

  static func make(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw PracticeError(.failed, "can't make the folder '\(path)'")
    }
  }

  /// Writes a shard's part whole, under a name that says what it holds.
  ///
  /// - Returns: its path.
  static func keep(_ part: [UInt8], of shard: Int, plan: String, in folder: String) throws -> String {
    let file = "\(folder)/\(prefix(plan, shard))\(FileContents.digest(part)).part"
    try FileContents.write(part, to: file)
    return file
  }

  private static func prefix(_ plan: String, _ shard: Int) -> String { "\(plan)-\(shard)-" }

  /// The parts of a plan that are there and whole, by shard; what is cut off or altered is taken away.
  func finished(plan: String, shardCount: Int) -> [Int: String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: partsPath)) ?? []
    var found: [Int: String] = [:]
    for name in names.sorted() where name.hasPrefix("\(plan)-") && name.hasSuffix(".part") {
      let words = name.dropLast(5).split(separator: "-").map(String.init)
      guard words.count == 3, let shard = Int(words[1]), (0..<shardCount).contains(shard) else { continue }
      let file = "\(partsPath)/\(name)"
      if let bytes = try? FileContents.bytes(file), FileContents.digest(bytes) == words[2] {
        found[shard] = file
      } else {
        unlink(file)
      }
    }
    return found
  }

  /// Takes away the parts of rounds that are over.
  func removeParts() {
    try? FileManager.default.removeItem(atPath: partsPath)
    try? Self.make(partsPath)
  }

  /// Takes everything away: the job is done.
  public func remove() {
    try? FileManager.default.removeItem(atPath: path)
    // The folder that jobs are kept in by themselves, where this was the last.
    if let slash = path.lastIndex(of: "/"), path[..<slash].hasSuffix("/.vetnet-network") {
      rmdir(String(path[..<slash]))
    }
  }
}
