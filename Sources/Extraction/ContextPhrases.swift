import Clinical

/// Words beside a drug, test or vaccine that say how, how often, which side, with what result: `fact-context.tsv`.
struct ContextPhrases: Sendable {
  struct Hit: Sendable {
    let axis: String
    let value: String
    let words: Range<Int>
  }

  private struct Row: Sendable {
    let axis: String
    let value: String
    /// The spelling that must be matched byte for byte; nil when case does not matter.
    let exact: [UInt8]?
  }

  private var rows: [Row] = []
  private var matcher = PhraseMatcher(allowsPlural: false)

  init(table: DataTable) throws(DataTableError) {
    for row in table.rows {
      for written in row.list("forms") {
        let isExact = written.hasPrefix("=")
        let form = isExact ? String(written.dropFirst()) : written
        guard matcher.add(form, payload: rows.count, classes: nil) else {
          throw row.error("forms", "has '\(written)', which has no words")
        }
        rows.append(Row(axis: row["axis"], value: row["value"], exact: isExact ? Array(form.utf8) : nil))
      }
    }
  }

  /// The phrases in a range of words, in order; on one axis they do not overlap, the longest winning.
  func hits(in range: Range<Int>, of text: ScannedText, axes: Set<String>) -> [Hit] {
    var result: [Hit] = []
    var free: [String: Int] = [:]
    for index in range {
      let found = matcher.matches(at: index, in: text).filter { match in
        let row = rows[match.payload]
        guard match.end <= range.upperBound, axes.contains(row.axis), index >= free[row.axis] ?? 0 else { return false }
        return row.exact.map { text.bytes[text.byteRange(of: index..<match.end)].elementsEqual($0) } ?? true
      }
      for axis in axes.sorted() {
        let onAxis = found.filter { rows[$0.payload].axis == axis }
        guard let longest = onAxis.max(by: { $0.end < $1.end }) else { continue }
        result.append(Hit(axis: axis, value: rows[longest.payload].value, words: index..<longest.end))
        free[axis] = longest.end
      }
    }
    return result
  }

  /// The hit nearest to `target`, ties going to the one before it.
  func nearest(to target: Range<Int>, in range: Range<Int>, of text: ScannedText, axis: String) -> Hit? {
    let all = hits(in: range, of: text, axes: [axis]).filter { !$0.words.overlaps(target) }
    func distance(_ hit: Hit) -> Int {
      hit.words.upperBound <= target.lowerBound
        ? target.lowerBound - hit.words.upperBound : hit.words.lowerBound - target.upperBound
    }
    return all.min { (distance($0), $0.words.lowerBound) < (distance($1), $1.words.lowerBound) }
  }
}
