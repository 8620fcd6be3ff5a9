/// The pairing of rows and columns with the greatest total, each at most once.
///
/// - Source: H. W. Kuhn, The Hungarian method for the assignment problem, Naval Research Logistics Quarterly 1955;2:83–97, in
///   the form with potentials and shortest augmenting paths.
/// - Parameter gains: one list a row; a gain of 0 or less is no pair.
/// - Returns: per row its column, nil where none gains anything.
/// - Complexity: O(n³), n being the greater side.
func bestAssignment(_ gains: [[Double]]) -> [Int?] {
  let rows = gains.count
  let columns = gains.first?.count ?? 0
  guard rows > 0, columns > 0 else { return gains.map { _ in nil } }
  let size = max(rows, columns)
  func cost(_ row: Int, _ column: Int) -> Double {
    row < rows && column < columns ? -max(0, gains[row][column]) : 0
  }
  var rowPrice = [Double](repeating: 0, count: size + 1)
  var columnPrice = [Double](repeating: 0, count: size + 1)
  // Place 0 stands for none.
  var rowOf = [Int](repeating: 0, count: size + 1)
  for row in 1...size {
    var least = [Double](repeating: .infinity, count: size + 1)
    var before = [Int](repeating: 0, count: size + 1)
    var isDone = [Bool](repeating: false, count: size + 1)
    rowOf[0] = row
    var column = 0
    repeat {
      isDone[column] = true
      let current = rowOf[column]
      var (step, next) = (Double.infinity, 0)
      for other in 1...size where !isDone[other] {
        let reduced = cost(current - 1, other - 1) - rowPrice[current] - columnPrice[other]
        if reduced < least[other] { (least[other], before[other]) = (reduced, column) }
        if least[other] < step { (step, next) = (least[other], other) }
      }
      for other in 0...size {
        if isDone[other] {
          rowPrice[rowOf[other]] += step
          columnPrice[other] -= step
        } else {
          least[other] -= step
        }
      }
      column = next
    } while rowOf[column] != 0
    repeat {
      rowOf[column] = rowOf[before[column]]
      column = before[column]
    } while column != 0
  }
  var result = [Int?](repeating: nil, count: rows)
  for column in 1...size where rowOf[column] >= 1 && rowOf[column] <= rows && column <= columns {
    if gains[rowOf[column] - 1][column - 1] > 0 { result[rowOf[column] - 1] = column - 1 }
  }
  return result
}
