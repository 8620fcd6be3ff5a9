public import Clinical
internal import Glibc

/// A visit as it is planned, with what is known about how long it may take.
public struct RiskVisit: Hashable, Sendable {
  public let id: String
  public let clinicianID: String?
  public let resourceIDs: [String]
  public let start: Timestamp
  /// What the plan reserves.
  public let minutes: Int
  public let duration: PredictedDuration
  /// On the road before and after.
  public let travelBefore: Int
  public let travelAfter: Int

  public init(
    id: String, clinicianID: String?, resourceIDs: [String], start: Timestamp, minutes: Int,
    duration: PredictedDuration, travelBefore: Int = 0, travelAfter: Int = 0
  ) {
    self.id = id
    self.clinicianID = clinicianID
    self.resourceIDs = resourceIDs
    self.start = start
    self.minutes = minutes
    self.duration = duration
    self.travelBefore = travelBefore
    self.travelAfter = travelAfter
  }
}

/// What a day's plan risks, from many simulated days.
public struct DayRisk: Hashable, Sendable {
  public struct Visit: Hashable, Sendable {
    public let id: String
    /// Minutes it begins late, on average.
    public let meanDelay: Double
    /// Minutes late that 95 of 100 days stay within.
    public let p95Delay: Double
    /// The chance that it takes longer than the plan reserves.
    public let overrun: Double
  }

  public struct Clinician: Hashable, Sendable {
    public let id: String
    /// Minutes that the plan reserves.
    public let reserved: Int
    /// Minutes of work on average.
    public let expected: Double
    /// Minutes that the last visit ends after its planned end, on average and on 95 of 100 days at most.
    public let meanLate: Double
    public let p95Late: Double
  }

  /// In the order of planned start, then of id.
  public let visits: [Visit]
  /// By id.
  public let clinicians: [Clinician]
  /// Minutes a visit begins late, on average over visits and days.
  public let meanDelay: Double
  /// Minutes late that 95 of 100 visits stay within.
  public let p95Delay: Double
  public let days: Int
}

/// Lives through a planned day many times, each visit as long as chance has it.
///
/// A visit begins at its time, or when its clinician and its rooms, cleaned, are free; the order of the plan is kept and
/// nobody comes early. Breaks give way: what is left of them is what the delays leave.
public struct DaySimulation: Sendable {
  public let visits: [RiskVisit]
  private let cleaning: [String: Int]
  private let capacity: [String: Int]

  public init(visits: [RiskVisit], resources: [Resource]) {
    self.visits = visits.sorted { ($0.start, $0.id) < ($1.start, $1.id) }
    cleaning = Dictionary(resources.map { ($0.id, $0.cleaningMinutes) }, uniquingKeysWith: { first, _ in first })
    capacity = Dictionary(resources.map { ($0.id, $0.capacity) }, uniquingKeysWith: { first, _ in first })
  }

  /// - Parameters:
  ///   - days: how many days to simulate.
  ///   - seed: the same seed gives the same days on every machine.
  /// - Returns: delays and overruns; all 0 for an empty day.
  /// - Complexity: O(days × visits).
  public func risk(days: Int = 2000, seed: UInt64 = 1) -> DayRisk {
    let days = max(1, days)
    var random = SplitMix64(seed: seed)
    let clinicians = Array(Set(visits.compactMap(\.clinicianID))).sorted()
    let seat = Dictionary(uniqueKeysWithValues: clinicians.enumerated().map { ($0.element, $0.offset) })
    let rooms = Array(Set(visits.flatMap(\.resourceIDs))).sorted()
    let room = Dictionary(uniqueKeysWithValues: rooms.enumerated().map { ($0.element, $0.offset) })
    let origin = visits.first?.start ?? Timestamp(seconds: 0)
    let planned = visits.map { Double($0.start.minutes(since: origin)) }
    let seats = visits.map { $0.clinicianID.flatMap { seat[$0] } }
    let held = visits.map { $0.resourceIDs.compactMap { room[$0] } }
    var delays = visits.map { _ in [Double]() }
    var overruns = [Int](repeating: 0, count: visits.count)
    var late = clinicians.map { _ in [Double]() }
    var worked = [Double](repeating: 0, count: clinicians.count)
    let lastEnd = clinicians.indices.map { number in
      zip(visits, planned).filter { seat[$0.0.clinicianID ?? ""] == number }.map { $0.1 + Double($0.0.minutes) }.max()
        ?? 0
    }
    for _ in 0..<days {
      var free = [Double](repeating: -.infinity, count: clinicians.count)
      var units = rooms.map { [Double](repeating: -.infinity, count: max(1, capacity[$0] ?? 1)) }
      var ends = lastEnd
      for (index, visit) in visits.enumerated() {
        let length = visit.duration.p50 * exp(visit.duration.sigma * Self.normal(&random))
        var start = planned[index]
        if let seat = seats[index] { start = max(start, free[seat] + Double(visit.travelBefore)) }
        for room in held[index] { start = max(start, units[room].min() ?? start) }
        delays[index].append(start - planned[index])
        if length > Double(visit.minutes) { overruns[index] += 1 }
        if let seat = seats[index] {
          free[seat] = start + length + Double(visit.travelAfter)
          worked[seat] += length
          ends[seat] = max(ends[seat], start + length)
        }
        for room in held[index] {
          let unit = units[room].indices.min { units[room][$0] < units[room][$1] } ?? 0
          units[room][unit] = start + length + Double(cleaning[rooms[room]] ?? 0)
        }
      }
      for number in clinicians.indices { late[number].append(ends[number] - lastEnd[number]) }
    }
    return DayRisk(
      visits: visits.indices.map { index in
        DayRisk.Visit(
          id: visits[index].id, meanDelay: Self.mean(delays[index]), p95Delay: Self.quantile(0.95, of: delays[index]),
          overrun: Double(overruns[index]) / Double(days))
      },
      clinicians: clinicians.indices.map { number in
        DayRisk.Clinician(
          id: clinicians[number],
          reserved: visits.filter { $0.clinicianID == clinicians[number] }.reduce(0) { $0 + $1.minutes },
          expected: worked[number] / Double(days), meanLate: Self.mean(late[number]),
          p95Late: Self.quantile(0.95, of: late[number]))
      },
      meanDelay: Self.mean(Array(delays.joined())), p95Delay: Self.quantile(0.95, of: Array(delays.joined())),
      days: days)
  }

  /// A standard normal number.
  ///
  /// - Source: G. E. P. Box, M. E. Muller, "A Note on the Generation of Random Normal Deviates", Ann. Math. Stat. 1958;29:610–611.
  private static func normal(_ random: inout SplitMix64) -> Double {
    let radius = (-2 * log(1 - random.nextUnit())).squareRoot()
    return radius * cos(2 * .pi * random.nextUnit())
  }

  private static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }

  /// The smallest value that a share of all doesn't exceed.
  private static func quantile(_ share: Double, of values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
  }
}
