internal import CKernels

/// A vector that may be among the best, seen through its code.
public struct CodeCandidate: Hashable, Sendable {
  /// Where it stands, as the scan was told.
  public let position: Int
  /// What its score can't be above.
  public let upperBound: Float
}

/// Codes that lie one after the other, somebody else's memory.
public struct CodeBlock {
  public let count: Int
  let codes: UnsafePointer<Int8>
  let scales: UnsafePointer<Float>
  let errors: UnsafePointer<Float>
  let norms: UnsafePointer<Float>

  /// - Precondition: `codes` holds ``VectorCode/paddedDimension(_:)`` bytes for each of `count` vectors, the others a number.
  public init(
    count: Int, codes: UnsafePointer<Int8>, scales: UnsafePointer<Float>, errors: UnsafePointer<Float>,
    norms: UnsafePointer<Float>
  ) {
    self.count = count
    self.codes = codes
    self.scales = scales
    self.errors = errors
    self.norms = norms
  }
}

/// The first pass of an exact search: goes through codes, keeps what may be among the best `count` for each query, and leaves
/// out only what can't be.
///
/// Kept is whatever may score as high as the count-th best lower bound so far. What ``candidates(query:)`` names at the end
/// therefore holds every vector whose score, added up in floats in whatever order, is among the best, ties included.
public struct CodeScan: Sendable {
  private struct State: Sendable {
    let query: CodedQuery
    var lowerBounds: GreatestNumbers
    var candidates: [CodeCandidate] = []
    /// Vectors that were looked at.
    var seen = 0
    var hasGivenUp = false

    mutating func forgetRuledOut() {
      let threshold = lowerBounds.threshold
      candidates.removeAll { $0.upperBound < threshold }
    }
  }

  public let dimension: Int
  private let paddedDimension: Int
  private let kernel: CodeKernel
  /// The queries' entries side by side.
  private let entries: [Int16]
  private var states: [State]
  private var products: [Int32]
  private var places: [UInt32]
  private var scores: [Float]
  private var margins: [Float]

  /// When codes rule out less than half of so many vectors, they will hardly do better with the others.
  private let patience: Int
  /// Vectors that are multiplied at a time: their products with 64 queries fit a core's cache.
  private static let portion = 512

  /// - Precondition: every query has `dimension` numbers, `count` is at least 1, and this processor has the kernel.
  public init(_ queries: [[Float]], count: Int, dimension: Int, kernel: CodeKernel = .best) {
    precondition(queries.allSatisfy { $0.count == dimension }, "queries of \(dimension) numbers")
    precondition(count > 0 && kernel.isAvailable, "the best \(count) by \(kernel)")
    self.dimension = dimension
    self.kernel = kernel
    patience = max(8192, 32 * count)
    paddedDimension = VectorCode.paddedDimension(dimension)
    let padded = paddedDimension
    states = queries.map {
      State(query: CodedQuery($0, paddedDimension: padded), lowerBounds: GreatestNumbers(limit: count))
    }
    entries = states.flatMap(\.query.entries)
    products = [Int32](repeating: 0, count: Self.portion * queries.count)
    places = [UInt32](repeating: 0, count: Self.portion)
    scores = [Float](repeating: 0, count: Self.portion)
    margins = scores
  }

  /// Goes through a block whose first vector stands at `position`.
  ///
  /// - Parameters:
  ///   - block: codes of ``dimension`` numbers.
  ///   - position: counted on for the block's other vectors.
  ///   - admits: whether the vector at a place of the block may be found; asked only for those that would be kept.
  /// - Complexity: O(count · queries · dimension) products of bytes.
  public mutating func scan(_ block: CodeBlock, from position: Int, admitting admits: ((Int) -> Bool)? = nil) {
    for start in stride(from: 0, to: block.count, by: Self.portion) {
      if states.allSatisfy(\.hasGivenUp) { return }
      let count = min(Self.portion, block.count - start)
      entries.withUnsafeBufferPointer { entries in
        products.withUnsafeMutableBufferPointer { products in
          vetnet_code_products(
            kernel.rawValue, block.codes + start * paddedDimension, count, paddedDimension, entries.baseAddress,
            states.count, products.baseAddress, Self.portion)
        }
      }
      for query in states.indices where !states[query].hasGivenUp {
        select(query, block, start, count, position, admits)
        states[query].seen += count
        guard states[query].seen >= patience, states[query].candidates.count > states[query].seen / 2 else { continue }
        // Most may have been kept when the threshold was low.
        states[query].forgetRuledOut()
        if states[query].candidates.count > states[query].seen / 2 {
          states[query].hasGivenUp = true
          states[query].candidates = []
        }
      }
    }
  }

