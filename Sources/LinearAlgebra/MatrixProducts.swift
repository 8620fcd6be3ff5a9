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
    values.withUnsafeBufferPointer { a in
      other.values.withUnsafeBufferPointer { b in
        result.values.withUnsafeMutableBufferPointer { c in
          cblas_sgemm(
            CblasRowMajor, transposingSelf ? CblasTrans : CblasNoTrans, transposingOther ? CblasTrans : CblasNoTrans,
            blasint(rows), blasint(columns), blasint(inner), 1, a.baseAddress, blasint(self.columns), b.baseAddress,
            blasint(other.columns), 0, c.baseAddress, blasint(columns))
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
    values.withUnsafeBufferPointer { matrix in
      vector.withUnsafeBufferPointer { vector in
        result.withUnsafeMutableBufferPointer { result in
          cblas_sgemv(
            CblasRowMajor, CblasNoTrans, blasint(rows), blasint(columns), 1, matrix.baseAddress, blasint(columns),
            vector.baseAddress, 1, 0, result.baseAddress, 1)
        }
      }
    }
    return result
  }
}
