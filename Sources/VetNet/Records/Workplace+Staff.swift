import Assessment
import Clinical
import Store

// Who of the practice a case suits.

/// What ``PracticeMemos/outcomes`` were counted for.
struct OutcomeKey: Hashable, Sendable {
  let type: VisitType
  let day: CalendarDate
  let revision: Int64
}

extension Practice.Workplace {
  /// Of the patient's notes so many, the latest, say who knows the patient.
  private static let latestNotes = 10

  /// The practice's veterinarians, ranked for an assessed case; empty when nobody is on file.
  ///
  /// - Parameters:
  ///   - assessment: of the case.
  ///   - patient: nil where the patient is not on file.
  ///   - now: time counts from here on.
  /// - Returns: each with a score and its reasons, the best first.
  /// - Throws: ``PracticeError`` for a table that can't be used.
  /// - Complexity: O(appointments in the days that count).
  func staffRanking(for assessment: CaseAssessment, patient: Stored<Patient>?, now: Timestamp) throws -> [StaffMatch] {
    let vets = try connection.staff.list().map(\.value).filter { $0.role == .veterinarian }
    guard !vets.isEmpty else { return [] }
    let ranking = try models.staffRanking()
    let today = timeZone.date(of: now)
    let days = (0..<ranking.horizonDays(assessment.triage.urgency)).map { today.adding(days: $0) }
    var authors: [String: Double] = [:]
    if let patient {
      let notes = try connection.notes.notes(patient: patient.rowID).map(\.value).filter { $0.recordedAt <= now }
        .suffix(Self.latestNotes)
      for note in notes { authors[note.author ?? "", default: 0] += 1 / Double(notes.count) }
    }
    var booked: [String: Double] = [:]
    for day in days {
      for appointment in try connection.appointments.appointments(startingIn: timeZone.interval(of: day)).map(\.value)
      where appointment.status.occupiesTime && appointment.end > now {
        booked[appointment.clinicianID ?? "", default: 0] += Double(appointment.durationMinutes)
      }
    }
    let outcomes = try staffOutcomes(of: assessment.visitType.visitType, ranking, now: now)
    let people = vets.map { vet in
      StaffSituation(
        member: vet, continuity: max(authors[vet.id] ?? 0, authors[vet.name] ?? 0),
        workingMinutes: days.reduce(0) { $0 + workingMinutes(of: vet, on: $1, from: now) },
        bookedMinutes: booked[vet.id] ?? 0, outcome: outcomes[vet.id])
    }
    return ranking.ranking(assessment.specialties, people: people, minutes: assessment.duration.p50)
  }

  /// What became of everybody's visits of a type, as far back as counts; kept until the book changes.
  private func staffOutcomes(
    of type: VisitType, _ ranking: StaffRanking, now: Timestamp
  ) throws -> [String: StaffOutcome] {
    let today = timeZone.date(of: now)
    let key = OutcomeKey(type: type, day: today, revision: try connection.plan.revision())
    if let known = practice.memos.outcomes, known.key == key { return known.values }
    let first = today.adding(days: -Int(ranking.outcomeYears * 365.25))
    let last = today.adding(days: -ranking.recheckDays)
    var counts: [String: OutcomeCounts] = [:]
    if first < last {
      for row in try connection.appointments.outcomes(
        of: type, startingIn: timeZone.timestamp(of: first)..<timeZone.timestamp(of: last),
        days: ranking.recheckDays, factor: ranking.overrunFactor)
      {
        counts[row.clinicianID] = OutcomeCounts(
          visits: row.visits, rechecked: row.rechecked, timed: row.timed, overran: row.overran)
      }
    }
    let values = StaffOutcome.all(counts, kind: type.rawValue, strength: ranking.outcomeStrength)
    practice.memos.outcomes = (key, values)
    return values
  }

  /// The minutes of a day that are left of somebody's work, breaks taken off.
  private func workingMinutes(of member: StaffMember, on day: CalendarDate, from now: Timestamp) -> Double {
    guard !member.isOnLeave(day) else { return 0 }
    let hours = member.workingHours.filter { $0.weekday == day.weekday }
    let left = hours.reduce(0.0) { sum, stretch in
      let end = timeZone.timestamp(of: day, minuteOfDay: stretch.minutes.upperBound)
      let start = max(now, timeZone.timestamp(of: day, minuteOfDay: stretch.minutes.lowerBound))
      return sum + max(0, Double(end.seconds - start.seconds) / 60)
    }
    let breaks = member.breaks.filter {
      $0.weekday == day.weekday && timeZone.timestamp(of: day, minuteOfDay: $0.window.upperBound) > now
    }
    return max(0, left - breaks.reduce(0) { $0 + Double($1.minutes) })
  }

  /// What everybody is called, by id.
  func staffNames() throws -> [String: String] {
    Dictionary(
      try connection.staff.list().map { ($0.value.id, $0.value.name) }, uniquingKeysWith: { first, _ in first })
  }
}
