import FoundationEssentials
import VetNet

/// Parts that are JSON: keys in order, so that equal values are equal bytes.
enum JSONPart {
  static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }

  static func value<Value: Decodable>(_ bytes: [UInt8], _ type: Value.Type = Value.self) throws -> Value {
    guard let value = try? JSONDecoder().decode(type, from: Data(bytes)) else {
      throw PracticeError(
        .failed, "a part of the job can't be read: it is cut off, altered, or of another job",
        hint: "Maybe remove it and run the job again; the other parts are kept.")
    }
    return value
  }
}

/// What was indexed, practice by practice.
public struct IndexedPractices: Codable, Equatable, Sendable {
  public struct Practice: Codable, Equatable, Sendable {
    public let practice: String
    public let notes: Int
    /// Names the projection; nil where notes were embedded only.
    public var model: String?
    /// Ids of notes that can't be indexed, with why.
    public var failures: [String: String]
  }

  public private(set) var practices: [Practice]

  init(_ practice: Practice) { practices = [practice] }

  init(practices: [Practice]) { self.practices = practices }

  init(_ bytes: [UInt8]) throws { self = try JSONPart.value(bytes) }

  func bytes() throws -> [UInt8] { try JSONPart.bytes(self) }

  func adding(_ other: IndexedPractices) -> IndexedPractices {
    var sum = self
    sum.practices += other.practices
    return sum
  }
}

/// What suites said, one after the other.
public struct SuiteReports: Codable, Equatable, Sendable {
  public struct Suite: Codable, Equatable, Sendable {
    public let name: String
    /// The suite's own JSON.
    public let report: String
  }

  public private(set) var suites: [Suite]

  init(_ suite: Suite) { suites = [suite] }

  init(_ bytes: [UInt8]) throws { self = try JSONPart.value(bytes) }

  func bytes() throws -> [UInt8] { try JSONPart.bytes(self) }

  func adding(_ other: SuiteReports) -> SuiteReports {
    var sum = self
    sum.suites += other.suites
    return sum
  }
}
