import Clinical
import Testing
import VetNetTestSupport

@testable import Sync

/// A record is what its operations say, by the rule of each field, in whatever order they came.
struct RecordFoldTests {
  /// One operation in short: who, its number, its clock, what its author had heard, which number the hub gave it, what it says.
  private static func operation(
    _ replica: Int, _ sequence: Int64, clock: Int64, seen: Int64, hub: Int64?, _ fields: [String: FieldContent],
    turn: RecordOperation.Turn? = nil
  ) -> RecordOperation {
    var operation = RecordOperation(
      of: RecordName(kind: "note", source: "s", id: "n"),
      by: .init(replica: replica, sequence: sequence, clock: clock, seen: seen, actor: "a"), turn: turn, fields: fields)
    operation.hubSequence = hub
    operation.outcome = hub == nil ? nil : .taken
    return operation
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let rule: FieldRule
    /// The first and second change of a field, with clocks; whether the second knew of the first.
    let first: (content: FieldContent, clock: Int64)
    let second: (content: FieldContent, clock: Int64)
    let knew: Bool
    let shown: FieldContent
    let isTold: Bool

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "the later change is shown", rule: .latest, first: (.text("x"), 10), second: (.text("y"), 20), knew: false,
      shown: .text("y"), isTold: true),
    Case(
      name: "and stays where the earlier one comes late", rule: .latest, first: (.text("x"), 20),
      second: (.text("y"), 10), knew: false, shown: .text("x"), isTold: true),
    Case(
      name: "nobody is told of a change by somebody who knew", rule: .latest, first: (.text("x"), 10),
      second: (.text("y"), 20), knew: true, shown: .text("y"), isTold: false),
    Case(
      name: "nor of two that say the same", rule: .latest, first: (.text("x"), 10), second: (.text("x"), 20),
      knew: false, shown: .text("x"), isTold: false),
    Case(
      name: "tags go by the later word, quietly", rule: .latestQuietly, first: (.number(1), 10), second: (.none, 20),
      knew: false, shown: .none, isTold: false),
    Case(
      name: "a retraction stands against who didn't know", rule: .withdrawalStands, first: (.text("r"), 10),
      second: (.none, 20), knew: false, shown: .text("r"), isTold: false),
    Case(
      name: "and against who comes earlier", rule: .withdrawalStands, first: (.none, 20), second: (.text("r"), 10),
      knew: false, shown: .text("r"), isTold: false),
    Case(
      name: "who knew of it takes it back", rule: .withdrawalStands, first: (.text("r"), 10), second: (.none, 20),
      knew: true, shown: .none, isTold: false),
    Case(
      name: "the hub's last word counts, whatever the clocks", rule: .hubDecides, first: (.text("x"), 90),
      second: (.text("y"), 10), knew: false, shown: .text("y"), isTold: false),
    Case(
      name: "both texts of a note are told", rule: .bothKept, first: (.text("x"), 10), second: (.text("y"), 20),
      knew: false, shown: .text("y"), isTold: true),
  ]

  @Test("two changes of one field", arguments: cases)
  func twoChanges(of row: Case) {
    let rule = KindRule(.anywhere, others: row.rule)
    let first = Self.operation(1, 1, clock: row.first.clock, seen: 0, hub: 1, ["f": row.first.content])
    let second = Self.operation(
      2, 1, clock: row.second.clock, seen: row.knew ? 1 : 0, hub: 2, ["f": row.second.content])
    #expect(RecordFold([first, second], rule: rule).contents == ["f": row.shown])
    #expect(RecordFold([second, first], rule: rule).contents == ["f": row.shown])
    #expect(RecordFold([first], rule: rule).disagreements(with: second).isEmpty == !row.isTold)
  }

  @Test func `what was set aside doesn't count, and what the hub has yet to take comes last`() {
    let rule = KindRule(.judgedAtHub, others: .hubDecides)
    var aside = Self.operation(1, 1, clock: 50, seen: 0, hub: 2, ["f": .text("asked")])
    aside.outcome = .setAside
    let hub = Self.operation(0, 1, clock: 10, seen: 0, hub: 1, ["f": .text("stands")])
    #expect(RecordFold([aside, hub], rule: rule).contents == ["f": .text("stands")])
    let own = Self.operation(2, 1, clock: 1, seen: 1, hub: nil, ["f": .text("own")])
    #expect(RecordFold([own, aside, hub], rule: rule).contents == ["f": .text("own")])
  }

  @Test func `a record that was erased is gone with its fields, and one that was made again is there`() {
    let rule = KindRule(.anywhere, others: .latest)
    let made = Self.operation(0, 1, clock: 1, seen: 0, hub: 1, ["f": .text("x")], turn: .made)
    let gone = Self.operation(0, 2, clock: 2, seen: 1, hub: 2, [:], turn: .deleted)
    let again = Self.operation(0, 3, clock: 3, seen: 2, hub: 3, ["f": .text("y")], turn: .made)
    #expect(RecordFold([gone, made], rule: rule).gone == .deleted)
    #expect(RecordFold([gone, made], rule: rule).contents.isEmpty)
    let back = RecordFold([again, gone, made], rule: rule)
    #expect(back.gone == nil)
    #expect(back.contents == ["f": .text("y")])
  }

  /// Any operations of three replicas, each of whose authors has heard of some beginning of the hub's order.
  private static func history(_ random: inout SplitMix64) -> [RecordOperation] {
    var sequences = [Int64](repeating: 0, count: 3)
    return (1...Int64(12)).map { hub in
      let replica = Int(random.next() % 3)
      sequences[replica] += 1
      let content: FieldContent = random.next() % 4 == 0 ? .none : .text("v\(hub)")
      return operation(
        replica, sequences[replica], clock: Int64(random.next() % 6), seen: Int64(random.next() % UInt64(hub)),
        hub: hub,
        ["f": content])
    }
  }

  @Test("in any order the same", arguments: FieldRule.allCases)
  func anyOrder(rule: FieldRule) {
    var random = SplitMix64(seed: 11)
    for _ in 0..<300 {
      let operations = Self.history(&random)
      let truth = RecordFold(operations, rule: KindRule(.anywhere, others: rule)).contents
      var other = operations
      for place in other.indices.reversed() where place > 0 {
        other.swapAt(place, Int(random.next() % UInt64(place + 1)))
      }
      #expect(RecordFold(other, rule: KindRule(.anywhere, others: rule)).contents == truth)
      // A slow twin: one after another in the hub's order, from nothing.
      var fold = RecordFold([], rule: KindRule(.anywhere, others: rule))
      for operation in operations { fold.add(operation) }
      #expect(fold.contents == truth)
    }
  }
}
