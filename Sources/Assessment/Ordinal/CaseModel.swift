import Clinical
import Foundation

/// What fitting learned from the exemplars: weights of hashed features for every judgement, and a sketch of each exemplar.
///
/// A file of its own, `triage/case-model.vnm`, because as text it would take longer to read than to use: eight bytes of magic,
/// the length of a JSON header in four, the header, rarity and mark of each bucket in two bytes each, then for each task a byte per output
/// and bucket of the blocks that it uses, then the sketches, a byte for each exemplar's level, and their ids, a line each. Numbers are little-endian. A weight's byte is the signed root of its share of the output's
/// largest weight, so that small ones keep their precision.
public struct CaseModel: Sendable {
  /// What is judged.
  package enum Task: String, CaseIterable, Sendable {
    /// At least green, yellow, orange, red.
    case urgency
    /// A status of a letter of the primary survey.
    case survey
    /// Kinds of visit but the emergency, which follows from the urgency.
    case visitType = "visit type"
    /// Fields of work but the emergency.
    case specialty
  }

  package struct TaskHeader: Codable, Sendable {
    var task: String
    /// By ``FeatureBlock/allCases``; each block's share of a case's similarity with itself.
    var shares: [Double]
    var outputs: [String]
    var intercepts: [Double]
    /// Each output's largest weight.
    package var scales: [Double]

    package init(task: String, shares: [Double], outputs: [String], intercepts: [Double], scales: [Double]) {
      self.task = task
      self.shares = shares
      self.outputs = outputs
      self.intercepts = intercepts
      self.scales = scales
    }
  }

  package struct Header: Codable, Sendable {
    var version: String
    var triageProtocol: String
    var seed: UInt64
    var exemplars: Int
    /// Of the exemplars' ids and labels, so that a model is not used with others.
    var checksum: String
    var buckets: Int
    var blocks: [String]
    var sketchLength: Int
    /// Bytes of the exemplars' ids, line ends included.
    var idLength: Int
    var tasks: [TaskHeader]

    package init(
      version: String, triageProtocol: String, seed: UInt64, exemplars: Int, checksum: String, buckets: Int,
      blocks: [String], sketchLength: Int, idLength: Int, tasks: [TaskHeader]
    ) {
      self.version = version
      self.triageProtocol = triageProtocol
      self.seed = seed
      self.exemplars = exemplars
      self.checksum = checksum
      self.buckets = buckets
      self.blocks = blocks
      self.sketchLength = sketchLength
      self.idLength = idLength
      self.tasks = tasks
    }

    private enum CodingKeys: String, CodingKey {
      case version, seed, exemplars, checksum, buckets, blocks, tasks
      case triageProtocol = "protocol"
      case sketchLength = "sketch_length"
      case idLength = "id_length"
    }
  }

  package static let magic = Array("VNCASES3".utf8)
  package static let largest = 127.0

  let header: Header
  let vectorizer: CaseVectorizer
  private let bytes: [UInt8]
  private var places: [Task: Place] = [:]
  /// Where the sketches begin.
  private let sketches: Int
  /// Where the exemplars' levels begin, a byte each.
  private let levels: Int

  private struct Place: Sendable {
    let task: TaskHeader
    /// For each block, where the weights of bucket 0 would stand; only those of the block's own buckets do.
    let starts: [Int]
    /// Roots of the shares.
    let shares: [Float]

    func row(_ bucket: Int32, _ block: Int) -> Int { starts[block] + Int(bucket) * task.outputs.count }
  }

