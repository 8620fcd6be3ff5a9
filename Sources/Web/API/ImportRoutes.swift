import Clinical
import VetNet

/// What was imported, and taking it back, as JSON.
enum ImportRoutes {
  static let all: [Route] = [log, wouldUndo, undo]

  private static let log = Route(
    "GET", "/imports", .api, .reading, "The imports that changed something, the newest first.",
    answer: .object([
      "imports": .list(
        .object(
          [
            "id": .integer, "started_at": .string(), "actor": .string(), "paths": .list(.string()), "records": .any,
            "rejected": .integer,
          ],
          optional: ["finished_at": .string(), "undone_at": .string(), "undone_by": .string()]))
    ])
  ) { call in try .json(["imports": call.perform(ListImports())]) }

  private static let undone = Schema.object([
    "import": .integer, "state": .string(), "removed": .any, "restored": .any, "dry_run": .boolean,
    "kept": .list(.object(["kind": .string(), "id": .string(), "reason": .string()], optional: ["field": .string()])),
  ])

  /// What would happen is found by doing it and taking it back: on the thread that writes.
  private static let wouldUndo = Route(
    "GET", "/imports/{id}/undo", .api, .writing, "What would go and what would stay if an import were taken back.",
    answer: undone
  ) { call in try .json(call.perform(UndoImport(id: number(call), isDryRun: true))) }

  private static let undo = Route(
    "POST", "/imports/{id}/undo", .api, .writing,
    "Takes an import back: what it made goes, what it overwrote has its old value, what somebody changed since stays.",
    body: .object([:]), answer: undone
  ) { call in
    _ = try Fields(call, known: [])
    return try .json(call.perform(UndoImport(id: number(call))))
  }

  static func number(_ call: Call) throws -> Int {
    guard let number = Int(call.value("id")) else {
      throw ErrorBody(404, "not_found", "there is no import '\(call.value("id").prefix(20))'")
    }
    return number
  }
}
