import Clinical
import Scheduling
import Store

extension Practice.Reception {
  /// So many days ahead somebody's next free time is looked for.
  private static let daysOfSearch = 14
  /// Leave that begins within so many days is told.
  private static let daysOfLeave = 60

  /// Veterinarians and nurses, in the order of the staff list.
  ///
  /// - Parameters:
  ///   - minutes: the length of the visit that a free time is for.
  ///   - now: the present moment.
  /// - Returns: a card for each.
  /// - Throws: ``PracticeError`` when the file can't be read.
  /// - Complexity: O(appointments of two weeks + visits of a year).
  func specialists(minutes: Int, now: Timestamp) throws -> [SpecialistCard] {
    try reading {
      let today = timeZone.date(of: now)
      let monday = today.adding(days: 1 - today.weekday)
      let shown = (0...7).map { today.adding(days: $0) }
      let dates = Set(shown + (0..<7).map { monday.adding(days: $0) }).sorted()
      var loads: [CalendarDate: [String: DaySchedule.Workload]] = [:]
      for date in dates {
        let day = workload(try practice.calendar.practiceDay([date]), nil, only: nil, countsDone: true)
        loads[date] = Dictionary(day.map { ($0.clinicianID, $0) }, uniquingKeysWith: { first, _ in first })
      }
      let people = try connection.staff.list().filter { [.veterinarian, .nurse].contains($0.value.role) }
      let free = try nextFreeTimes(of: Set(people.map(\.value.id)), minutes: minutes, from: today, now: now)
      return try people.map { stored in
        let member = stored.value
        func load(_ date: CalendarDate) -> SpecialistCard.Load {
          guard let load = loads[date]?[member.id] else { return SpecialistCard.Load() }
          return SpecialistCard.Load(
            visits: load.visits, bookedMinutes: load.bookedMinutes, workingMinutes: load.workingMinutes)
        }
        var week = SpecialistCard.Load()
        for day in (0..<7).map({ load(monday.adding(days: $0)) }) {
          week.visits += day.visits
          week.bookedMinutes += day.bookedMinutes
          week.workingMinutes += day.workingMinutes
        }
        return SpecialistCard(
          member: member,
          days: shown.map {
            SpecialistCard.Day(
              date: $0, hours: member.isOnLeave($0) ? [] : loads[$0]?[member.id]?.hours ?? [],
              isOnLeave: member.isOnLeave($0), load: load($0))
          }, week: week,
          leave: member.leave.map(\.days).filter {
            $0.upperBound >= today && $0.lowerBound <= today.adding(days: Self.daysOfLeave)
          }.sorted { $0.lowerBound < $1.lowerBound },
          regulars: try regulars(of: stored.rowID, since: now.adding(days: -365), until: now), nextFree: free[member.id]
        )
      }
    }
  }

  private func regulars(of row: Int64, since: Timestamp, until: Timestamp) throws -> [SpecialistCard.Regular] {
    try connection.appointments.regulars(ofClinician: row, in: since..<until, limit: SpecialistCard.most).compactMap {
      regular in
      try connection.patients.patient(row: regular.patient).map {
        SpecialistCard.Regular(patient: $0.value, visits: regular.visits, last: regular.last)
      }
    }
  }

  /// When each has the time for a visit first, by id.
  private func nextFreeTimes(
    of ids: Set<String>, minutes: Int, from today: CalendarDate, now: Timestamp
  ) throws -> [String: Timestamp] {
    var found: [String: Timestamp] = [:]
    for offset in 0..<Self.daysOfSearch where found.count < ids.count {
      let query = FreeQuery(date: today.adding(days: offset), minutes: minutes, wantsRooms: false)
      for line in try freeTimes(query, now: now).people where found[line.id] == nil && ids.contains(line.id) {
        let fitting = line.stretches.first { $0.upperBound.minutes(since: $0.lowerBound) >= minutes }
        if let fitting { found[line.id] = max(fitting.lowerBound, now) }
      }
    }
    return found
  }
}
