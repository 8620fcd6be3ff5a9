import Clinical
import LinearAlgebra

/// The slow twins of what BLAS computes.
enum Naive {
  static func product(_ left: Matrix, _ right: Matrix) -> Matrix {
    var result = Matrix(rows: left.rows, columns: right.columns)
    for row in 0..<left.rows {
      for column in 0..<right.columns {
        var sum = 0.0
        for inner in 0..<left.columns { sum += Double(left[row, inner]) * Double(right[inner, column]) }
        result[row, column] = Float(sum)
      }
    }
    return result
  }

  static func transposed(_ matrix: Matrix) -> Matrix {
    var result = Matrix(rows: matrix.columns, columns: matrix.rows)
    for row in 0..<matrix.rows {
      for column in 0..<matrix.columns { result[column, row] = matrix[row, column] }
    }
    return result
  }

  static func dense(_ sparse: SparseRows) -> Matrix {
    var result = Matrix(rows: sparse.rows, columns: sparse.columns)
    for row in 0..<sparse.rows {
      for entry in sparse.rowStarts[row]..<sparse.rowStarts[row + 1] {
        result[row, Int(sparse.columnIndices[entry])] += sparse.values[entry]
      }
    }
    return result
  }
}

extension Matrix {
  static func random(rows: Int, columns: Int, seed: UInt64) -> Matrix {
    var generator = SplitMix64(seed: seed)
    return Matrix(
      rows: rows, columns: columns, values: (0..<(rows * columns)).map { _ in Float(generator.nextUnit() * 2 - 1) })
  }

  static func identity(_ size: Int) -> Matrix {
    var result = Matrix(rows: size, columns: size)
    for index in 0..<size { result[index, index] = 1 }
    return result
  }

  /// The greatest difference of two entries; infinite for different shapes.
  func distance(to other: Matrix) -> Float {
    guard rows == other.rows, columns == other.columns else { return .infinity }
    return zip(values, other.values).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }
}

extension SparseRows {
  /// About one entry in `one` of each row.
  static func random(rows: Int, columns: Int, one: Int, seed: UInt64) -> SparseRows {
    var generator = SplitMix64(seed: seed)
    var result = SparseRows(columns: columns)
    for _ in 0..<rows {
      let taken = (0..<columns).filter { _ in Int.random(in: 0..<one, using: &generator) == 0 }
      result.append(taken.map { ($0, Float(generator.nextUnit() * 2)) })
    }
    return result
  }
}