  /// The value of a weight's byte, by its bits.
  private static let decoded: [Float] = (0..<256).map { bits in
    let value = Double(Int8(bitPattern: UInt8(bits))) / largest
    return Float(value * abs(value))
  }

  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - file: its name, for the error.
  /// - Throws: ``AssessmentError`` when it is no such file, or one of another program.
  /// - Complexity: O(buckets).
  public init(bytes: [UInt8], file: String) throws(AssessmentError) {
    func refused(_ problem: String) -> AssessmentError {
      AssessmentError(code: .malformed, file: file, problem: problem + "; run 'vetnet evaluate fit-triage'")
    }
    guard bytes.count > 12, Array(bytes[..<8]) == Self.magic else { throw refused("is no model of cases") }
    let length = (0..<4).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
    guard 12 + length <= bytes.count,
      let header = try? JSONDecoder().decode(Header.self, from: Data(bytes[12..<(12 + length)]))
    else { throw refused("has a header that can't be read") }
    guard header.buckets == CaseVectorizer.buckets, header.blocks == FeatureBlock.allCases.map(\.rawValue) else {
      throw refused("was fitted by another version")
    }
    var start = 12 + length + 4 * header.buckets
    for task in header.tasks {
      let count = task.outputs.count
      guard let known = Task(rawValue: task.task), task.intercepts.count == count, task.scales.count == count,
        task.shares.count == FeatureBlock.allCases.count
      else { throw refused("has a task '\(task.task)' that can't be used") }
      var starts = [Int](repeating: 0, count: FeatureBlock.allCases.count)
      for block in FeatureBlock.allCases where task.shares[block.index] > 0 {
        starts[block.index] = start - block.firstBucket * count
        start += block.bucketCount * count
      }
      places[known] = Place(task: task, starts: starts, shares: task.shares.map { Float($0.squareRoot()) })
    }
    guard places.count == Task.allCases.count else { throw refused("lacks a task") }
    let counts = 0...bytes.count
    guard counts.contains(header.sketchLength), counts.contains(header.exemplars), counts.contains(header.idLength)
    else {
      throw refused("has a header with a count that its bytes have no room for")
    }
    levels = start + 3 * header.sketchLength * header.exemplars
    guard bytes.count == levels + header.exemplars + header.idLength else {
      throw refused("has \(bytes.count) bytes, not what its header says")
    }
    func pairs(from start: Int) -> [UInt16] {
      (0..<header.buckets).map { UInt16(bytes[start + 2 * $0]) | UInt16(bytes[start + 2 * $0 + 1]) << 8 }
    }
    self.header = header
    self.bytes = bytes
    vectorizer = CaseVectorizer(
      rarity: pairs(from: 12 + length), marks: pairs(from: 12 + length + 2 * header.buckets))
    sketches = start
  }

  func outputs(_ task: Task) -> [String] { places[task]?.task.outputs ?? [] }

  /// The linear predictor of each output.
  ///
  /// - Complexity: O(features × outputs).
  func scores(_ vector: CaseVector, _ task: Task) -> [Double] {
    guard let place = places[task] else { return [] }
    let count = place.task.outputs.count
    var sums = [Float](repeating: 0, count: count)
    for entry in vector.entries {
      let value = entry.value * place.shares[Int(entry.block)]
      guard value != 0 else { continue }
      let row = place.row(entry.bucket, Int(entry.block))
      for output in 0..<count { sums[output] += value * Self.decoded[Int(bytes[row + output])] }
    }
    return (0..<count).map { Double(sums[$0]) * place.task.scales[$0] + place.task.intercepts[$0] }
  }

  /// What each feature that was kept with the vector adds to an output, less what it adds to another; the largest first.
  func contributions(
    _ vector: CaseVector, _ features: [CaseFeature], _ task: Task, output: Int, minus other: Int? = nil
  ) -> [(feature: CaseFeature, amount: Double)] {
    guard let place = places[task] else { return [] }
    func weight(_ row: Int, _ output: Int) -> Double {
      Double(Self.decoded[Int(bytes[row + output])]) * place.task.scales[output]
    }
    var found: [(feature: CaseFeature, amount: Double)] = []
    for entry in vector.entries where entry.feature >= 0 && place.shares[Int(entry.block)] > 0 {
      let row = place.row(entry.bucket, Int(entry.block))
      let difference = weight(row, output) - (other.map { weight(row, $0) } ?? 0)
      let amount = Double(entry.value * place.shares[Int(entry.block)]) * difference
      if amount != 0 { found.append((features[Int(entry.feature)], amount)) }
    }
    // Of equal amounts by block and name; a case has a feature once, so no two are equal in all.
    return found.sorted { left, right in
      let (amount, other) = (abs(left.amount), abs(right.amount))
      return amount == other
        ? (left.feature.block.index, left.feature.name) < (right.feature.block.index, right.feature.name)
        : amount > other
    }
  }

