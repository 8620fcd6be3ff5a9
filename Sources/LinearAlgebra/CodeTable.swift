/// The codes of many vectors side by side.
public struct CodeTable: Sendable {
  public let count: Int
  public let dimension: Int
  private let paddedDimension: Int
  private let codes: [Int8]
  /// All scales, then all errors, then all norms.
  private let bounds: [Float]

  /// Rounds every vector.
  ///
  /// - Parameters:
  ///   - rows: the vectors.
  ///   - threads: at most so many work at it.
  /// - Complexity: reads each vector once; keeps a byte a number and 12 bytes a vector.
  public init(_ rows: some VectorRows, threads: Int = 1) {
    let (count, dimension) = (rows.count, rows.dimension)
    let padded = VectorCode.paddedDimension(dimension)
    self.count = count
    self.dimension = dimension
    paddedDimension = padded
    var bounds = [Float](repeating: 0, count: 3 * count)
    codes = [Int8](unsafeUninitializedCapacity: count * padded) { codes, initialized in
      bounds.withUnsafeMutableBufferPointer { bounds in
        // Safe to share: each slice writes to its own rows only.
        nonisolated(unsafe) let codes = codes
        nonisolated(unsafe) let bounds = bounds
        Parallel.forEachSlice(of: count, threads: max(1, min(threads, count))) { _, slice in
          for row in slice {
            let target = UnsafeMutableBufferPointer(rebasing: codes[(row * padded)..<((row + 1) * padded)])
            target.initialize(repeating: 0)
            let code = rows.withRow(row) { VectorCode($0, into: target) }
            bounds[row] = code.scale
            bounds[count + row] = code.error
            bounds[2 * count + row] = code.norm
          }
        }
      }
      initialized = count * padded
    }
    self.bounds = bounds
  }

  /// What a scan reads of each.
  public var bytesPerVector: Int { paddedDimension + 12 }

  /// Scans all codes for several queries.
  ///
  /// - Parameters:
  ///   - queries: of ``dimension`` numbers each.
  ///   - best: how many vectors are wanted for each, at least 1.
  ///   - threads: each takes a part of the table.
  ///   - kernel: which loop multiplies.
  /// - Returns: the scan, its candidates ascending in position.
  public func scan(_ queries: [[Float]], best: Int, threads: Int = 1, kernel: CodeKernel = .best) -> CodeScan {
    let whole = CodeScan(queries, count: best, dimension: dimension, kernel: kernel)
    let parts = max(1, min(threads, count / 256))
    var scans = [CodeScan](repeating: whole, count: parts)
    codes.withUnsafeBufferPointer { codes in
      bounds.withUnsafeBufferPointer { bounds in
        scans.withUnsafeMutableBufferPointer { scans in
          // Safe to share: the codes are only read, and each part has a scan of its own.
          nonisolated(unsafe) let (codes, bounds, scans) = (codes.baseAddress, bounds.baseAddress, scans)
          Parallel.forEachSlice(of: count, threads: parts) { part, slice in
            guard let codes, let bounds else { return }
            let start = slice.lowerBound
            let block = CodeBlock(
              count: slice.count, codes: codes + start * paddedDimension, scales: bounds + start,
              errors: bounds + count + start, norms: bounds + 2 * count + start)
            scans[part].scan(block, from: start)
          }
        }
      }
    }
    for other in scans.dropFirst() { scans[0].merge(other) }
    return scans[0]
  }
}
