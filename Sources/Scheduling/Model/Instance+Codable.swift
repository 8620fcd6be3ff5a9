public import FoundationEssentials

extension Instance: Codable {
  private enum CodingKeys: String, CodingKey {
    case schema, name, seed, slotMinutes, dayLen, openSlots, days, planQuantile, balance, pools, vets, jobs
  }

  /// Reads an instance file.
  ///
  /// - Throws: ``SchedulingError``; for text that is no instance at all, with the path to where reading failed.
  public init(json: Data) throws(SchedulingError) {
    do {
      self = try JSONDecoder().decode(Instance.self, from: json)
    } catch let error as SchedulingError {
      throw error
    } catch let error as DecodingError {
      throw SchedulingError(decoding: error)
    } catch {
      throw SchedulingError(.unreadable, field: "instance", value: "the text", problem: "is not JSON")
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let schema = try container.decode(String.self, forKey: .schema)
    guard schema == Self.schema else {
      throw SchedulingError(.unknownSchema, field: "schema", value: schema, problem: "is not \(Self.schema)")
    }
    let days = try container.decode(Int.self, forKey: .days)
    let dayLength = try container.decode(Int.self, forKey: .dayLen)
    try self.init(
      name: container.decode(String.self, forKey: .name),
      seed: container.decodeIfPresent(Int.self, forKey: .seed) ?? 0,
      slotMinutes: container.decode(Int.self, forKey: .slotMinutes),
      dayLength: dayLength,
      openSlots: container.decodeIfPresent(Int.self, forKey: .openSlots) ?? dayLength,
      days: days,
      planQuantile: container.decodeIfPresent(Double.self, forKey: .planQuantile) ?? 0.7,
      balance: container.decode(Balance.self, forKey: .balance),
      pools: container.decode([Pool].self, forKey: .pools),
      vets: container.decode([Vet].self, forKey: .vets),
      jobs: container.decode([Job].self, forKey: .jobs))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.schema, forKey: .schema)
    try container.encode(name, forKey: .name)
    try container.encode(seed, forKey: .seed)
    try container.encode(slotMinutes, forKey: .slotMinutes)
    try container.encode(dayLength, forKey: .dayLen)
    try container.encode(openSlots, forKey: .openSlots)
    try container.encode(days, forKey: .days)
    try container.encode(planQuantile, forKey: .planQuantile)
    try container.encode(balance, forKey: .balance)
    try container.encode(pools, forKey: .pools)
    try container.encode(vets, forKey: .vets)
    try container.encode(jobs, forKey: .jobs)
  }
}

extension SchedulingError {
  init(decoding error: DecodingError) {
    let (context, problem): (DecodingError.Context, String) =
      switch error {
      case .keyNotFound(let key, let context): (context, "the key \(key.stringValue) is missing")
      case .typeMismatch(let type, let context): (context, "is not of type \(type)")
      case .valueNotFound(let type, let context): (context, "null where a value of type \(type) belongs")
      case .dataCorrupted(let context): (context, "is not readable")
      @unknown default: (.init(codingPath: [], debugDescription: ""), "is not readable")
      }
    let path = context.codingPath.reduce(into: "") { path, key in
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    self.init(.unreadable, field: path.isEmpty ? "instance" : path, value: "the text", problem: problem)
  }
}

extension Instance.Break: Codable {
  private enum CodingKeys: String, CodingKey {
    case length = "len"
    case start
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    length = try container.decode(Int.self, forKey: .length)
    start = try ClosedRange(container.decode(Bounds.self, forKey: .start))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(length, forKey: .length)
    try container.encode(Bounds(start), forKey: .start)
  }
}

extension Instance.Vet: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, speed, skills
    case available = "avail"
    case breaks, t1, t2
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      id: container.decode(String.self, forKey: .id),
      speed: container.decodeIfPresent(Double.self, forKey: .speed) ?? 1,
      skills: container.decodeIfPresent([String: Double].self, forKey: .skills) ?? [:],
      available: container.decode([Bounds].self, forKey: .available).map {
        Range(uncheckedBounds: ($0.lower, $0.upper))
      },
      breaks: container.decode([Instance.Break].self, forKey: .breaks),
      t1: container.decode(Int.self, forKey: .t1),
      t2: container.decode(Int.self, forKey: .t2))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(speed, forKey: .speed)
    try container.encode(skills, forKey: .skills)
    try container.encode(available.map { Bounds(lower: $0.lowerBound, upper: $0.upperBound) }, forKey: .available)
    try container.encode(breaks, forKey: .breaks)
    try container.encode(t1, forKey: .t1)
    try container.encode(t2, forKey: .t2)
  }
}

/// Two numbers in order, as the file writes a range: `[lower, upper]`.
struct Bounds: Codable {
  var lower: Int
  var upper: Int

  init(lower: Int, upper: Int) {
    self.lower = lower
    self.upper = upper
  }

  init(_ range: ClosedRange<Int>) {
    self.init(lower: range.lowerBound, upper: range.upperBound)
  }

  /// - Throws: ``SchedulingError`` when the numbers stand the wrong way round; ranges can't hold such a pair.
  init(from decoder: any Decoder) throws {
    var pair = try decoder.unkeyedContainer()
    lower = try pair.decode(Int.self)
    upper = try pair.decode(Int.self)
    guard lower <= upper else {
      let path = decoder.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
      throw SchedulingError(
        .invalidValue, field: String(path.drop { $0 == "." }), value: "[\(lower), \(upper)]",
        problem: "a range begins after its end")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var pair = encoder.unkeyedContainer()
    try pair.encode(lower)
    try pair.encode(upper)
  }
}

extension ClosedRange<Int> {
  init(_ bounds: Bounds) {
    self = bounds.lower...bounds.upper
  }
}
