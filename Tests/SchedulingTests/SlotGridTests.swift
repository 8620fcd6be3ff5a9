import Clinical
import Testing

@testable import Scheduling

struct SlotGridTests {
  private func open(_ from: Int, _ to: Int, on date: CalendarDate) -> Range<Timestamp> {
    Clinic.at(from, on: date)..<Clinic.at(to, on: date)
  }

  /// Clocks go forward at 01:00 on 29 March 2026 and back at 02:00 on 25 October 2026.
  @Test(arguments: [(1, 13, 288), (3, 29, 276), (10, 25, 300)])
  func `a round-the-clock day has as many slots as it has time`(month: Int, day: Int, slots: Int) {
    let date = Clinic.date(2026, month, day)
    let grid = SlotGrid(open: [Clinic.zone.interval(of: date)], slotMinutes: 5, tail: 3)
    #expect(grid.stretches.map(\.slots) == [slots])
    #expect(grid.start(of: 0) == Clinic.zone.timestamp(of: date))
    #expect(grid.start(of: slots) == Clinic.zone.timestamp(of: date.adding(days: 1)))
  }

  @Test(arguments: [(3, 28), (10, 24), (1, 13)])
  func `nine o'clock stays nine o'clock across a change of the clocks`(month: Int, day: Int) {
    let dates = (0..<3).map { Clinic.date(2026, month, day).adding(days: $0) }
    let grid = SlotGrid(open: dates.map { open(9, 17, on: $0) }, slotMinutes: 5, tail: 2)
    #expect(grid.stretches.map(\.slots) == [96, 96, 96])
    for (date, stretch) in zip(dates, grid.stretches) {
      #expect(Clinic.zone.clock(stretch.start) == "09:00")
      #expect(Clinic.zone.date(of: stretch.start) == date)
    }
  }

  @Test
  func `moments and slots translate there and back, and closed hours lead to the next opening`() {
    let days = [Clinic.tuesday, Clinic.tuesday.adding(days: 1)]
    let grid = SlotGrid(open: days.map { open(9, 17, on: $0) }, slotMinutes: 5, tail: 2)
    for stretch in grid.stretches {
      for slot in stretch.firstSlot..<(stretch.firstSlot + stretch.slots) {
        #expect(grid.firstSlot(from: grid.start(of: slot)) == slot)
      }
    }
    #expect(grid.firstSlot(from: Clinic.at(9, 1)) == 1)
    #expect(grid.firstSlot(from: Clinic.at(7)) == 0)
    #expect(grid.firstSlot(from: Clinic.at(18)) == 98)
    #expect(grid.firstSlot(from: Clinic.at(18, on: days[1])) == grid.count)
  }

  @Test
  func `a visit off the grid touches every slot it reaches into`() {
    let grid = SlotGrid(open: [open(9, 17, on: Clinic.tuesday)], slotMinutes: 5, tail: 2)
    #expect(grid.touched(by: Clinic.at(9, 7)..<Clinic.at(9, 21)) == [1..<5])
    #expect(grid.touched(by: Clinic.at(9, 5)..<Clinic.at(9, 20)) == [1..<4])
    #expect(grid.touched(by: Clinic.at(8, 50)..<Clinic.at(9, 3)) == [0..<1])
    #expect(grid.touched(by: Clinic.at(16, 50)..<Clinic.at(18)) == [94..<98])
    #expect(grid.within(Clinic.at(9, 7)..<Clinic.at(9, 21)) == [2..<4])
    #expect(grid.within(Clinic.at(16, 50)..<Clinic.at(18)) == [94..<96])
  }

  @Test
  func `stretches that touch or overlap are one`() {
    let grid = SlotGrid(
      open: [open(13, 17, on: Clinic.tuesday), open(9, 13, on: Clinic.tuesday), open(10, 11, on: Clinic.tuesday)],
      slotMinutes: 5, tail: 0)
    #expect(grid.stretches.count == 1)
    #expect(grid.count == 96)
  }
}
