public import LinearAlgebra

/// What a collection gives of its weighted terms A (documents × buckets) for a projection that is learned from several: the rows of AᵀA·D for
/// directions D that all share. Sketches add up; no document can be read from a sum of many.
public struct ProjectionSketch: Equatable, Sendable {
  /// Places in the shared vocabulary that occur here, ascending.
  public let places: [Int32]
  /// A row for each place, a column for each direction.
  public let rows: Matrix

  /// - Precondition: places ascend, and there are as many rows.
  public init(places: [Int32], rows: Matrix) {
    precondition(places.count == rows.rows, "\(rows.rows) rows for \(places.count) places")
    self.places = places
    self.rows = rows
  }

  /// The sum of two collections' sketches. The order matters for the last digits.
  ///
  /// - Precondition: both have the same directions.
  public func adding(_ other: ProjectionSketch) -> ProjectionSketch {
    precondition(rows.columns == other.rows.columns, "sketches of other directions")
    let width = rows.columns
    var places: [Int32] = []
    var values: [Float] = []
    places.reserveCapacity(max(self.places.count, other.places.count))
    values.reserveCapacity(max(rows.values.count, other.rows.values.count))
    var (left, right) = (0, 0)
    while left < self.places.count || right < other.places.count {
      let first = left < self.places.count ? self.places[left] : .max
      let second = right < other.places.count ? other.places[right] : .max
      places.append(min(first, second))
      if first < second {
        values += rows.row(left)
      } else if second < first {
        values += other.rows.row(right)
      } else {
        values += zip(rows.row(left), other.rows.row(right)).map { $0 + $1 }
      }
      if first <= second { left += 1 }
      if second <= first { right += 1 }
    }
    return ProjectionSketch(places: places, rows: Matrix(rows: places.count, columns: width, values: values))
  }

  /// The rows of the whole vocabulary, zero where nothing occurs.
  public func full(rowCount: Int) -> Matrix {
    let width = rows.columns
    var values = [Float](repeating: 0, count: rowCount * width)
    for (row, place) in places.enumerated() {
      values.replaceSubrange((Int(place) * width)..<((Int(place) + 1) * width), with: rows.row(row))
    }
    return Matrix(rows: rowCount, columns: width, values: values)
  }
}

/// Makes a collection's sketch, batch by batch.
public struct ProjectionSketcher {
  private let model: VectorizerModel
  private let table: InMemoryProjection
  private let directions: Matrix
  private let hasher: FeatureHasher
  /// From a place in the vocabulary to a row of the sketch plus one.
  private var rowNumbers: [Int32]
  private var places: [Int32] = []
  private var sum: [Float] = []

  /// - Parameters:
  ///   - model: the settings that all collections share.
  ///   - vocabulary: the buckets that all share.
  ///   - directions: a row for each bucket.
  public init(model: VectorizerModel, vocabulary: ProjectionVocabulary, directions: Matrix) {
    precondition(directions.rows == vocabulary.buckets.count, "directions of another vocabulary")
    self.model = model
    self.directions = directions
    hasher = model.hasher
    table = InMemoryProjection(
      buckets: vocabulary.buckets, weights: vocabulary.weights,
      vectors: Matrix(rows: vocabulary.buckets.count, columns: 0))
    rowNumbers = [Int32](repeating: 0, count: vocabulary.buckets.count)
  }

  /// Adds some documents' terms, repetitions included. The same documents in other batches give the same sketch but for the last digits.
  ///
  /// - Complexity: O(terms · directions + buckets that occur so far · directions).
  public mutating func add(_ documents: [[String]]) {
    let weighed = documents.map { terms in
      Vectorizer.weights(
        of: SparseVector(counting: terms, by: hasher), length: terms.count, model: model, table: table)
    }
    for place in Set(weighed.joined().map(\.column)).sorted() where rowNumbers[place] == 0 {
      places.append(Int32(place))
      rowNumbers[place] = Int32(places.count)
    }
    var shared = SparseRows(columns: table.buckets.count)
    var own = SparseRows(columns: places.count)
    for entries in weighed {
      shared.append(entries)
      own.append(entries.map { (column: Int(rowNumbers[$0.column]) - 1, value: $0.value) })
    }
    let product = own.multiplyTransposed(shared.multiply(directions)).values
    sum.append(contentsOf: repeatElement(0, count: product.count - sum.count))
    for index in product.indices { sum[index] += product[index] }
  }

  /// The sketch of what was added.
  public func sketch() -> ProjectionSketch {
    let width = directions.columns
    let order = places.indices.sorted { places[$0] < places[$1] }
    var values: [Float] = []
    values.reserveCapacity(sum.count)
    for row in order { values += sum[(row * width)..<((row + 1) * width)] }
    return ProjectionSketch(
      places: order.map { places[$0] }, rows: Matrix(rows: order.count, columns: width, values: values))
  }
}
