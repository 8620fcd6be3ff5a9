internal import CKernels

/// A sparse matrix by rows (CSR): per row the columns that are not zero, and their values.
///
///     var m = SparseRows(columns: 4)
///     m.append([(column: 1, value: 2), (column: 3, value: 1)])
///     m.append([])
///     m.rows  // 2
public struct SparseRows: Sendable {
  public let columns: Int
  /// Row `i` holds the entries `rowStarts[i]..<rowStarts[i + 1]`.
  public private(set) var rowStarts: [Int] = [0]
  public private(set) var columnIndices: [Int32] = []
  public private(set) var values: [Float] = []

  public var rows: Int { rowStarts.count - 1 }

  public init(columns: Int) {
    precondition(columns >= 0 && columns <= Int(Int32.max), "\(columns) columns")
    self.columns = columns
  }

  /// Adds a row. A column that stands twice counts twice.
  ///
  /// - Precondition: every column lies in `0..<columns`.
  public mutating func append(_ entries: some Sequence<(column: Int, value: Float)>) {
    for entry in entries {
      precondition(entry.column >= 0 && entry.column < columns, "column \(entry.column) of \(columns)")
      columnIndices.append(Int32(entry.column))
      values.append(entry.value)
    }
    rowStarts.append(values.count)
  }

  /// The matrix with rows and columns exchanged; within a row, entries keep the order of the rows they came from.
  ///
  /// - Complexity: O(entries + rows + columns), a counting sort.
  public func transposed() -> SparseRows {
    var result = SparseRows(columns: rows)
    var starts = [Int](repeating: 0, count: columns + 1)
    for column in columnIndices { starts[Int(column) + 1] += 1 }
    for column in 0..<columns { starts[column + 1] += starts[column] }
    var next = starts
    var indices = [Int32](repeating: 0, count: values.count)
    var transposedValues = [Float](repeating: 0, count: values.count)
    for row in 0..<rows {
      for entry in rowStarts[row]..<rowStarts[row + 1] {
        let column = Int(columnIndices[entry])
        indices[next[column]] = Int32(row)
        transposedValues[next[column]] = values[entry]
        next[column] += 1
      }
    }
    result.rowStarts = starts
    result.columnIndices = indices
    result.values = transposedValues
    return result
  }

  /// The product with a dense matrix: for every row, the weighted sum of the dense rows its entries name.
  ///
  /// Rows are shared among threads; a row's sum runs in the order of its entries, so the thread count doesn't matter.
  ///
  /// - Precondition: `dense` has as many rows as this matrix has columns.
  /// - Complexity: O(entries · columns of `dense`).
  public func multiply(_ dense: Matrix) -> Matrix {
    precondition(columns == dense.rows, "inner dimensions \(columns) and \(dense.rows)")
    var result = Matrix(rows: rows, columns: dense.columns)
    let width = dense.columns
    guard width > 0 else { return result }
    dense.values.withUnsafeBufferPointer { source in
      result.values.withUnsafeMutableBufferPointer { target in
        values.withUnsafeBufferPointer { values in
          columnIndices.withUnsafeBufferPointer { columns in
            // Safe to share: the sources are only read, and slices write to disjoint rows of the target.
            nonisolated(unsafe) let (source, target, values, columns) = (source, target, values, columns)
            Parallel.forEachSlice(of: rows) { slice in
              guard let input = source.baseAddress, let output = target.baseAddress, let values = values.baseAddress,
                let columns = columns.baseAddress
              else { return }
              for row in slice {
                let first = rowStarts[row]
                vetnet_gather(
                  BLAS.kernel, values + first, columns + first, rowStarts[row + 1] - first, input, width,
                  output + row * width)
              }
            }
          }
        }
      }
    }
    return result
  }

  /// The product of this matrix's transpose with a dense matrix.
  ///
  /// Who needs it more than once keeps ``transposed()`` instead.
  ///
  /// - Precondition: `dense` has as many rows as this matrix.
  public func multiplyTransposed(_ dense: Matrix) -> Matrix {
    transposed().multiply(dense)
  }
}
