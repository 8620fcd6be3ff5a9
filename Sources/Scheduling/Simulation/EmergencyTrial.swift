import Clinical
internal import Glibc

extension BusyDay {
  /// A number's natural logarithm.
  static func logarithm(_ value: Double) -> Double { log(value) }
}

/// What became of the emergencies of simulated days.
public struct EmergencyTrial: Hashable, Sendable {
  public private(set) var days = 0
  public private(set) var arrivals = 0
  /// Those that begin before the latest moment their level allows.
  public private(set) var placed = 0
  /// Those that begin within the target wait.
  public private(set) var withinTarget = 0
  /// Others moved, over all that were placed.
  public private(set) var moved = 0
  /// Minutes waited by those placed.
  public private(set) var waited = 0
  /// How many would have been in time without anybody moving.
  public private(set) var placedWithoutMoves = 0
  /// Seconds each search took, by the caller's clock.
  public private(set) var seconds: [Double] = []
  /// Share of the working minutes that were booked before the first arrival.
  public private(set) var bookedShare = 0.0

  public init() {}

  public var placedShare: Double { arrivals > 0 ? Double(placed) / Double(arrivals) : 1 }
  public var meanMoves: Double { placed > 0 ? Double(moved) / Double(placed) : 0 }
  public var meanWait: Double { placed > 0 ? Double(waited) / Double(placed) : 0 }

  /// Lives through a day: each case is given its place when it comes in, and the day goes on with what that left.
  ///
  /// - Parameters:
  ///   - day: the day and its cases.
  ///   - rules: worth and costs.
  ///   - clock: seconds that never run back.
  public mutating func run(_ day: BusyDay.Day, rules: SchedulingRules, clock: () -> Double) {
    var today = day.day
    days += 1
    let working = Double(today.staff.count * 525)
    bookedShare +=
      (Double(today.appointments.reduce(0) { $0 + $1.durationMinutes }) / working - bookedShare) / Double(days)
    for emergency in day.emergencies {
      let now = emergency.receivedAt
      arrivals += 1
      var still = EmergencyPlanner(rules: rules)
      still.mostMoves = 0
      if still.plan(emergency, on: today, now: now)?.isInTime == true { placedWithoutMoves += 1 }
      let began = clock()
      let plan = EmergencyPlanner(rules: rules).plan(
        emergency, on: today, details: day.details, now: now)
      seconds.append(clock() - began)
      guard let plan else { continue }
      if plan.isInTime {
        placed += 1
        moved += plan.moves.count
        waited += plan.wait
        if plan.meetsTarget { withinTarget += 1 }
      }
      for move in plan.moves {
        guard let index = today.appointments.firstIndex(where: { $0.id == move.id }) else { continue }
        today.appointments[index].start = move.after.start
        today.appointments[index].clinicianID = move.after.clinicianID
        today.appointments[index].resourceIDs = move.after.resourceIDs
      }
      today.appointments.append(
        Appointment(
          id: emergency.id, patientID: emergency.patientID, clinicianID: plan.visit.clinicianID,
          resourceIDs: plan.visit.resourceIDs, start: plan.visit.start, durationMinutes: plan.visit.minutes,
          visitType: emergency.visitType))
      var wish = AppointmentOptions()
      wish.urgency = emergency.urgency
      today.options[emergency.id] = wish
    }
  }
}
