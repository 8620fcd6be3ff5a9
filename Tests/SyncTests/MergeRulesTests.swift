import Clinical
import Foundation
import Testing

@testable import Sync

/// The rules are values: each kind has one, and what people are shown is made of them.
struct MergeRulesTests {
  struct Row: Sendable {
    let kind: String
    let field: String
    let rule: FieldRule
    let place: KindRule.Place
  }

  @Test(
    "the rule of each field",
    arguments: [
      Row(kind: "client", field: "phone", rule: .latest, place: .anywhere),
      Row(kind: "patient", field: "weight_kg", rule: .latest, place: .anywhere),
      Row(kind: "patient", field: "tag:diabetic", rule: .latestQuietly, place: .anywhere),
      Row(kind: "note", field: "text", rule: .bothKept, place: .anywhere),
      Row(kind: "note", field: "retraction", rule: .withdrawalStands, place: .anywhere),
      Row(kind: "intake", field: "text", rule: .latest, place: .anywhere),
      Row(kind: "appointment", field: "start", rule: .hubDecides, place: .judgedAtHub),
      Row(kind: "appointment", field: "status", rule: .onlyForward, place: .judgedAtHub),
      Row(kind: "appointment", field: "step:17:arrived", rule: .latestQuietly, place: .judgedAtHub),
      Row(kind: "staff", field: "working_hours", rule: .hubDecides, place: .hubOnly),
      Row(kind: "resource", field: "capacity", rule: .hubDecides, place: .hubOnly),
      Row(kind: "location", field: "closures", rule: .hubDecides, place: .hubOnly),
      Row(kind: "vaccine", field: "batch", rule: .latestQuietly, place: .anywhere),
    ])
  func rule(row: Row) {
    let kind = MergeRules.standard.rule(of: row.kind)
    #expect(kind.rule(of: row.field) == row.rule)
    #expect(kind.place == row.place)
  }

  @Test func `what is shown names every kind and every field that has a rule of its own`() {
    let text = MergeRules.standard.lines.joined(separator: "\n")
    for (kind, rule) in MergeRules.standard.kinds where kind != MergeRules.conflictKind {
      #expect(text.contains("\(kind) ("))
      for field in rule.fields.keys {
        #expect(text.contains(field.hasSuffix(":") ? String(field.dropLast()) + "s" : field))
      }
    }
    for stays in MergeRules.stays { #expect(text.contains(stays.what)) }
  }

  @Test func `an operation is read back as it was written, with contents of any kind`() throws {
    var operation = RecordOperation(
      of: RecordName(kind: "vaccine", source: "s", id: "v1"),
      by: .init(replica: 3, sequence: 9, clock: 1 << 52, seen: 4, actor: "Ann"), turn: .made,
      fields: [
        "a": .none, "b": .number(31.2), "c": .text("ü \"x\"\n"), "d": .list([.text("s"), .number(1)]),
        "e": .object(["k": .list([])]),
      ])
    let plain = try JSONDecoder().decode(RecordOperation.self, from: JSONEncoder().encode(operation))
    #expect(plain == operation)
    operation.hubSequence = 12
    operation.outcome = .setAside
    let sent = try JSONDecoder().decode(RecordOperation.self, from: JSONEncoder().encode(operation))
    #expect(sent == operation)
    #expect(sent.saysTheSame(as: plain))
  }
}
