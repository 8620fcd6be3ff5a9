import Clinical

/// What reserving more or less of the predicted time buys: more visits against fewer delays.
public struct ReserveTradeOff: Hashable, Sendable {
  public struct Row: Hashable, Sendable {
    /// Of the predicted duration.
    public let quantile: Double
    /// Visits that found a place, of all.
    public let placed: Int
    public let asked: Int
    /// Minutes reserved for them.
    public let reserved: Int
    /// Minutes a visit begins late, on average, and what 95 of 100 stay within.
    public let meanDelay: Double
    public let p95Delay: Double
  }

  public let rows: [Row]

  /// Plans the same visits afresh with each quantile, on a day with nothing booked, and lives through each plan.
  ///
  /// - Parameters:
  ///   - requests: the day's visits, each wishing for the time it has.
  ///   - day: who works and which rooms there are; its appointments are not looked at.
  ///   - rules: worth and costs; their own quantile is replaced.
  ///   - quantiles: what to try; a row each.
  ///   - seed: of plans and days.
  /// - Throws: ``SchedulingError`` for values that can't be planned with.
  public init(
    _ requests: [VisitRequest], on day: PracticeDay, rules: SchedulingRules,
    quantiles: [Double] = [0.5, 0.6, 0.7, 0.8, 0.9], seed: UInt64 = 1
  ) throws(SchedulingError) {
    var empty = day
    empty.appointments = []
    empty.options = [:]
    let opens = day.dates.map { day.timeZone.timestamp(of: $0) }.min() ?? Timestamp(seconds: 0)
    // Who must wait and who knows of a visit when doesn't matter here: everybody wishes for the time they have.
    let wishes = requests.map { request in
      var wish = request
      wish.urgency = nil
      wish.requestedMinutes = nil
      wish.receivedAt = opens
      return wish
    }
    var rows: [Row] = []
    for quantile in quantiles {
      let reserving = rules.reserving(quantile: min(0.99, max(0.01, quantile)))
      let proposal = try DayOptimizer(
        rules: reserving, configuration: .init(seed: seed, iterationLimit: 1500, bound: .init(iterationLimit: 10))
      ).optimize(empty, requests: wishes, now: opens) { 0 }
      let byID = Dictionary(wishes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      let visits = proposal.changes.compactMap { change in
        byID[change.id].map { wish in
          RiskVisit(
            id: change.id, clinicianID: change.after.clinicianID, resourceIDs: change.after.resourceIDs,
            start: change.after.start, minutes: change.after.minutes, duration: wish.duration,
            travelBefore: wish.travelBefore, travelAfter: wish.travelAfter)
        }
      }
      let risk = DaySimulation(visits: visits, resources: day.resources).risk(days: 500, seed: seed)
      rows.append(
        Row(
          quantile: quantile, placed: visits.count, asked: wishes.count,
          reserved: visits.reduce(0) { $0 + $1.minutes }, meanDelay: risk.meanDelay, p95Delay: risk.p95Delay))
    }
    self.rows = rows
  }
}
