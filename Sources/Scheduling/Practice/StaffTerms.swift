import Clinical

/// What somebody may do, which is binding, and what they would like, which has a price.
struct CredentialCheck {
  /// The names that the practice keeps track of.
  let kept: Set<String>

  /// Those of a visit's credentials that are asked for here.
  func asked(_ need: VisitResources.Need) -> [String] { need.credentials.filter { kept.contains($0.lowercased()) } }

  enum Validity {
    case always, never
    /// This day included.
    case until(CalendarDate)
  }

  /// How long somebody may take such visits.
  func validity(of member: StaffMember, for need: VisitResources.Need) -> Validity {
    var last: CalendarDate?
    for name in asked(need) {
      let own = member.credentials.filter { $0.name.lowercased() == name.lowercased() }
      if own.isEmpty { return .never }
      if own.contains(where: { $0.expires == nil }) { continue }
      guard let expires = own.compactMap(\.expires).max() else { return .never }
      last = min(last ?? expires, expires)
    }
    return last.map { .until($0) } ?? .always
  }

  /// Why somebody may not take such a visit on a day, in words; nil where they may.
  func problem(_ member: StaffMember, _ need: VisitResources.Need, on date: CalendarDate) -> String? {
    for name in asked(need) {
      let own = member.credentials.filter { $0.name.lowercased() == name.lowercased() }
      if own.isEmpty { return "\(member.id) has no credential for \(name)" }
      if !own.contains(where: { $0.holds(on: date) }) {
        let last = own.compactMap(\.expires).max().map { " on \($0)" } ?? ""
        return "\(member.id)'s credential for \(name) expired\(last)"
      }
    }
    return nil
  }
}

/// What going against somebody's preferences costs.
struct LoadCost {
  /// In 1/100 point, with why.
  struct Part {
    let description: String
    let amount: Int
    /// Whether it is about when the visit begins, and not about how many there are.
    var isLate = false
  }

  let rules: SchedulingRules

  /// For one more visit.
  ///
  /// - Parameters:
  ///   - member: who takes it.
  ///   - type: of the visit.
  ///   - minutes: its length.
  ///   - minuteOfDay: local time at which it begins.
  ///   - others: types of the visits that they have on that day already.
  /// - Returns: a part for each preference that it goes against.
  func parts(
    _ member: StaffMember, type: VisitType?, minutes: Int, minuteOfDay: Int, beside others: [VisitType?]
  ) -> [Part] {
    let load = member.load
    if load.isEmpty { return [] }
    var parts: [Part] = []
    if let name = type?.rawValue, let most = load.mostPerDay[name] {
      let count = others.count { $0?.rawValue == name }
      if count >= most {
        parts.append(
          Part(
            description: "\(member.name) would like at most \(most) of \(name) in a day, and has \(count)",
            amount: rules.amount(.loadCost)))
      }
    }
    if let most = load.mostPerDay["*"], others.count >= most {
      parts.append(
        Part(
          description: "\(member.name) would like at most \(most) visits in a day, and has \(others.count)",
          amount: rules.amount(.loadCost)))
    }
    if let latest = load.latestLongStart, minutes >= load.longMinutes, minuteOfDay > latest {
      parts.append(
        Part(
          description:
            "\(member.name) would like to begin no visit of \(load.longMinutes) minutes or more after \(clock(latest))",
          amount: rules.amount(.lateLongCost), isLate: true))
    }
    return parts
  }

  private func clock(_ minutes: Int) -> String {
    let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}

extension DayBoard {
  /// The types of the visits that somebody has on the day of a moment.
  func visitTypes(ofSeat seat: Int, on date: CalendarDate) -> [VisitType?] {
    bookings.filter { $0.seat == seat && self.date(of: $0.time.lowerBound) == date }.map(\.appointment.visitType)
  }

  /// What a visit that begins at a slot would cost against its clinician's preferences.
  func loadCost(
    _ seat: Int, _ type: VisitType?, minutes: Int, start: Timestamp, _ rules: SchedulingRules
  ) -> [LoadCost.Part] {
    let member = seats[seat].member
    if member.load.isEmpty { return [] }
    let day = date(of: start)
    return LoadCost(rules: rules).parts(
      member, type: type, minutes: minutes, minuteOfDay: start.minutes(since: midnight(of: day)),
      beside: visitTypes(ofSeat: seat, on: day))
  }
}
