import Clinical

/// Words beside a drug, test or vaccine that say how, how often, which side, with what result: `fact-context.tsv`.
struct ContextPhrases: Sendable {
  /// What a phrase tells; where hits begin at one word they come in this order.
  enum Axis: String, CaseIterable, Sendable {
    case action, disease, flag, frequency, result, route, side, vaccination, vaccine
  }

  /// What a phrase means, by its axis.
  enum Meaning: Hashable, Sendable {
    case action(TreatmentAction)
    case disease
    case flag(LabFlag)
    case frequency(Frequency)
    case result(TestResult)
    case route(DrugRoute)
    case side(Laterality)
    case vaccination(TreatmentAction)
    case vaccine

    /// Nil where the axis has no such value.
    init?(_ axis: Axis, value: String) {
      let meaning: Meaning? =
        switch axis {
        case .action: TreatmentAction(rawValue: value).map(Meaning.action)
        case .disease: .disease
        case .flag: LabFlag(rawValue: value).map(Meaning.flag)
        case .frequency: Frequency(rawValue: value).map(Meaning.frequency)
        case .result: TestResult(rawValue: value).map(Meaning.result)
        case .route: DrugRoute(rawValue: value).map(Meaning.route)
        case .side: Laterality(rawValue: value).map(Meaning.side)
        case .vaccination: TreatmentAction(rawValue: value).map(Meaning.vaccination)
        case .vaccine: .vaccine
        }
      guard let meaning else { return nil }
      self = meaning
    }
  }

  /// Axes as bits: phrases are looked for around every drug, test and finding.
  struct Axes: OptionSet, Sendable {
    let rawValue: UInt16

    static let action = Axes(.action)
    static let disease = Axes(.disease)
    static let flag = Axes(.flag)
    static let frequency = Axes(.frequency)
    static let result = Axes(.result)
    static let route = Axes(.route)
    static let side = Axes(.side)
    static let vaccination = Axes(.vaccination)
    static let vaccine = Axes(.vaccine)

    init(rawValue: UInt16) { self.rawValue = rawValue }
    init(_ axis: Axis) { rawValue = 1 << UInt16(Axis.allCases.firstIndex(of: axis) ?? 0) }
  }

  struct Hit: Sendable {
    let axis: Axes
    let meaning: Meaning
    let words: Range<Int>

    /// What was done with a drug or a vaccine.
    var action: TreatmentAction? {
      switch meaning {
      case .action(let action), .vaccination(let action): action
      default: nil
      }
    }

    var flag: LabFlag? { if case .flag(let flag) = meaning { flag } else { nil } }
    var frequency: Frequency? { if case .frequency(let frequency) = meaning { frequency } else { nil } }
    var result: TestResult? { if case .result(let result) = meaning { result } else { nil } }
    var route: DrugRoute? { if case .route(let route) = meaning { route } else { nil } }
    var side: Laterality? { if case .side(let side) = meaning { side } else { nil } }
  }

  private struct Row: Sendable {
    let axis: Axes
    let meaning: Meaning
    /// The spelling that must be matched byte for byte; nil when case does not matter.
    let exact: [UInt8]?
  }

  private var rows: [Row] = []
  private var matcher = PhraseMatcher(allowsPlural: false)

  /// - Parameters:
  ///   - table: `fact-context.tsv`.
  ///   - classes: those that phrases name; without them none may.
  /// - Throws: ``DataTableError`` for an axis or a value that there is none of, and for a phrase that can't be read.
  init(table: DataTable, classes: WordClasses? = nil) throws(DataTableError) {
    for row in table.rows {
      guard let axis = Axis(rawValue: row["axis"]) else { throw row.error("axis", "is no axis") }
      guard let meaning = Meaning(axis, value: row["value"]) else {
        throw row.error("value", "is no value of the axis \(axis.rawValue)")
      }
      for written in row.list("forms") {
        let isExact = written.hasPrefix("=")
        let form = isExact ? String(written.dropFirst()) : written
        guard matcher.add(form, payload: rows.count, classes: classes) else {
          throw row.error("forms", "has '\(written)', which has no words or names no class")
        }
        rows.append(Row(axis: Axes(axis), meaning: meaning, exact: isExact ? Array(form.utf8) : nil))
      }
    }
  }

  /// The phrases in a range of words, in order; on one axis they do not overlap, the longest winning.
  func hits(in range: Range<Int>, of text: ScannedText, axes: Axes) -> [Hit] {
    var result: [Hit] = []
    for index in range {
      let found = matcher.matches(at: index, in: text)
      if found.isEmpty { continue }
      for bit in 0..<Axis.allCases.count {
        let axis = Axes(rawValue: 1 << UInt16(bit))
        guard axes.contains(axis), !result.contains(where: { $0.axis == axis && $0.words.upperBound > index }) else {
          continue
        }
        var best: PhraseMatcher.Match?
        for match in found where match.end <= range.upperBound && match.end > best?.end ?? index {
          if rows[match.payload].axis == axis, isWritten(rows[match.payload], index..<match.end, text) { best = match }
        }
        guard let best else { continue }
        result.append(Hit(axis: axis, meaning: rows[best.payload].meaning, words: index..<best.end))
      }
    }
    return result
  }

  private func isWritten(_ row: Row, _ words: Range<Int>, _ text: ScannedText) -> Bool {
    row.exact.map { text.bytes[text.byteRange(of: words)].elementsEqual($0) } ?? true
  }

  /// The hit nearest to `target`, ties going to the one before it.
  func nearest(to target: Range<Int>, in range: Range<Int>, of text: ScannedText, axis: Axes) -> Hit? {
    func distance(_ hit: Hit) -> Int {
      hit.words.upperBound <= target.lowerBound
        ? target.lowerBound - hit.words.upperBound : hit.words.lowerBound - target.upperBound
    }
    var best: Hit?
    for hit in hits(in: range, of: text, axes: axis) where !hit.words.overlaps(target) {
      if best.map({ distance(hit) < distance($0) }) ?? true { best = hit }
    }
    return best
  }
}
