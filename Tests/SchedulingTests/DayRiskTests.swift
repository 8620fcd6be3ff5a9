import Clinical
import Testing

@testable import Scheduling

struct DayRiskTests {
  private func visit(
    _ id: String, _ start: Timestamp, _ minutes: Int, p50: Double, sigma: Double = 0.4, clinician: String? = "ana",
    rooms: [String] = []
  ) -> RiskVisit {
    RiskVisit(
      id: id, clinicianID: clinician, resourceIDs: rooms, start: start, minutes: minutes,
      duration: PredictedDuration(p50: p50, sigma: sigma))
  }

  @Test(arguments: [0.5, 0.7, 0.9])
  func `what is reserved at a quantile overruns as often as the quantile leaves`(quantile: Double) {
    let duration = PredictedDuration(p50: 200, sigma: 0.4)
    let minutes = Int(duration.minutes(at: quantile).rounded())
    let risk = DaySimulation(
      visits: [visit("a", Clinic.at(9), minutes, p50: 200)], resources: []
    ).risk(days: 20_000, seed: 7)
    #expect(abs(risk.visits[0].overrun - (1 - quantile)) < 0.015)
    #expect(risk.visits[0].meanDelay == 0 && risk.meanDelay == 0)
  }

  @Test
  func `a visit that is always too long delays the next by what is missing`() {
    let visits = [
      visit("a", Clinic.at(9), 20, p50: 30, sigma: 0), visit("b", Clinic.at(9, 20), 20, p50: 20, sigma: 0),
      visit("c", Clinic.at(9, 45), 20, p50: 20, sigma: 0), visit("d", Clinic.at(9, 30), 20, p50: 20, clinician: "ben"),
    ]
    let risk = DaySimulation(visits: visits, resources: []).risk(days: 10)
    #expect(risk.visits.map(\.id) == ["a", "b", "d", "c"])
    #expect(risk.visits.map(\.meanDelay) == [0, 10, 0, 5])
    #expect(risk.visits.map(\.p95Delay) == [0, 10, 0, 5])
    #expect(risk.clinicians.map(\.id) == ["ana", "ben"])
    #expect(risk.clinicians[0].meanLate == 5)
    #expect(risk.clinicians[0].reserved == 60 && risk.clinicians[0].expected == 70)
  }

  @Test
  func `a room that is still being cleaned makes others wait, and a second unit doesn't`() {
    let visits = [
      visit("a", Clinic.at(9), 20, p50: 30, sigma: 0, rooms: ["room"]),
      visit("b", Clinic.at(9, 25), 20, p50: 20, sigma: 0, clinician: "ben", rooms: ["room"]),
    ]
    func delay(capacity: Int) -> Double {
      DaySimulation(
        visits: visits,
        resources: [Resource(id: "room", name: "Room", kind: "room", capacity: capacity, cleaningMinutes: 5)]
      ).risk(days: 3).visits[1].meanDelay
    }
    #expect(delay(capacity: 1) == 10)
    #expect(delay(capacity: 2) == 0)
  }

  @Test
  func `the same seed gives the same days, and an empty day no risk`() {
    let visits = (0..<5).map { visit("v\($0)", Clinic.at(9, 20 * $0), 20, p50: 18) }
    let simulation = DaySimulation(visits: visits, resources: [])
    #expect(simulation.risk(seed: 3) == simulation.risk(seed: 3))
    #expect(simulation.risk(seed: 3) != simulation.risk(seed: 4))
    #expect(DaySimulation(visits: [], resources: []).risk().meanDelay == 0)
  }

  @Test
  func `reserving more places fewer visits and delays them less`() throws {
    let requests = (0..<30).map { number in
      Clinic.request("v\(number)", minutes: 25, sigma: 0.4, wished: Clinic.at(9, 15 * (number % 28)))
    }
    let table = try ReserveTradeOff(requests, on: Clinic.day(), rules: Clinic.rules(), quantiles: [0.5, 0.9])
    #expect(table.rows[0].placed >= table.rows[1].placed)
    #expect(table.rows[0].meanDelay > table.rows[1].meanDelay)
    #expect(table.rows[0].p95Delay > table.rows[1].p95Delay)
  }
}
