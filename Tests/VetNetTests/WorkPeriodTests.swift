import Clinical
import Store
import Testing
import VetNetTestSupport

@testable import VetNet

/// Some days at a glance, against the minutes counted one by one.
struct WorkPeriodTests {
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test func `free time is what is worked and not taken, in stretches worth having`() {
    var random = Generator(state: 7)
    for _ in 0..<300 {
      let hours = [480..<720, 780..<1080].filter { _ in Bool.random(using: &random) }
      var taken: [Range<Int>] = []
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        let start = Int.random(in: 400..<1100, using: &random)
        taken.append(start..<start + Int.random(in: 1...90, using: &random))
      }
      // As a period gives them: in order, joined.
      var busy: [Range<Int>] = []
      for minute in 0..<1440 where taken.contains(where: { $0.contains(minute) }) {
        if let last = busy.last, last.upperBound == minute {
          busy[busy.count - 1] = last.lowerBound..<minute + 1
        } else {
          busy.append(minute..<minute + 1)
        }
      }
      let cell = WorkPeriod.Cell(
        visits: taken.count, bookedMinutes: 0, workingMinutes: 0, hours: hours, busy: busy, isOnLeave: false)
      var expected: [Range<Int>] = []
      for stretch in hours {
        var start: Int?
        for minute in stretch.lowerBound...stretch.upperBound {
          let isFree = minute < stretch.upperBound && !taken.contains { $0.contains(minute) }
          if isFree, start == nil { start = minute }
          if !isFree, let begun = start {
            if minute - begun >= 15 { expected.append(begun..<minute) }
            start = nil
          }
        }
      }
      #expect(cell.gaps == expected, "\(hours) \(busy)")
    }
  }

  @Test func `a period is its days as the book shows them`() throws {
    let monday = try #require(CalendarDate(year: 2026, month: 11, day: 23))
    let away = StaffMember.Leave(days: monday.adding(days: 1)...monday.adding(days: 2))
    let clinic = try SmallClinic(leave: [away])
    try clinic.book("P1", "2026-11-23T10:00", minutes: 30)
    try clinic.book("P2", "2026-11-23T10:30", minutes: 20)
    try clinic.book("P3", "2026-11-24T15:00", minutes: 45)
    try clinic.ask("W1", "P4", "2026-11-24T09:00")
    let cancelled = try clinic.book("P5", "2026-11-25T11:00")
    _ = try clinic.practice.calendar.cancel(appointment: cancelled.id, now: clinic.now)
    let period = try clinic.practice.reception.period(from: monday, days: 7, locationID: nil, now: clinic.now)
    #expect(period.days.map(\.date) == (0..<7).map { monday.adding(days: $0) })
    let vet = period.days.map { $0.cells["V1"] }
    #expect(vet.map { $0?.visits ?? 0 } == [2, 1, 0, 0, 0, 0, 0])
    #expect(vet[0]?.busy == [600..<650] && vet[0]?.gaps == [540..<600, 650..<1020])
    #expect(period.days.map { $0.cells["V2"]?.isOnLeave ?? false } == [false, true, true, false, false, false, false])
    #expect(period.days.map(\.requests) == [0, 1, 0, 0, 0, 0, 0])
    for day in period.days {
      let shown = try clinic.practice.reception.schedule(on: day.date, clinicianID: nil, now: clinic.now, judges: false)
      #expect(day.workingMinutes == shown.workload.reduce(0) { $0 + $1.workingMinutes }, "\(day.date)")
      #expect(day.bookedMinutes == shown.workload.reduce(0) { $0 + $1.bookedMinutes }, "\(day.date)")
    }
  }
}
