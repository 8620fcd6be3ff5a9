/// Vectors of floats that stand somewhere in memory, to be looked at one by one.
public protocol VectorRows: Sendable {
  var count: Int { get }
  var dimension: Int { get }
  /// Lends the numbers of one vector.
  ///
  /// - Precondition: `row` lies in `0..<count`.
  func withRow<Result>(_ row: Int, _ body: (UnsafeBufferPointer<Float>) -> Result) -> Result
}

/// Vectors one after the other in an array.
extension Matrix: VectorRows {
  public var count: Int { rows }
  public var dimension: Int { columns }

  public func withRow<Result>(_ row: Int, _ body: (UnsafeBufferPointer<Float>) -> Result) -> Result {
    precondition(row >= 0 && row < rows, "row \(row) of \(rows)")
    return values.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[(row * columns)..<((row + 1) * columns)]))
    }
  }
}
