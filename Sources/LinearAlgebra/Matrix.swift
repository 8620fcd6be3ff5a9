/// A dense matrix of single-precision numbers, stored row after row.
///
///     let m = Matrix(rows: 2, columns: 3, values: [1, 2, 3, 4, 5, 6])
///     m[1, 0]  // 4
///     m.row(0)  // [1, 2, 3]
public struct Matrix: Equatable, Sendable {
  public let rows: Int
  public let columns: Int
  /// `rows * columns` numbers; row `i` begins at `i * columns`.
  public internal(set) var values: [Float]

  /// - Precondition: `values` holds `rows * columns` numbers.
  public init(rows: Int, columns: Int, values: [Float]) {
    precondition(rows >= 0 && columns >= 0, "a matrix of \(rows) × \(columns)")
    precondition(values.count == rows * columns, "\(values.count) numbers for a matrix of \(rows) × \(columns)")
    self.rows = rows
    self.columns = columns
    self.values = values
  }

  /// A matrix of one number throughout.
  public init(rows: Int, columns: Int, repeating value: Float = 0) {
    self.init(rows: rows, columns: columns, values: [Float](repeating: value, count: rows * columns))
  }

  public subscript(row: Int, column: Int) -> Float {
    get {
      precondition(column >= 0 && column < columns, "column \(column) of \(columns)")
      return values[row * columns + column]
    }
    set {
      precondition(column >= 0 && column < columns, "column \(column) of \(columns)")
      values[row * columns + column] = newValue
    }
  }

  public func row(_ index: Int) -> ArraySlice<Float> {
    values[(index * columns)..<((index + 1) * columns)]
  }

  /// The first columns.
  ///
  /// - Complexity: O(rows · count).
  public func prefix(columns count: Int) -> Matrix {
    precondition(count >= 0 && count <= columns, "\(count) of \(columns) columns")
    if count == columns { return self }
    var kept: [Float] = []
    kept.reserveCapacity(rows * count)
    for index in 0..<rows { kept.append(contentsOf: values[(index * columns)..<(index * columns + count)]) }
    return Matrix(rows: rows, columns: count, values: kept)
  }

  /// The matrix with rows and columns exchanged.
  ///
  /// - Complexity: O(rows · columns), in tiles that fit the cache.
  public func transposed() -> Matrix {
    var result = Matrix(rows: columns, columns: rows)
    let tile = 32
    values.withUnsafeBufferPointer { source in
      result.values.withUnsafeMutableBufferPointer { target in
        for top in stride(from: 0, to: rows, by: tile) {
          for left in stride(from: 0, to: columns, by: tile) {
            for row in top..<min(top + tile, rows) {
              for column in left..<min(left + tile, columns) {
                target[column * rows + row] = source[row * columns + column]
              }
            }
          }
        }
      }
    }
    return result
  }

  /// Multiplies column `j` by `factors[j]`.
  ///
  /// - Precondition: there are as many factors as columns.
  public mutating func scaleColumns(by factors: [Float]) {
    precondition(factors.count == columns, "\(factors.count) factors for \(columns) columns")
    let (rows, columns) = (rows, columns)
    values.withUnsafeMutableBufferPointer { values in
      factors.withUnsafeBufferPointer { factors in
        for row in 0..<rows {
          let start = row * columns
          for column in 0..<columns { values[start + column] *= factors[column] }
        }
      }
    }
  }
}
