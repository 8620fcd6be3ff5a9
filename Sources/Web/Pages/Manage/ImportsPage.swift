import Clinical
import VetNet

/// What was imported, and taking it back.
enum ImportsPage {
  static func page(_ call: Call) throws -> HTML {
    let live = try table(call)
    if call.request.parameter("part") != nil { return live }
    return ManagePages.page(
      .imports, call,
      main: """
        <h1>Imports</h1><p class="actions"><a class="button" href="/jobs" data-testid="import_link">Import a file</a></p>
        \(ManagePages.live(ManagePages.Page.imports.path, kinds: "imports", live))
        """)
  }

  private static func table(_ call: Call) throws -> HTML {
    let imports = try call.perform(ListImports())
    guard !imports.isEmpty else { return "<p class=\"empty\">Nothing was imported yet.</p>" }
    let rows = imports.html { entry in
      let undo: HTML =
        entry.undoneAt == nil
        ? "<a class=\"button small\" href=\"/manage/imports/\(entry.id)\" data-testid=\"undo_import_\(entry.id)\" aria-label=\"Take back import \(entry.id)\">Take back…</a>"
        : ""
      return """
        <tr data-testid="import_\(entry.id)"><th scope="row">\(entry.id)</th><td>\(when(entry.startedAt))</td><td><bdi>\(entry.actor)</bdi></td><td class="files">\(files(entry))</td><td>\(counts(entry.records))\(rejected(entry))</td><td>\(state(entry))</td><td>\(undo)</td></tr>
        """
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Imports"><table data-testid="import_log"><thead><tr><th scope="col">No.</th><th scope="col">When</th><th scope="col">By</th><th scope="col">Files</th><th scope="col">Records</th><th scope="col">State</th><th scope="col">Take back</th></tr></thead><tbody>\(rows)</tbody></table></div>
      """
  }

  private static func when(_ moment: String) -> String { String(moment.prefix(16).map { $0 == "T" ? " " : $0 }) }

  /// By their names: the folders of a machine say nothing to a person.
  private static func files(_ entry: ImportLogEntry) -> String {
    let names = entry.paths.map { String($0.split(separator: "/").last ?? "") }
    return names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " and \(names.count - 4) more" : "")
  }

  private static func counts(_ records: [String: [String: Int]]) -> String {
    let words = [("inserted", "new"), ("updated", "changed"), ("moved", "moved")]
    return records.sorted { $0.key < $1.key }.map { kind, counts in
      "\(kind) \(words.compactMap { key, word in counts[key].map { "\($0) \(word)" } }.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  private static func rejected(_ entry: ImportLogEntry) -> HTML {
    entry.rejected > 0 ? " <span class=\"badge\">\(entry.rejected) rejected</span>" : ""
  }

  private static func state(_ entry: ImportLogEntry) -> HTML {
    if let undone = entry.undoneAt {
      let kept = entry.undoKept ?? 0
      return
        "\(kept > 0 ? "partly taken back" : "taken back") \(when(undone)) by <bdi>\(entry.undoneBy)</bdi>\(kept > 0 ? ", \(kept) kept" : "")"
    }
    return entry.finishedAt == nil ? "not ended" : "stands"
  }

  /// One import, with what would go and what would stay if it were taken back, to be confirmed.
  static func undoPage(_ call: Call) throws -> HTML {
    let id = try ImportRoutes.number(call)
    guard let entry = try call.perform(ListImports()).first(where: { $0.id == id }) else {
      throw ErrorBody(404, "not_found", "there is no import \(id)")
    }
    let head: HTML = """
      <h1>Import \(id)</h1><p>\(when(entry.startedAt)) by <bdi>\(entry.actor)</bdi>: \(files(entry)); \(counts(entry.records))\(rejected(entry))</p>
      """
    let back: HTML = "<a class=\"button\" href=\"\(ManagePages.Page.imports.path)\">Back to the imports</a>"
    guard entry.undoneAt == nil else {
      return ManagePages.page(
        .imports, call, title: "Import \(id)",
        main: "\(head)<p>It is \(state(entry)).</p><p class=\"actions\">\(back)</p>")
    }
    let would = try call.perform(UndoImport(id: id, isDryRun: true))
    func list(_ counts: [String: Int], _ words: String) -> HTML {
      counts.sorted { $0.key < $1.key }.html { "<li>\($0.value) \($0.key)\(words)</li>" }
    }
    let goes =
      list(would.removed, "") + list(would.restored, ": what it wrote over them; they have their old values again")
    let stays = would.kept.prefix(50).html {
      "<li>\($0.kind) \($0.id)\($0.field.map { " \($0)" }): \($0.reason)</li>"
    }
    let more: HTML = would.kept.count > 50 ? "<li>and \(would.kept.count - 50) more</li>" : ""
    let nothing: HTML = "<li class=\"empty\">nothing</li>"
    let form = ManageForm(
      method: "POST", path: "/api/v1/imports/\(id)/undo", testID: "undo_import_form", label: "Take back import \(id)",
      fields: "", button: "Take import \(id) back", then: ManagePages.Page.imports.path, style: "danger")
    return ManagePages.page(
      .imports, call, title: "Import \(id)",
      main: """
        \(head)<section class="card"><h2>If it is taken back</h2><h3>Goes</h3><ul data-testid="undo_goes">\(would.removed.isEmpty && would.restored.isEmpty ? nothing : goes)</ul>
        <h3>Stays, as somebody changed it since or builds on it</h3><ul data-testid="undo_stays">\(would.kept.isEmpty ? nothing : stays)\(more)</ul>\(form.html)</section>
        <p class="actions">\(back)</p>
        """)
  }
}
