public import Clinical

/// An exemplar that resembles a case.
public struct ExemplarHit: Hashable, Sendable {
  public let id: String
  public let text: String
  public let urgency: Urgency
  /// Cosine of the two texts' vectors, 0...1.
  public let similarity: Double
}

/// The exemplars as vectors, each with the part it has in the score of every level.
///
/// A regression with a Gaussian prior over the letter groups of all exemplars is a weighted sum of the similarities to them
/// (the representer theorem), so the weights of the exemplars are kept instead of those of a hundred thousand groups.
public struct ExemplarIndex: Sendable {
  public let exemplars: [Exemplar]
  let letters: LetterIndex
  /// By exemplar; a weight for each level from green to red. Empty before fitting.
  private var weights: [[Double]] = []

  /// - Complexity: O(letters of all exemplars).
  public init(_ exemplars: [Exemplar]) {
    self.exemplars = exemplars
    letters = LetterIndex(exemplars.map(\.intake.text))
  }

  /// - Parameters:
  ///   - exemplars: in the order of their table.
  ///   - table: columns `id`, `green`, `yellow`, `orange`, `red`; a row for every exemplar, in their order.
  /// - Throws: ``DataTableError`` when a row is missing, belongs to another exemplar, or holds no number.
  public init(_ exemplars: [Exemplar], weights table: DataTable) throws(DataTableError) {
    self.init(exemplars)
    for row in table.rows {
      guard weights.count < exemplars.count, exemplars[weights.count].intake.id == row["id"] else {
        throw row.error("id", "is not the exemplar of this place; run 'vetnet evaluate fit-triage'")
      }
      var cells: [Double] = []
      for level in Self.levels { cells.append(row[level].isEmpty ? 0 : try row.number(level)) }
      weights.append(cells)
    }
    guard weights.count == exemplars.count else {
      throw DataTableError(
        table: table.name, line: 0, column: "id",
        problem: "has \(weights.count) rows for \(exemplars.count) exemplars; run 'vetnet evaluate fit-triage'")
    }
  }

  static let levels = ["green", "yellow", "orange", "red"]

  /// What the similarities add to the score of each level.
  func scores(_ similarities: [Double]) -> [Double] {
    var sums = [Double](repeating: 0, count: Self.levels.count)
    guard !weights.isEmpty else { return sums }
    for (index, similarity) in similarities.enumerated() where similarity > 0 {
      for level in sums.indices { sums[level] += similarity * weights[index][level] }
    }
    return sums
  }

  /// The most similar exemplars, best first, equal ones in their order.
  func nearest(_ similarities: [Double], limit: Int) -> [ExemplarHit] {
    similarities.indices.filter { similarities[$0] > 0 }
      .sorted { (similarities[$0], $1) > (similarities[$1], $0) }.prefix(limit)
      .map { index in
        let exemplar = exemplars[index]
        return ExemplarHit(
          id: exemplar.intake.id, text: exemplar.intake.text, urgency: exemplar.urgency,
          similarity: min(1, similarities[index]))
      }
  }

  static let voters = 8

  /// For each level above blue, the share of the nearest exemplars' similarity that is at or above it; one half where none is near.
  func votes(_ similarities: [Double], where isAllowed: (Int) -> Bool = { _ in true }) -> [Double] {
    let near = similarities.indices.filter { similarities[$0] > 0 && isAllowed($0) }
      .sorted { (similarities[$0], $1) > (similarities[$1], $0) }.prefix(Self.voters)
    let total = near.reduce(0) { $0 + similarities[$1] }
    return (1...4).map { rank in
      guard total > 0 else { return 0.5 }
      return near.reduce(0) { $0 + (exemplars[$1].urgency.rank >= rank ? similarities[$1] : 0) } / total
    }
  }

  private static let visitVote = 4.0

  /// What the nearest exemplars that are no emergency add to the score of each kind of visit.
  func visitVotes(_ similarities: [Double], _ types: [String], where isAllowed: (Int) -> Bool = { _ in true })
    -> [Double]
  {
    let near = similarities.indices.filter {
      similarities[$0] > 0 && exemplars[$0].visitType != .emergency && isAllowed($0)
    }.sorted { (similarities[$0], $1) > (similarities[$1], $0) }.prefix(Self.voters)
    let total = near.reduce(0) { $0 + similarities[$1] }
    return types.map { type in
      guard total > 0 else { return 0 }
      return Self.visitVote
        * near.reduce(0) { $0 + (exemplars[$1].visitType.rawValue == type ? similarities[$1] : 0) } / total
    }
  }

  static func text(ids: [String], weights: [[Double]], head: [(String, String)]) -> String {
    let rows = zip(ids, weights).map { id, cells in
      ([id] + cells.map { abs($0) < 0.001 ? "" : "\(($0 * 1000).rounded() / 1000)" }).joined(separator: "\t")
    }
    return (head.map { "# \($0.0): \($0.1)" } + [(["id"] + levels).joined(separator: "\t")] + rows)
      .joined(separator: "\n") + "\n"
  }
}
