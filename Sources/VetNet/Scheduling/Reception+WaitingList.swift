public import Clinical
public import Scheduling
import Store

/// Somebody who waits for a slot.
public struct WaitingEntry: Sendable {
  public let appointment: Appointment
  public let patient: Patient?
  public let urgency: Urgency?
  /// When it was heard of; nil where nobody noted it.
  public let receivedAt: Timestamp?
  /// The best slot that is free for it now; nil when there is none in the days looked at.
  public let best: SlotProposal?
}

/// A freed slot for somebody who waits, with why.
public struct WaitingOffer: Sendable {
  public let appointment: Appointment
  public let patient: Patient?
  public let urgency: Urgency?
  public let proposal: SlotProposal
}

extension Practice.Reception {
  /// Those who asked and have no slot: the most urgent first, then by the time they wish for.
  ///
  /// - Parameters:
  ///   - now: the present moment.
  ///   - days: how far to look for a free slot, so many days after today; 0 not to look.
  ///   - locationID: only those who are to come there; nil for all.
  /// - Returns: those who wait.
  /// - Throws: ``PracticeError`` when the file can't be read.
  package func waitingList(now: Timestamp, days: Int = 0, locationID: String? = nil) throws -> [WaitingEntry] {
    try reading {
      let today = timeZone.date(of: now)
      let day = days > 0 ? try practice.calendar.practiceDay((0...days).map { today.adding(days: $0) }) : nil
      let rules = try practice.calendar.schedulingRules()
      return try waiting(now: now).filter { item in
        guard let locationID else { return true }
        let main = try connection.locations.list().first?.value.id
        let wanted =
          try item.request.locationID ?? practice.workplace.usualLocationID(of: item.appointment.patientID, before: now)
          ?? main
        return wanted == locationID
      }.map { item in
        WaitingEntry(
          appointment: item.appointment,
          patient: try item.appointment.patientID.flatMap { try practice.records.registered($0) },
          urgency: item.request.urgency, receivedAt: item.receivedAt,
          best: day.flatMap {
            pipeline.plan(item.request, on: $0, rules: rules, now: now, count: 1).first
          })
      }
    }
  }

  private struct Waiting {
    let appointment: Appointment
    let request: VisitRequest
    let receivedAt: Timestamp?
  }

  /// Requests with their cases assessed, in the order in which they should be served.
  private func waiting(now: Timestamp) throws -> [Waiting] {
    let items = try connection.appointments.requested().compactMap { stored -> Waiting? in
      // The dead wait for nothing.
      if let id = stored.value.patientID, try practice.records.registered(id)?.deceasedAt != nil { return nil }
      let request = try practice.calendar.visitRequest(.appointment(stored.value.id), now: now)
      let options = try connection.appointments.options(row: stored.rowID)
      return Waiting(appointment: stored.value, request: request, receivedAt: options.receivedAt)
    }
    return items.sorted { left, right in
      let (a, b) = (left.request.urgency?.rank ?? -1, right.request.urgency?.rank ?? -1)
      return (b, left.appointment.start, left.appointment.id) < (a, right.appointment.start, right.appointment.id)
    }
  }

  /// A freed slot is offered to so many at most.
  private static let offerLimit = 3
  /// And, where it isn't urgent, to those whose wish is no more days away.
  private static let offerReach = 7

  /// The few of the waiting list that a slot fits best that has become free, the best first.
  func offers(forSlotOf freed: Appointment, now: Timestamp) throws -> [WaitingOffer] {
    guard freed.end > now, let clinicianID = freed.clinicianID else { return [] }
    return try reading {
      let slot = max(now, freed.start)..<freed.end
      var day = try practice.calendar.practiceDay([timeZone.date(of: freed.start)])
      day.appointments.removeAll { $0.id == freed.id }
      let rules = try practice.calendar.schedulingRules()
      var offers: [WaitingOffer] = []
      for item in try waiting(now: now) where item.appointment.id != freed.id {
        var request = item.request
        let away = abs(item.appointment.start.minutes(since: freed.start))
        guard away <= Self.offerReach * 1440 || (request.urgency ?? .blue) >= .yellow else { continue }
        // What is asked for days ahead may be glad of a day sooner, but not of a slot the owner can't come to.
        if let window = request.window, !window.overlaps(slot) { continue }
        let minutes =
          request.requestedMinutes ?? Int(request.duration.minutes(at: rules.planQuantile).rounded(.up))
        let last = freed.end.adding(minutes: -minutes)
        guard slot.lowerBound <= last else { continue }
        let starts = slot.lowerBound..<last.adding(minutes: 1)
        guard request.window?.overlaps(starts) != false else { continue }
        request.window = request.window.map { $0.clamped(to: starts) } ?? starts
        let wanted = request.clinicianIDs ?? [clinicianID]
        guard wanted.contains(clinicianID) else { continue }
        let fit = pipeline.plan(request, on: day, rules: rules, now: now, count: 20).filter {
          $0.clinicianID == clinicianID && $0.start.adding(minutes: $0.minutes) <= freed.end
        }
        guard let best = fit.first else { continue }
        offers.append(
          WaitingOffer(
            appointment: item.appointment,
            patient: try item.appointment.patientID.flatMap { try practice.records.registered($0) },
            urgency: item.request.urgency, proposal: best))
      }
      // Urgency first, as the list has it; among equals the one the slot is worth most to.
      let ranked = offers.enumerated().sorted { left, right in
        let (a, b) = (left.element.urgency?.rank ?? -1, right.element.urgency?.rank ?? -1)
        if a != b { return a > b }
        let (x, y) = (left.element.proposal.score, right.element.proposal.score)
        return x != y ? x > y : left.offset < right.offset
      }
      return ranked.prefix(Self.offerLimit).map(\.element)
    }
  }
}
