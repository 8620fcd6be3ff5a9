/// A plan's value taken apart: what each visit earns and loses by which rule, and what each vet's load costs.
///
/// The parts are computed first and the value is their sum. Order is fixed: jobs in the instance's order, each with its
/// rules in the order of ``Constraint``, then vets.
public struct ScoreAnalysis: Hashable, Sendable {
  /// A soft rule of the model.
  public enum Constraint: String, CaseIterable, Comparable, Sendable {
    /// Earned by having a place.
    case placed
    /// Earned by the fit of clinician and case, and by continuity.
    case fit
    /// Lost by starting before the best time.
    case early
    /// Lost by starting after the best time.
    case late
    /// Lost by starting after the target.
    case pastTarget = "past target"
    /// Lost by a load beyond the vet's thresholds.
    case overtime

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  public enum Subject: Hashable, Sendable {
    case job(Int)
    case vet(Int)
  }

  /// One part of the value, in 1/100 point; never 0.
  public struct Part: Hashable, Sendable {
    public let subject: Subject
    /// The id of the job or vet.
    public let id: String
    public let constraint: Constraint
    public let value: Int
  }

  /// A part that two plans differ in.
  public struct Difference: Hashable, Sendable {
    public let subject: Subject
    public let id: String
    public let constraint: Constraint
    public let before: Int
    public let after: Int

    public var change: Int { after - before }
  }

  public let parts: [Part]

  /// The plan's value in 1/100 point.
  public var value: Int { parts.reduce(0) { $0 + $1.value } }

  /// - Precondition: the plan has an entry for each of the instance's jobs, on candidates of theirs.
  public init(_ plan: Plan, of instance: Instance) {
    precondition(plan.jobs.count == instance.jobs.count, "\(plan.jobs.count) of \(instance.jobs.count) jobs")
    var parts: [Part] = []
    var loads = [Int](repeating: 0, count: instance.vets.count)
    for (index, job) in instance.jobs.enumerated() {
      guard let placement = job.pin ?? plan.jobs[index], let candidate = job.candidate(placement.vet) else { continue }
      loads[placement.vet] += candidate.slots
      if job.pin != nil { continue }
      let start = placement.start
      let values: [(Constraint, Int)] = [
        (.placed, job.base), (.fit, candidate.bonus), (.early, -job.e * max(0, job.p - start)),
        (.late, -job.l * max(0, start - job.p)), (.pastTarget, -job.l2 * max(0, start - job.q)),
      ]
      for (constraint, value) in values where value != 0 {
        parts.append(Part(subject: .job(index), id: job.id, constraint: constraint, value: value))
      }
    }
    for (index, vet) in instance.vets.enumerated() {
      let cost =
        instance.balance.c1 * max(0, loads[index] - vet.t1) + instance.balance.c2 * max(0, loads[index] - vet.t2)
      if cost != 0 { parts.append(Part(subject: .vet(index), id: vet.id, constraint: .overtime, value: -cost)) }
    }
    self.parts = parts
  }

  public func total(_ constraint: Constraint) -> Int {
    parts.reduce(0) { $1.constraint == constraint ? $0 + $1.value : $0 }
  }

  public func parts(of subject: Subject) -> [Part] { parts.filter { $0.subject == subject } }

  /// What differs in `other`, a plan of the same instance: the changes sum to the difference of the values.
  public func diff(_ other: ScoreAnalysis) -> [Difference] {
    struct Key: Hashable {
      let subject: Subject
      let constraint: Constraint
    }
    var before: [Key: Part] = [:]
    var after: [Key: Part] = [:]
    for part in parts { before[Key(subject: part.subject, constraint: part.constraint)] = part }
    for part in other.parts { after[Key(subject: part.subject, constraint: part.constraint)] = part }
    return Set(before.keys).union(after.keys).compactMap { key in
      let (old, new) = (before[key], after[key])
      guard old?.value != new?.value, let id = old?.id ?? new?.id else { return nil }
      return Difference(
        subject: key.subject, id: id, constraint: key.constraint, before: old?.value ?? 0, after: new?.value ?? 0)
    }.sorted { ($0.subject.order, $0.constraint) < ($1.subject.order, $1.constraint) }
  }
}

extension ScoreAnalysis.Subject {
  /// Jobs before vets, each by number.
  fileprivate var order: Int {
    switch self {
    case .job(let index): index
    case .vet(let index): 1 << 40 + index
    }
  }
}
