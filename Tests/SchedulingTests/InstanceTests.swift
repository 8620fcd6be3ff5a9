import FoundationEssentials
import Testing

@testable import Scheduling

struct InstanceTests {
  private static let text = """
    {"schema":"vetnet-sched-1","name":"n","seed":1,"slotMinutes":5,"dayLen":20,"openSlots":18,"days":2,
     "planQuantile":0.7,"balance":{"c1":60,"c2":120},
     "pools":[{"id":"consult","cap":2,"clean":1}],
     "vets":[{"id":"V01","speed":1.1,"skills":{"general":0.9},"avail":[[0,10],[20,30]],
              "breaks":[{"len":2,"start":[4,6]}],"t1":9,"t2":12}],
     "jobs":[{"id":"A1","urg":"red","spec":"general","cx":2,"p50":22.9,"sigma":0.35,"patient":"P1","release":3,
              "win":[[3,8]],"pools":[0],"base":750,"p":3,"q":4,"e":0,"l":20,"l2":44,"pref":0,"after":null,
              "pin":null,"cand":[[0,0.72,6,115]]},
             {"id":"A2","urg":"book","spec":"general","cx":1,"p50":10,"sigma":0.3,"patient":"P2","release":0,
              "win":[[20,24]],"pools":[],"base":300,"p":22,"q":22,"e":3,"l":3,"l2":0,"pref":-1,"after":[0,2],
              "pin":[0,21],"cand":[[0,0.9,2,40]]}],
     "stats":{"ignored":true}}
    """

  private func read(_ text: String) throws(SchedulingError) -> Instance { try Instance(json: Data(text.utf8)) }

  @Test
  func `an instance file is read as it is written and written as it is read`() throws {
    let instance = try read(Self.text)
    #expect(instance.jobs[1].after == .init(job: 0, lag: 2))
    #expect(instance.jobs[1].pin == Placement(vet: 0, start: 21))
    #expect(instance.vets[0].available == [0..<10, 20..<30])
    #expect(instance.vets[0].breaks[0].start == 4...6)
    #expect(instance.jobs[0].candidates[0] == .init(vet: 0, match: 0.72, slots: 6, bonus: 115))
    let again = try Instance(json: JSONEncoder().encode(instance))
    #expect(again == instance)
  }

  @Test(
    arguments: [
      (#""vetnet-sched-1""#, #""vetnet-sched-9""#, "schema", "vetnet-sched-9"),
      (#""cap":2"#, #""cap":-2"#, "pools[0].cap", "-2"),
      (#""avail":[[0,10]"#, #""avail":[[10,0]"#, "vets[0].avail[0]", "[10, 0]"),
      (#""avail":[[0,10]"#, #""avail":[[0,90]"#, "vets[0].avail[0]", "0..<90"),
      (#""win":[[3,8]]"#, #""win":[[3,800]]"#, "jobs[0].win[0]", "3...800"),
      (#""pools":[0],"base""#, #""pools":[4],"base""#, "jobs[0].pools[0]", "4"),
      (#""cand":[[0,0.72"#, #""cand":[[7,0.72"#, "jobs[0].cand[0]", "7"),
      (#"6,115]"#, #"0,115]"#, "jobs[0].cand[0].slots", "0"),
      (#""l":20"#, #""l":-20"#, "jobs[0].l", "-20"),
      (#""after":[0,2]"#, #""after":[1,2]"#, "jobs[1].after", "1"),
      (#""pin":[0,21]"#, #""pin":[3,21]"#, "jobs[1].pin", "3"),
      (#""id":"A2""#, #""id":"A1""#, "jobs[1].id", "A1"),
      (#""planQuantile":0.7"#, #""planQuantile":7"#, "planQuantile", "7.0"),
    ])
  func `a wrong value is named with its field`(old: String, new: String, field: String, value: String) throws {
    let text = Self.text.replacing(old, with: new)
    #expect(text != Self.text)
    let error = #expect(throws: SchedulingError.self) { try read(text) }
    #expect(error?.field == field)
    #expect(error?.value == value)
  }

  @Test
  func `a missing key, a wrong type and a broken text are unreadable, and say where`() {
    let cases = [
      (Self.text.replacing(#""t1":9,"#, with: ""), "vets[0]"),
      (Self.text.replacing(#""p":3"#, with: #""p":"x""#), "jobs[0].p"), ("{", "instance"), ("", "instance"),
    ]
    for (text, field) in cases {
      let error = #expect(throws: SchedulingError.self) { try read(text) }
      #expect(error?.code == .unreadable)
      #expect(error?.field == field)
    }
  }

  @Test
  func `jobs that wait for one another are refused`() throws {
    func job(_ id: String, after: Int) -> Instance.Job {
      Instance.Job(
        id: id, urgency: "green", windows: [0...3], base: 1, p: 0, q: 0, e: 0, l: 0, l2: 0,
        after: .init(job: after, lag: 0), candidates: [])
    }
    let error = #expect(throws: SchedulingError.self) {
      try Instance(
        name: "ring", dayLength: 10, openSlots: 10, days: 1, balance: .init(c1: 0, c2: 0), pools: [], vets: [],
        jobs: [job("a", after: 1), job("b", after: 2), job("c", after: 0)])
    }
    #expect(error?.field == "jobs[0].after")
  }

  @Test
  func `a plan is one list of jobs then breaks`() throws {
    let instance = try read(Self.text)
    let plan = Plan(
      value: 5, upperBound: 9, jobs: [nil, Placement(vet: 0, start: 21)], breaks: [Placement(vet: 0, start: 4)],
      seconds: 0.25)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = try String(decoding: encoder.encode(plan), as: UTF8.self)
    #expect(text == #"{"assign":[null,[0,21],[0,4]],"seconds":0.25,"upper_bound":9,"value":5}"#)
    let again = try JSONDecoder().decode(Plan.self, from: Data(text.utf8)).split(for: instance)
    #expect(again == plan)
    #expect(throws: SchedulingError.self) {
      try Plan(value: 0, upperBound: 0, jobs: [nil], breaks: [], seconds: 0).split(for: instance)
    }
  }
}
