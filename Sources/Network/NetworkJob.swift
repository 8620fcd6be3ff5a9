public import VetNet

/// What is done to each shard, and how two parts become one: all that an engine needs to know. Parts are bytes, the same for the same input.
public enum NetworkJob: Codable, Sendable {
  /// Whole practice files are re-indexed; portions of large ones are embedded, into a folder.
  case reindex(all: Bool, portions: String)
  /// Large practice files are re-indexed from what was embedded.
  case merge(folder: String)
  /// A round of a model that practices learn together.
  case terms(TermRound)
  case cases(SharedCaseQuery)
  case figures
  case suites

  /// Names of files, relative to the plan's folder, that a worker on another machine has to be sent.
  public var attachments: [String] {
    guard case .terms(let round) = self else { return [] }
    switch round {
    case .tags: return []
    case .counts(let admitted): return [admitted]
    case .sketch(let sketch): return [sketch.counts] + [sketch.directions].compactMap(\.self)
    }
  }

  /// The job with its files found in a folder.
  func resolved(in folder: String) -> NetworkJob {
    func path(_ name: String) -> String { name.hasPrefix("/") ? name : "\(folder)/\(name)" }
    switch self {
    case .reindex(let all, let name): return .reindex(all: all, portions: path(name))
    case .merge(let name): return .merge(folder: path(name))
    case .terms(.counts(let admitted)): return .terms(.counts(admitted: path(admitted)))
    case .terms(.sketch(var sketch)):
      sketch.counts = path(sketch.counts)
      sketch.directions = sketch.directions.map(path)
      return .terms(.sketch(sketch))
    case .terms(.tags), .cases, .figures, .suites: return self
    }
  }

  /// Two parts as one. The first is of shards that come before those of the second.
  ///
  /// - Throws: ``VetNet/PracticeError`` for parts that can't be read, or don't belong together.
  public func sum(_ left: [UInt8], _ right: [UInt8]) throws -> [UInt8] {
    switch self {
    case .reindex, .merge:
      try IndexedPractices(left).adding(IndexedPractices(right)).bytes()
    case .terms(.tags): try TagPartial(left).adding(TagPartial(right)).bytes()
    case .terms(.counts): try CountPartial(left).adding(CountPartial(right)).bytes()
    case .terms(.sketch): try SketchPartial(left).adding(SketchPartial(right)).bytes()
    case .cases: try JSONPart.bytes(JSONPart.value(left, SharedCases.self).adding(JSONPart.value(right)))
    case .figures: try JSONPart.bytes(JSONPart.value(left, SharedFigures.self).adding(JSONPart.value(right)))
    case .suites: try SuiteReports(left).adding(SuiteReports(right)).bytes()
    }
  }
}

/// Sums parts as a tree whose shape follows from their number alone: neighbours first. So the result is the same whoever worked
/// out the parts, and in whatever order they came.
public enum SumTree {
  /// - Parameters:
  ///   - parts: in the order of their shards; read one after the other.
  ///   - sum: adds two neighbours.
  /// - Returns: nil for no parts.
  /// - Complexity: holds log₂ n partial sums at once.
  public static func sum<Part>(
    _ parts: some Sequence<Part>, _ sum: (Part, Part) throws -> Part
  ) rethrows -> Part? {
    // Each sum with the number of parts in it, a power of two: those of a lower level are added as soon as there are two.
    var waiting: [(part: Part, count: Int)] = []
    for part in parts {
      var new = (part: part, count: 1)
      while let last = waiting.last, last.count == new.count {
        waiting.removeLast()
        new = (try sum(last.part, new.part), 2 * new.count)
      }
      waiting.append(new)
    }
    guard var result = waiting.popLast() else { return nil }
    while let left = waiting.popLast() { result = (try sum(left.part, result.part), left.count + result.count) }
    return result.part
  }
}
