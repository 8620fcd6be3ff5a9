/// An answer to an ``Instance``: who does what from when, what that is worth, and how much more could be possible.
public struct Plan: Hashable, Sendable {
  /// In 1/100 point; see ``PlanValidator``.
  public var value: Int
  /// No plan for the instance is worth more than this.
  public var upperBound: Int
  /// One entry per job, pinned ones included, nil where the job found no place.
  public var jobs: [Placement?]
  /// One entry per break, in the order of the vets and of their breaks.
  public var breaks: [Placement]
  /// Seconds the search took, by the caller's clock.
  public var seconds: Double

  public init(value: Int, upperBound: Int, jobs: [Placement?], breaks: [Placement], seconds: Double) {
    self.value = value
    self.upperBound = upperBound
    self.jobs = jobs
    self.breaks = breaks
    self.seconds = seconds
  }

  /// `value / upperBound`, 1 for a plan that is proven best; 1 also where nothing can be earned.
  public var score: Double { upperBound > 0 ? Double(value) / Double(upperBound) : 1 }
}

extension Plan: Codable {
  private enum CodingKeys: String, CodingKey {
    case value
    case upperBound = "upper_bound"
    case assign, seconds
  }

  /// Reads a plan file.
  ///
  /// `assign` is one list of jobs, then breaks; only the instance tells where the jobs end, so decoding puts all of it
  /// into ``jobs`` and ``split(for:)`` parts it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    value = try container.decode(Int.self, forKey: .value)
    upperBound = try container.decodeIfPresent(Int.self, forKey: .upperBound) ?? 0
    jobs = try container.decode([Placement?].self, forKey: .assign)
    breaks = []
    seconds = try container.decodeIfPresent(Double.self, forKey: .seconds) ?? 0
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value, forKey: .value)
    try container.encode(upperBound, forKey: .upperBound)
    try container.encode(jobs + breaks.map { $0 }, forKey: .assign)
    try container.encode(seconds, forKey: .seconds)
  }

  /// The plan with the entries after the instance's jobs taken as breaks.
  ///
  /// - Throws: ``SchedulingError`` when the list is too short, or a break is null.
  public func split(for instance: Instance) throws(SchedulingError) -> Plan {
    let count = instance.jobs.count
    let all = jobs + breaks.map { $0 }
    guard all.count >= count else {
      throw SchedulingError(
        .invalidValue, field: "assign", value: "\(all.count) entries", problem: "the instance has \(count) jobs")
    }
    var plan = self
    plan.jobs = Array(all[..<count])
    plan.breaks = []
    for (index, entry) in all[count...].enumerated() {
      guard let entry else {
        throw SchedulingError(
          .invalidValue, field: "assign[\(count + index)]", value: "null", problem: "a break has to be placed")
      }
      plan.breaks.append(entry)
    }
    return plan
  }
}
