import FoundationEssentials
import VetNet

/// A job with its shards, as a file: what every worker of it reads, whichever engine starts it.
public struct JobPlan: Codable, Sendable {
  /// The version of the program that made it, which all workers must have.
  public let program: String
  public let job: NetworkJob
  public let shards: [Shard]
  /// What the plan is a round of.
  let progress: NetworkProgress?

  public static let fileName = "plan.json"

  init(_ job: NetworkJob, shards: [Shard], progress: NetworkProgress? = nil) {
    program = VetNetVersion.current
    self.job = job
    self.shards = shards
    self.progress = progress
  }

  /// The plan in a folder, its files found there.
  ///
  /// - Throws: ``VetNet/PracticeError`` where it can't be read, or is of another version of the program: both are named.
  public init(in folder: String) throws {
    let read: JobPlan = try JSONPart.value(FileContents.bytes("\(folder)/\(Self.fileName)"))
    try Self.check(read.program, of: "the job")
    self.init(read.job.resolved(in: folder), shards: read.shards, progress: read.progress)
  }

  /// - Throws: ``VetNet/PracticeError`` where another version of the program is meant.
  static func check(_ program: String, of owner: String) throws {
    guard program != VetNetVersion.current else { return }
    throw PracticeError(
      .failed, "\(owner) is of VetNet \(program), and this program is VetNet \(VetNetVersion.current)",
      hint: "Install one version on all machines of the cluster.")
  }

  func write(in folder: String) throws {
    try FileContents.write(try JSONPart.bytes(self), to: "\(folder)/\(Self.fileName)")
  }

  /// Tells the plan in a folder from every other: parts belong to one.
  static func digest(in folder: String) throws -> String {
    String(FileContents.digest(try FileContents.bytes("\(folder)/\(fileName)")).prefix(16))
  }

  // MARK: - Portions of large practices

  /// Where the portions of a practice lie. The name is a digest: two practices may have one file name.
  static func portions(of shard: Shard, in folder: String) -> String {
    "\(folder)/\(FileContents.digest(Array((shard.practice ?? shard.name).utf8)).prefix(16))"
  }

  /// The file of a portion, its folder made: names in the order of the notes.
  static func portionFile(of shard: Shard, in folder: String) throws -> String {
    let own = portions(of: shard, in: folder)
    try StateFolder.make(own)
    let digits = String(shard.after ?? 0)
    return "\(own)/\(String(repeating: "0", count: max(0, 19 - digits.count)))\(digits).jsonl"
  }
}
