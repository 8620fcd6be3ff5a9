public import Clinical

/// One of a practice's locations on the days that are planned: when it is open, and why it isn't.
public struct PracticeSite: Hashable, Sendable {
  public let id: String
  public let name: String
  /// Local minutes past midnight; no entry for a day on which it is closed.
  public let open: [CalendarDate: [Range<Int>]]
  /// Why it is closed all day where that is no ordinary day: a holiday's name, or what somebody said.
  public let closed: [CalendarDate: String]

  /// - Parameters:
  ///   - location: with its hours and its own days off, which count more than its region's holidays.
  ///   - dates: those that may be planned.
  ///   - holidays: of all regions.
  public init(_ location: Location, on dates: some Sequence<CalendarDate>, holidays: PublicHolidays) {
    id = location.id
    name = location.name
    var open: [CalendarDate: [Range<Int>]] = [:]
    var closed: [CalendarDate: String] = [:]
    var years: [Int: [CalendarDate: String]] = [:]
    for date in dates {
      let own = location.closures.filter { $0.days.contains(date) }
      if let region = location.region, years[date.year] == nil {
        years[date.year] = holidays.days(in: region, year: date.year)
      }
      if let closure = own.first(where: { !$0.isOpen }) {
        closed[date] = closure.reason ?? "closed"
      } else if let holiday = years[date.year]?[date], !own.contains(where: \.isOpen) {
        closed[date] = holiday
      } else {
        let hours =
          location.hours.isEmpty ? [0..<1440] : location.hours.filter { $0.weekday == date.weekday }.map(\.minutes)
        if !hours.isEmpty { open[date] = hours }
      }
    }
    self.open = open
    self.closed = closed
  }
}

// MARK: - Where

extension PracticeDay {
  /// Where everything is that names no location; nil for a practice that is one place.
  var mainSiteID: String? { sites.first?.id }

  /// Whether the day has to be taken apart by location before anything is planned.
  var hasSeveralPlaces: Bool { !sites.isEmpty && here == nil }

  func site(_ id: String) -> PracticeSite? { sites.first { $0.id == id } }

  /// When somebody works on a day, and where: within the hours of the location, not on leave, and with time for the way from one
  /// location to the next.
  public func hours(of member: StaffMember, on date: CalendarDate) -> [(siteID: String?, time: Range<Timestamp>)] {
    if member.isOnLeave(date) { return [] }
    let weekly = member.workingHours.filter { $0.weekday == date.weekday }
    guard let main = mainSiteID else {
      return weekly.compactMap { timeZone.time($0.minutes, on: date) }.map { (nil, $0) }
    }
    let stretches = weekly.flatMap { hours -> [(siteID: String, minutes: Range<Int>)] in
      let id = hours.locationID ?? main
      return (site(id)?.open[date] ?? []).map { (id, hours.minutes.clamped(to: $0)) }.filter { !$0.minutes.isEmpty }
    }.sorted { ($0.minutes.lowerBound, $0.minutes.upperBound) < ($1.minutes.lowerBound, $1.minutes.upperBound) }
    var left: [String: Int] = [:]
    var found: [(siteID: String?, time: Range<Timestamp>)] = []
    for stretch in stretches {
      let arrival = left.filter { $0.key != stretch.siteID }.map { $0.value + travelMinutes }.max() ?? 0
      let minutes = max(arrival, stretch.minutes.lowerBound)..<max(arrival, stretch.minutes.upperBound)
      guard !minutes.isEmpty else { continue }
      left[stretch.siteID] = max(left[stretch.siteID] ?? 0, minutes.upperBound)
      guard here == nil || here == stretch.siteID, let time = timeZone.time(minutes, on: date) else { continue }
      found.append((stretch.siteID, time))
    }
    return found
  }

  /// Where somebody works at a moment; nil for nowhere, and in a practice that is one place.
  func siteID(of clinicianID: String, at moment: Timestamp) -> String? {
    guard !sites.isEmpty, let member = staff.first(where: { $0.id == clinicianID }) else { return nil }
    let date = timeZone.date(of: moment)
    return hours(of: member, on: date).first { $0.time.contains(moment) }?.siteID
  }

  /// Where an appointment is: where it is said to be, else where its rooms are, else where its clinician is then.
  ///
  /// - Returns: a location's id; nil in a practice that is one place.
  public func siteID(of appointment: Appointment) -> String? {
    place(
      stated: options[appointment.id]?.locationID, resourceIDs: appointment.resourceIDs,
      clinicianID: appointment.clinicianID, at: appointment.start)
  }

  /// Where a visit is to be, in the same way; without hours at that time, where its clinician works on that day.
  public func siteID(for visit: PlannedVisit, _ request: VisitRequest) -> String? {
    place(
      stated: request.locationID, resourceIDs: visit.resourceIDs, clinicianID: visit.clinicianID, at: visit.start)
  }

  private func place(
    stated: String?, resourceIDs: [String], clinicianID: String?, at moment: Timestamp
  ) -> String? {
    guard let main = mainSiteID else { return nil }
    if let stated, site(stated) != nil { return stated }
    if let room = resources.first(where: { resourceIDs.contains($0.id) }) { return room.locationID ?? main }
    guard let clinicianID else { return main }
    if let here = siteID(of: clinicianID, at: moment) { return here }
    let member = staff.first { $0.id == clinicianID }
    let weekday = timeZone.date(of: moment).weekday
    let hours = member?.workingHours.first { $0.weekday == weekday } ?? member?.workingHours.first
    return hours?.locationID ?? main
  }

  /// The locations that a request can be placed at.
  func siteIDs(for request: VisitRequest) -> [String] {
    request.locationID.map { [$0] } ?? sites.map(\.id)
  }

  /// The day as it is at one location: its rooms, who is there, what is booked there; what the same people and animals have
  /// elsewhere is kept, and is nothing that can be planned here.
  ///
  /// - Parameters:
  ///   - id: the location.
  ///   - clinicianID: somebody who is to stay in it, wherever they work.
  /// - Returns: that day; the day itself where there is only one place, or it was taken at one already.
  public func at(_ id: String, keeping clinicianID: String? = nil) -> PracticeDay {
    guard hasSeveralPlaces else { return self }
    var day = self
    day.here = id
    day.elsewhere = Set(appointments.filter { siteID(of: $0) != id }.map(\.id))
    day.resources = resources.filter { ($0.locationID ?? mainSiteID) == id }
    let booked = Set(appointments.filter { !day.elsewhere.contains($0.id) }.compactMap(\.clinicianID))
    day.staff = staff.filter { member in
      member.id == clinicianID || booked.contains(member.id)
        || dates.contains { !day.hours(of: member, on: $0).isEmpty }
    }
    return day
  }

  /// The day at the location of a visit; the day itself where there is only one place.
  func around(_ visit: PlannedVisit, _ request: VisitRequest) -> PracticeDay {
    guard hasSeveralPlaces, let id = siteID(for: visit, request) else { return self }
    return at(id, keeping: visit.clinicianID)
  }

  /// Makes changes of a plan in the bookings, for what is planned next.
  mutating func apply(_ changes: [PlanChange]) {
    for change in changes {
      guard let index = appointments.firstIndex(where: { $0.id == change.id }) else { continue }
      appointments[index].clinicianID = change.after.clinicianID
      appointments[index].resourceIDs = change.after.resourceIDs
      appointments[index].start = change.after.start
      appointments[index].durationMinutes = change.after.minutes
      appointments[index].status = .booked
    }
  }
}
