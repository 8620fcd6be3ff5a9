import Clinical
import VetNet

/// Who did and saw what, and whether the log is what was written.
enum AuditLogPage {
  static func page(_ call: Call) throws -> HTML {
    if call.request.parameter("part") == "chain" { return try chain(call) }
    let filter = AuditPage.Filter(call.request)
    let found: HTML
    do {
      found = table(try AuditPage(call), filter)
    } catch let error as ErrorBody where [400, 404, 409].contains(error.status) {
      found = problem(error)
    } catch let error as PracticeError where [.ambiguousPatient, .notFound].contains(error.code) {
      found = problem(ErrorBody(error))
    }
    return ManagePages.page(
      .audit, call,
      main: """
        <h1>Audit log</h1><div data-load="\(ManagePages.Page.audit.path)?part=chain" role="status" data-testid="audit_chain"><p class="hint">The log is being compared with what was written…</p></div>
        \(try form(filter, call))<h2>\(heading(filter))</h2>\(found)\(try keeping(call))
        """)
  }

  private static func heading(_ filter: AuditPage.Filter) -> String {
    let what = filter.accessOnly ? "Who saw" : "Who did and saw what"
    let whom =
      filter.patient.map { " \(filter.accessOnly ? "" : "of ")the record of \($0)" }
      ?? (filter.accessOnly ? " a record" : "")
    return "\(what)\(whom)\(filter.user.map { ", by \($0)" } ?? "")\(filter.since.map { ", since \($0)" } ?? "")"
  }

  private static func problem(_ error: ErrorBody) -> HTML {
    let some = error.candidates.html {
      "<li><a href=\"\(address(patient: $0.id))\"><bdi>\($0.name)</bdi></a> \($0.species)\($0.owner_name.map { ", \($0)" }) <span class=\"id\">\($0.id)</span></li>"
    }
    return
      "<p class=\"alert\" role=\"alert\">\(error.message)\(error.hint.map { ". \($0)" })</p>\(error.candidates.isEmpty ? "" : "<ul>\(some)</ul>" as HTML)"
  }

  private static func address(
    patient: String?, user: String? = nil, since: String? = nil, accessOnly: Bool = false, before: Int64? = nil
  ) -> String {
    let parts = [
      patient.map { "patient=\(Link.encoded($0))" }, user.map { "user=\(Link.encoded($0))" },
      since.map { "since=\(Link.encoded($0))" }, accessOnly ? "access=1" : nil, before.map { "before=\($0)" },
    ].compactMap(\.self)
    return ManagePages.Page.audit.path + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
  }

  private static func form(_ filter: AuditPage.Filter, _ call: Call) throws -> HTML {
    let users = try call.permitted(ListUsers())?.map(\.name) ?? []
    let names = users.html { "<option value=\"\($0)\"></option>" }
    return """
      <form class="audit-filter" data-audit="\(ManagePages.Page.audit.path)" method="post" role="search" aria-label="Audit log"><div class="fields">
      <div class="field"><label for="audit-patient">Patient, by id or name</label><input id="audit-patient" name="patient" value="\(filter.patient)" autocomplete="off" spellcheck="false" data-testid="audit_patient_input"></div>
      <div class="field"><label for="audit-user">User</label><input id="audit-user" name="user" value="\(filter.user)" list="audit-users" autocomplete="off" data-testid="audit_user_input"><datalist id="audit-users">\(names)</datalist></div>
      <div class="field"><label for="audit-since">Since</label><input id="audit-since" name="since" type="date" max="\("\(call.today)")" value="\(filter.since)" data-testid="audit_since_input"></div></div>
      <label class="chip"><input type="checkbox" name="access" value="1" data-testid="audit_access_box"\(filter.accessOnly ? " checked" : "" as HTML)> only who saw records, and who was refused</label>
      <p class="problem" role="alert" hidden></p><ul data-candidates hidden></ul>
      <div class="actions"><button type="submit" class="primary" data-testid="audit_show_button">Show</button><a class="button" href="\(ManagePages.Page.audit.path)">All of it</a></div></form>
      """
  }

