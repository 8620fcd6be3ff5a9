internal import COpenBLAS

extension Matrix {
  /// The product of two matrices, either of them optionally transposed first, by `sgemm`.
  ///
  ///     basis.multiply(basis, transposingSelf: true)  // basisᵀ · basis
  ///
  /// - Precondition: the inner dimensions agree.
  /// - Complexity: O(rows · columns · inner dimension).
  public func multiply(_ other: Matrix, transposingSelf: Bool = false, transposingOther: Bool = false) -> Matrix {
    let (rows, inner) = transposingSelf ? (self.columns, self.rows) : (self.rows, self.columns)
    let (otherInner, columns) = transposingOther ? (other.columns, other.rows) : (other.rows, other.columns)
    precondition(inner == otherInner, "inner dimensions \(inner) and \(otherInner)")
    var result = Matrix(rows: rows, columns: columns)
    guard rows > 0, columns > 0, inner > 0 else { return result }
    guard let library = BLAS.library else {
      return plainProduct(other, transposingSelf: transposingSelf, transposingOther: transposingOther)
    }
    values.withUnsafeBufferPointer { a in
      other.values.withUnsafeBufferPointer { b in
        result.values.withUnsafeMutableBufferPointer { c in
          library.sgemm(
            Int32(VETNET_ROW_MAJOR), Self.transposition(transposingSelf), Self.transposition(transposingOther),
            Int32(rows), Int32(columns), Int32(inner), 1, a.baseAddress, Int32(self.columns), b.baseAddress,
            Int32(other.columns), 0, c.baseAddress, Int32(columns))
        }
      }
    }
    return result
  }

  /// The product with a column vector, by `sgemv`: one inner product per row.
  ///
  /// - Precondition: the vector's length is the matrix's number of columns.
  /// - Complexity: O(rows · columns).
  public func multiply(_ vector: [Float]) -> [Float] {
    Self.rowProducts(rows: rows, columns: columns, values: values, vector: vector)
  }

  /// Inner products of `vector` with rows that lie one after the other in `values`, without wrapping them in a matrix.
  ///
  /// - Precondition: `values` holds `rows * columns` numbers, `vector` as many as a row.
  public static func rowProducts(rows: Int, columns: Int, values: [Float], vector: [Float]) -> [Float] {
    precondition(values.count == rows * columns, "\(values.count) numbers for \(rows) rows of \(columns)")
    precondition(vector.count == columns, "a vector of length \(vector.count) for \(columns) columns")
    var result = [Float](repeating: 0, count: rows)
    guard rows > 0, columns > 0 else { return result }
    guard let library = BLAS.library else {
      return vector.withUnsafeBufferPointer { vector in
        values.withUnsafeBufferPointer { values in
          (0..<rows).map {
            BLAS.dot(UnsafeBufferPointer(rebasing: values[($0 * columns)..<(($0 + 1) * columns)]), vector)
          }
        }
      }
    }
    values.withUnsafeBufferPointer { matrix in
      vector.withUnsafeBufferPointer { vector in
        result.withUnsafeMutableBufferPointer { result in
          library.sgemv(
            Int32(VETNET_ROW_MAJOR), Self.transposition(false), Int32(rows), Int32(columns), 1, matrix.baseAddress,
            Int32(columns), vector.baseAddress, 1, 0, result.baseAddress, 1)
        }
      }
    }
    return result
  }
  private static func transposition(_ isTransposed: Bool) -> Int32 {
    Int32(isTransposed ? VETNET_TRANSPOSE : VETNET_NO_TRANSPOSE)
  }

  /// The product where OpenBLAS isn't installed: the same, but slowly.
  private func plainProduct(_ other: Matrix, transposingSelf: Bool, transposingOther: Bool) -> Matrix {
    let left = transposingSelf ? transposed() : self
    let right = transposingOther ? other : other.transposed()
    var result = Matrix(rows: left.rows, columns: right.rows)
    for row in 0..<left.rows {
      for column in 0..<right.rows {
        result[row, column] = left.withRow(row) { a in right.withRow(column) { b in BLAS.dot(a, b) } }
      }
    }
    return result
  }
}
