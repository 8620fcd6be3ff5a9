import Clinical
import Foundation
import PracticeTestSupport
import Scheduling
import Testing
import VetNetTestSupport

@testable import VetNet

/// Who is free, asked as people ask.
struct ReceptionTests {
  /// The Monday after the clinic's present.
  private let monday = CalendarDate(daysSince1970: 20_780)

  private func free(
    _ clinic: SmallClinic, _ query: FreeQuery, now: String = "2026-11-20T18:00"
  ) throws -> FreeTimes {
    try clinic.practice.perform(FindFreeTimes(query: query), by: .local, at: SmallClinic.at(now))
  }

  private func shown(_ line: FreeTime.Line) -> [String] {
    line.stretches.map {
      "\(SmallClinic.zone.describe($0.lowerBound).suffix(5))–\(SmallClinic.zone.describe($0.upperBound).suffix(5))"
    }
  }

  @Test func `free times are working hours without what is booked, where a visit fits`() throws {
    let clinic = try SmallClinic()
    try clinic.book("P1", "2026-11-23T10:00")
    try clinic.book("P2", "2026-11-23T10:45", minutes: 60)
    let short = try free(clinic, FreeQuery(date: monday, minutes: 15))
    #expect(short.people.map(\.id) == ["V1", "V2", "N1"])
    #expect(shown(short.people[0]) == ["09:00–10:00", "10:30–10:45", "11:45–17:00"])
    #expect(shown(short.people[1]) == ["09:00–17:00"])
    let long = try free(clinic, FreeQuery(date: monday, minutes: 20, people: ["Dr V1"]))
    #expect(shown(long.people[0]) == ["09:00–10:00", "11:45–17:00"])
    #expect(short.rooms.map(\.id) == ["R1", "R2"])
    // A room is cleaned before the next visit.
    #expect(shown(short.rooms[0]).first == "09:00–09:55")
  }

  @Test func `at a moment it says who is free and until when, and what keeps the others`() throws {
    let clinic = try SmallClinic(leave: [.init(days: monday...monday)])
    try clinic.book("P1", "2026-11-23T10:00")
    let at = try free(clinic, FreeQuery(date: monday, at: SmallClinic.at("2026-11-23T10:10")))
    #expect(at.people[0].obstacle == .booked(SmallClinic.at("2026-11-23T10:30")))
    #expect(at.people[1].obstacle == .onLeave)
    #expect(at.people[2].obstacle == nil && at.people[2].freeUntil == SmallClinic.at("2026-11-23T17:00"))
    let before = try free(clinic, FreeQuery(date: monday, at: SmallClinic.at("2026-11-23T09:50"), minutes: 20))
    #expect(before.people[0].obstacle == .tooShort(SmallClinic.at("2026-11-23T10:00")))
    let night = try free(clinic, FreeQuery(date: monday, at: SmallClinic.at("2026-11-23T20:00")))
    #expect(night.people.allSatisfy { $0.obstacle == .notWorking || $0.obstacle == .onLeave })
    let past = try free(
      clinic, FreeQuery(date: monday, at: SmallClinic.at("2026-11-23T09:00")), now: "2026-11-23T12:00")
    #expect(past.people.allSatisfy { $0.obstacle == .past })
  }

  @Test func `every start that is called free can be booked, and no other`() throws {
    let clinic = try SmallClinic(breaks: [.init(weekday: 1, window: 720..<840, minutes: 60)])
    try clinic.book("P1", "2026-11-23T13:30", minutes: 30)
    let free = try free(clinic, FreeQuery(date: monday, minutes: 30, people: ["V1"]))
    var bookable = 0
    for slot in stride(from: 540, to: 1020, by: 5) {
      let start = SmallClinic.zone.timestamp(of: monday, minuteOfDay: slot)
      let visit = start..<start.adding(minutes: 30)
      let isFree = free.people[0].stretches.contains {
        $0.lowerBound <= visit.lowerBound && visit.upperBound <= $0.upperBound
      }
      let booking = Booking(patient: "P2", start: start, minutes: 30, clinicianID: "V1")
      let isBookable = (try? clinic.practice.calendar.book(booking, now: clinic.now, isDryRun: true)) != nil
      // Within a stretch, a visit across the break's only place is not free although both ends are.
      if isBookable { bookable += 1 }
      #expect(!isBookable || isFree, "\(slot)")
    }
    #expect(bookable > 40)
  }

  @Test func `opening hours bound what is called free`() throws {
    let clinic = try SmallClinic()
    try clinic.practice.perform(
      ChangeSetting(key: "hours", value: "mon 10:00-12:00 14:00-16:00"), by: .local, at: clinic.now)
    #expect(shown(try free(clinic, FreeQuery(date: monday)).people[0]) == ["10:00–12:00", "14:00–16:00"])
    #expect(try free(clinic, FreeQuery(date: monday.adding(days: 1))).people[0].stretches.isEmpty)
  }