  private static func table(_ page: AuditPage, _ filter: AuditPage.Filter) -> HTML {
    guard !page.entries.isEmpty else { return "<p class=\"empty\">Nothing of that is on record.</p>" }
    let rows = page.entries.html { line in
      guard let at = line.at, let kind = line.kind, let operation = line.operation else {
        return
          "<tr><td>\(line.sequence)</td><td colspan=\"4\" class=\"empty\">content taken out, as entry \(line.checkpoint ?? 0) says</td></tr>"
      }
      let about = line.subjects.prefix(6).html { subject in
        let words: HTML = "\(subject.kind) \(subject.id)"
        return subject.kind == "patient"
          ? "<li><a href=\"\(address(patient: subject.id))\">\(words)</a></li>" : "<li>\(words)</li>"
      }
      let rest: HTML = line.subjects.count > 6 ? "<li>and \(line.subjects.count - 6) more</li>" : ""
      return """
        <tr data-testid="audit_\(line.sequence)"><td class="number">\(line.sequence)</td><td>\(String(at.prefix(19).map { $0 == "T" ? " " : $0 }))</td><td><bdi>\(line.actor)</bdi>\(line.role.map { " <span class=\"id\">\($0)</span>" as HTML })</td><td>\(kind) <span class="id">\(operation)</span></td><td><ul class="plain about">\(about)\(rest)</ul></td></tr>
        """
    }
    let next: HTML =
      page.next_before.map {
        "<p class=\"actions\"><a class=\"button\" rel=\"next\" href=\"\(address(patient: filter.patient, user: filter.user, since: filter.since, accessOnly: filter.accessOnly, before: $0))\" data-testid=\"audit_earlier\">Earlier entries</a></p>"
      } ?? ""
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Entries"><table data-testid="audit_log"><thead><tr><th scope="col" class="number">No.</th><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">About</th></tr></thead><tbody>\(rows)</tbody></table></div>\(next)
      """
  }

  /// How long it is kept who saw what, and taking out what is older.
  private static func keeping(_ call: Call) throws -> HTML {
    guard call.session.actor.role.may(.keepAudit) else { return "" }
    let days = try call.perform(ShowAccessDays())
    let keep = ManageForm(
      method: "PATCH", path: "/api/v1/audit/days", testID: "access_days_form", label: "How long accesses are kept",
      fields: ManageField.text(
        "access_days", "days", "Days for which it is kept who saw what", value: days.map(String.init),
        hint: "\(ShowAccessDays.least) at least; empty for as long as the practice file is. Changes are kept for good.",
        type: "number", more: " data-kind=\"number\" inputmode=\"numeric\" min=\"\(ShowAccessDays.least)\""),
      then: ManagePages.Page.audit.path)
    let compact = ManageForm(
      method: "POST", path: "/api/v1/audit/compaction", testID: "compact_form", label: "Take older accesses out",
      fields: "", button: "Take older accesses out now", then: ManagePages.Page.audit.path, style: "danger")
    return
      "<details><summary>How long accesses are kept</summary>\(keep.html)\(days == nil ? "" : compact.html)</details>"
  }

  /// Reads the whole log: it comes after the page.
  private static func chain(_ call: Call) throws -> HTML {
    let report = try call.perform(VerifyAudit())
    guard report.ok else {
      return
        "<p class=\"alert\" data-testid=\"audit_broken\">The log is not what was written: entry \(Int(report.firstBad ?? 0)) of \(report.entries): \(report.problem).</p>"
    }
    let notes = [
      report.compacted > 0 ? "\(report.compacted) of them without content, as checkpoints say" : nil,
      report.isKeyed ? nil : "the head was not compared, as the key is not beside the practice file",
      report.keyedFrom.map { "those before \($0) were made under another key" },
    ].compactMap(\.self)
    return
      "<p data-testid=\"audit_ok\"><span class=\"badge good\">whole</span> All \(report.entries) entries are what was written\(notes.isEmpty ? "" : "; " + notes.joined(separator: "; ")).</p>"
  }
}