  private mutating func select(
    _ index: Int, _ block: CodeBlock, _ start: Int, _ count: Int, _ position: Int, _ admits: ((Int) -> Bool)?
  ) {
    let query = states[index].query
    let bounds = vetnet_bounds(
      scale: query.scale, error_factor: query.errorFactor, norm_factor: query.normFactor,
      threshold: states[index].lowerBounds.threshold)
    let kept = products.withUnsafeBufferPointer { products in
      places.withUnsafeMutableBufferPointer { places in
        scores.withUnsafeMutableBufferPointer { scores in
          margins.withUnsafeMutableBufferPointer { margins in
            vetnet_select(
              kernel.rawValue, products.baseAddress.map { $0 + index * Self.portion }, block.scales + start,
              block.errors + start, block.norms + start, count, bounds,
              vetnet_selection(
                places: places.baseAddress, scores: scores.baseAddress, margins: margins.baseAddress))
          }
        }
      }
    }
    for entry in 0..<kept {
      let place = start + Int(places[entry])
      if let admits, !admits(place) { continue }
      let (score, margin) = (scores[entry], margins[entry])
      let upper = score + margin
      // Since the block was begun the threshold may have risen.
      if upper < states[index].lowerBounds.threshold { continue }
      states[index].candidates.append(
        CodeCandidate(position: position + place, upperBound: upper.isNaN ? .infinity : upper))
      // An overflow says nothing about how low the score may be.
      states[index].lowerBounds.offer(score.isFinite ? score - margin : -.infinity)
    }
  }

  /// How many vectors' codes were looked at: all of them, unless the pass was given up.
  public var scannedCount: Int { states.map(\.seen).max() ?? 0 }

  /// Takes over what another scan, for the same queries, has found at other positions.
  public mutating func merge(_ other: CodeScan) {
    for index in states.indices {
      for bound in other.states[index].lowerBounds.values { states[index].lowerBounds.offer(bound) }
      states[index].candidates += other.states[index].candidates
      states[index].seen += other.states[index].seen
      if other.states[index].hasGivenUp { states[index].hasGivenUp = true }
    }
  }

  /// What may be among the best for a query, in the order in which it was seen; nil when that is most of the vectors, so that
  /// comparing them all is less work. Then the rest was not looked at.
  public func candidates(query: Int = 0) -> [CodeCandidate]? {
    if states[query].hasGivenUp { return nil }
    var state = states[query]
    state.forgetRuledOut()
    return state.candidates
  }
}

/// The greatest of a stream of numbers, in a heap whose root is the least of them.
struct GreatestNumbers: Sendable {
  let limit: Int
  private(set) var values: [Float] = []

  init(limit: Int) {
    self.limit = limit
  }

  /// What a number must be above to get in; minus infinity while there is room.
  var threshold: Float { values.count < limit ? -.infinity : values[0] }

  mutating func offer(_ number: Float) {
    let number = number.isNaN ? -.infinity : number
    if values.count < limit {
      values.append(number)
      var child = values.count - 1
      while child > 0, values[child] < values[(child - 1) / 2] {
        values.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    } else if number > values[0] {
      values[0] = number
      var parent = 0
      while true {
        var least = parent
        for child in [2 * parent + 1, 2 * parent + 2] where child < limit && values[child] < values[least] {
          least = child
        }
        if least == parent { return }
        values.swapAt(parent, least)
        parent = least
      }
    }
  }
}