  @Test func `staff and rooms are found by name, and who can't be told apart is listed`() throws {
    let people = [
      ("S01", "Dr Helen Marsh"), ("S02", "Dr Tomasz Wieczorek"), ("S03", "Helen Müller RVN"), ("A", "Dr Ash"),
    ]
    .map { (id: $0.0, name: $0.1) }
    func found(_ text: String) -> [Int] { Practice.Workplace.meant(text, among: people) }
    #expect(found("S01") == [0] && found("s01") == [0])
    #expect(
      found("Helen Marsh") == [0] && found("Dr Marsh") == [0] && found("marsh") == [0] && found("MARSH, Helen") == [0])
    #expect(found("mueller") == [2] && found("Wiecz") == [1] && found("dr ash") == [3])
    #expect(found("Helen") == [0, 2])
    #expect(found("Smith").isEmpty && found("").isEmpty && found("dr").isEmpty)
    let clinic = try SmallClinic()
    let error = #expect(throws: PracticeError.self) {
      try clinic.practice.perform(IdentifyResource(reference: "room"), by: .local, at: clinic.now)
    }
    #expect(error?.hint?.contains("R1 (Room R1), R2 (Room R2)") == true)
    let unknown = #expect(throws: PracticeError.self) {
      try clinic.practice.perform(IdentifyStaff(reference: "Smith"), by: .local, at: clinic.now)
    }
    #expect(unknown?.code == .notFound && unknown?.hint?.contains("V2 (Dr V2)") == true)
  }

  private struct Asked: CustomTestStringConvertible {
    let question: String
    let date: String
    var at: String?
    var people: [String] = []
    var rooms: [String] = []
    var minutes: Int?
    var role: StaffMember.Role?
    var window: Range<Int>?
    var wantsRooms = false
    var testDescription: String { question }
  }

  private static let staff = [(id: "S01", name: "Dr Helen Marsh"), (id: "S02", name: "Dr Tomasz Wieczorek")]
  private static let rooms = [(id: "R1", name: "Consulting room 1"), (id: "TH1", name: "Theatre")]

  private func query(_ question: String) throws -> FreeQuery? {
    let reading = try shippedModels().bookQuestion()
    return reading.query(
      reading.words(question),
      reader: MomentReader(zone: SmallClinic.zone, now: SmallClinic.at("2026-11-20T10:00")), staff: Self.staff,
      rooms: Self.rooms)
  }

  @Test(arguments: [
    Asked(question: "who is free at 3 today?", date: "2026-11-20", at: "15:00"),
    Asked(question: "Who's free at 3pm?", date: "2026-11-20", at: "15:00"),
    Asked(question: "is Dr Marsh free tomorrow at 9:30?", date: "2026-11-21", at: "09:30", people: ["S01"]),
    Asked(
      question: "when is Helen Marsh free on Monday for 20 minutes?", date: "2026-11-23", people: ["S01"], minutes: 20),
    Asked(question: "which vet has a gap this afternoon?", date: "2026-11-20", role: .veterinarian, window: 720..<1080),
    Asked(question: "any slots free tomorrow morning", date: "2026-11-21", window: 0..<720),
    Asked(question: "is theatre free at 2?", date: "2026-11-20", at: "14:00", rooms: ["TH1"], wantsRooms: true),
    Asked(question: "which rooms are free now", date: "2026-11-20", at: "10:00", wantsRooms: true),
    Asked(question: "can anyone be free for half an hour next tuesday", date: "2026-11-24", minutes: 30),
    Asked(
      question: "is consulting room 1 available at noon on 24 nov?", date: "2026-11-24", at: "12:00", rooms: ["R1"],
      wantsRooms: true),
  ])
  private func `is a question about the book`(asked: Asked) throws {
    let query = try #require(try query(asked.question))
    #expect(query.date.description == asked.date)
    #expect(query.at.map(SmallClinic.zone.clock) == asked.at)
    #expect(query.people == asked.people && query.rooms == asked.rooms)
    #expect(query.minutes == asked.minutes && query.role == asked.role && query.window == asked.window)
    #expect(query.wantsRooms == asked.wantsRooms)
  }

  @Test(arguments: [
    "is Bella free of fleas?", "is she free today?", "when was she last free of seizures?", "is the airway open?",
    "who is her vet?", "what is free T4?", "is there free fluid in the abdomen?", "any free gas on xray today?",
    "was the nurse free to see Max at 3?", "who is free of lungworm?", "is the vet nurse clinic free?", "free", "",
    "which vet saw her at 3 today?", "is it free today?", "open wound today?", "free catch urine at 3?",
    "who is free at 3 today and why was meloxicam stopped?",
  ])
  func `is no question about the book`(question: String) throws { #expect(try query(question) == nil) }

  @Test func `no question of the suites is taken for one about the book`() throws {
    let reading = try shippedModels().bookQuestion()
    let folder = URL(filePath: projectDirectory + "/Evaluations")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var count = 0
    while let file = files?.nextObject() as? URL {
      guard ["questions.jsonl", "queries.jsonl", "pairs.jsonl"].contains(file.lastPathComponent) else { continue }
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        guard let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
          let question = row["question"] as? String ?? row["text"] as? String
        else { continue }
        count += 1
        let words = reading.words(question)
        if words.isEmpty { continue }
        #expect(
          reading.query(
            words, reader: MomentReader(zone: SmallClinic.zone, now: SmallClinic.at("2026-11-20T10:00")),
            staff: Self.staff, rooms: Self.rooms) == nil, "\(question)")
      }
    }
    #expect(count > 2000)
  }
}
