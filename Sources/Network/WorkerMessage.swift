import FoundationEssentials
import VetNet

/// A line from a worker to its driver: who it is, how far it is, a part that is finished, or why a shard can't be done.
struct WorkerMessage: Codable, Sendable {
  struct Failure: Codable, Sendable {
    let message: String
    /// Whether another try may help: a disk that was full, a file that somebody else held.
    let mayPass: Bool
  }

  /// The version of the program, in the first line.
  var program: String?
  var shard: Int?
  var done: Int?
  var total: Int?
  /// The file of a finished part.
  var part: String?
  var seconds: Double?
  /// Kilobytes of memory that the worker used at most.
  var peakKilobytes: Int?
  var failure: Failure?

  /// As a line, its end included.
  func line() throws -> [UInt8] { try JSONPart.bytes(self) + [UInt8(ascii: "\n")] }
}

extension WorkerMessage.Failure {
  /// What went wrong with a shard, in the words of the practice's error.
  init(_ error: any Error) {
    guard let error = error as? PracticeError else {
      self.init(message: "stopped by an error: \(type(of: error))", mayPass: false)
      return
    }
    let words = [error.description, error.hint].compactMap(\.self).joined(separator: ". ")
    let mayPass =
      switch error.code {
      case .locked, .changedMeanwhile: true
      // There is no code for it: it is a failure like others to whoever writes a file.
      case .failed: error.description.contains("the disk is full")
      default: false
      }
    self.init(message: words, mayPass: mayPass)
  }
}