  // MARK: - Resemblance

  /// What a sketch is made of: what people say and what it means, each by its share.
  static let sketchShares: [Float] = FeatureBlock.allCases.map { block in
    switch block {
    case .words, .signs: Float(0.4).squareRoot()
    case .pairs: Float(0.2).squareRoot()
    default: 0
    }
  }

  /// The entries of a vector that a sketch keeps, of length 1 together: the largest, ascending by bucket.
  package static func sketch(_ vector: CaseVector, length: Int) -> [(bucket: Int32, value: Float)] {
    let kept = vector.weighted(sketchShares).sorted { ($0.value, $1.bucket) > ($1.value, $0.bucket) }.prefix(length)
    let norm = kept.reduce(0) { $0 + $1.value * $1.value }.squareRoot()
    return kept.map { ($0.bucket, norm > 0 ? $0.value / norm : 0) }.sorted { $0.bucket < $1.bucket }
  }

  /// Rows of the exemplars that resemble a case most with the cosine of their sketches, the best first, equal ones in their order.
  ///
  /// - Complexity: O(exemplars × sketch length).
  func nearest(_ vector: CaseVector, limit: Int) -> [(row: Int, similarity: Double)] {
    var query = [Float](repeating: 0, count: header.buckets)
    let entries = vector.weighted(Self.sketchShares)
    let norm = entries.reduce(0) { $0 + $1.value * $1.value }.squareRoot()
    guard norm > 0 else { return [] }
    for entry in entries { query[Int(entry.bucket)] = entry.value / norm }
    var best: [(row: Int, similarity: Float)] = []
    for row in 0..<header.exemplars {
      var sum: Float = 0
      var place = sketches + 3 * header.sketchLength * row
      for _ in 0..<header.sketchLength {
        let bucket = Int(bytes[place]) | Int(bytes[place + 1]) << 8
        sum += query[bucket] * Float(bytes[place + 2])
        place += 3
      }
      guard sum > 0, best.count < limit || sum > best[best.count - 1].similarity else { continue }
      let position = best.firstIndex { $0.similarity < sum } ?? best.count
      best.insert((row, sum), at: position)
      if best.count > limit { best.removeLast() }
    }
    return best.map { ($0.row, min(1, Double($0.similarity) / 255)) }
  }

  /// The id and level of an exemplar; nil for a file that was altered.
  ///
  /// - Complexity: O(bytes of the ids before it): a few are named of each case.
  func exemplar(_ row: Int) -> (id: String, urgency: Urgency)? {
    guard let id = line(row), (0..<Urgency.allCases.count).contains(Int(bytes[levels + row])) else { return nil }
    return (id, Urgency(rank: Int(bytes[levels + row])))
  }

  /// A line of the ids; nil behind the last.
  private func line(_ row: Int) -> String? {
    bytes[(levels + header.exemplars)...].withUnsafeBytes { ids in
      var rest = UnsafeRawBufferPointer(ids)
      for _ in 0..<row { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(Self.lineLength(rest) + 1)) }
      return rest.isEmpty ? nil : String(decoding: rest.prefix(Self.lineLength(rest)), as: UTF8.self)
    }
  }

  /// How many bytes stand before the first line's end.
  private static func lineLength(_ text: UnsafeRawBufferPointer) -> Int {
    guard let start = text.baseAddress, let end = memchr(start, Int32(UInt8(ascii: "\n")), text.count) else {
      return text.count
    }
    return UnsafeRawPointer(end) - start
  }
}
