import Clinical
import VetNet

/// Long work: what runs and how far it is, what came of it, and beginning it.
enum JobsPage {
  static func page(_ call: Call) throws -> HTML {
    let list = try list(call)
    if call.request.parameter("part") != nil { return list }
    let role = call.session.actor.role
    let keeps: HTML =
      !role.may(.keep)
      ? "<p class=\"hint\">Importing and re-indexing are for who keeps the practice file: they need the permission to \(Permission.keep.rawValue).</p>"
      : """
      <form id="import" novalidate><h2>Import a file</h2>
      <div class="fields"><div class="field"><label for="import-file">File (JSON Lines, CSV, text, FHIR, iCalendar; \(Limits.upload >> 20) MB at most)</label><input id="import-file" type="file" data-testid="import_file_input"></div>
      <div class="field"><label for="import-kind">What it holds</label><select id="import-kind"><option value="">as its name says</option>\(kinds)</select></div></div>
      <p class="problem" role="alert" hidden></p>
      <div class="actions"><button type="submit" class="primary" data-testid="import_submit_button">Import</button>
      <button type="button" data-begin="reindex" data-testid="reindex_button">Re-index what is new</button></div></form>
      """
    let plans: HTML =
      role.may(.writeBook)
      ? "<div class=\"actions\"><button type=\"button\" data-begin=\"optimize\" data-dates=\"\("\(call.today)")\" data-testid=\"optimize_button\">Improve today's plan</button><button type=\"button\" data-begin=\"optimize\" data-dates=\"\("\(call.today.adding(days: 1))")\">Improve tomorrow's</button></div>"
      : ""
    let checks: HTML =
      role.may(.readRecord)
      ? "<div class=\"actions\"><button type=\"button\" data-begin=\"evaluate\" data-testid=\"evaluate_button\">Compare triage with people's levels</button></div>"
      : ""
    let main: HTML = """
      <div class="toolbar"><h1>Jobs</h1></div>\(keeps)\(plans)\(checks)<p class="problem" id="job-problem" role="alert" hidden></p>
      <section id="live" data-live="/jobs?part=live" data-kinds="imports index plan">\(list)</section>
      """
    return Layout(title: "Jobs", tab: .jobs, script: "jobs.js", main: main).page(call)
  }

  private static let kinds: HTML = ["notes", "patients", "clients", "staff", "resources", "appointments", "intakes"]
    .html { "<option value=\"\($0)\">\($0)</option>" }

  private static func list(_ call: Call) throws -> HTML {
    let jobs = try call.perform(ListJobs())
    guard !jobs.isEmpty else { return "<p class=\"empty\">No job was begun here yet.</p>" }
    return "<ul class=\"plain jobs\">\(jobs.html { row(JobOutput($0, call), $0, call) })</ul>"
  }

  private static func row(_ job: JobOutput, _ stored: PracticeJob, _ call: Call) -> HTML {
    let when: HTML =
      "\(Badges.shortDate(call.zone.date(of: stored.startedAt))) \(call.zone.clock(stored.startedAt))"
    let bar: HTML =
      stored.state == .running
      ? "<progress data-progress max=\"\(job.total ?? 1)\"\(job.total == nil ? "" : " value=\"\(job.done)\"" as HTML) aria-label=\"how far it is\"></progress>\(job.detail.map { " <span class=\"hint\">\($0)</span>" as HTML })"
      : ""
    let cancel: HTML =
      job.can_cancel && stored.state == .running
      ? "<button type=\"button\" data-cancel=\"\(job.id)\" data-testid=\"cancel_job_\(job.id)\">Cancel</button>" : ""
    return """
      <li class="job job-\(stored.state.rawValue)" data-job="\(job.id)" data-testid="job_\(job.id)"><b>\(name(stored.kind))</b> <span class="id">\(when)</span>
      <span class="badge">\(word(stored.state))</span> \(bar)\(cancel)\(job.message.map { "<p>\($0)</p>" as HTML })\(report(stored))\(standing(stored))</li>
      """
  }

  static func name(_ kind: PracticeJob.Kind) -> HTML {
    switch kind {
    case .imports: "Import"
    case .reindex: "Re-indexing"
    case .optimize: "Better plan"
    case .evaluate: "Triage beside people's levels"
    case .backup: "Backup"
    }
  }

  static func word(_ state: PracticeJob.State) -> HTML {
    switch state {
    case .running: "runs"
    case .done: "done"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .brokenOff: "broken off"
    }
  }

  /// The way to what came of it in full.
  private static func report(_ job: PracticeJob) -> HTML {
    guard job.kind == .evaluate, job.state == .done else { return "" }
    return "<p><a href=\"\(ManagePages.Page.evaluations.path)/\(job.id)\">Report</a></p>"
  }

  /// Of what was cut short, what holds now and how to go on.
  private static func standing(_ job: PracticeJob) -> HTML {
    guard job.state == .brokenOff || job.state == .cancelled else { return "" }
    switch job.kind {
    case .imports:
      return
        "<p class=\"hint\">The rows that it had read stand, whole. The same file may be imported again: what is there is not kept twice. To take it back: <a href=\"/manage/imports\">Imports</a>.</p>"
    case .reindex:
      return
        "<p class=\"hint\">The index in use is whole, and what was made of the new one is kept: begin again to go on.</p>"
    case .optimize: return "<p class=\"hint\">The plan is as it was.</p>"
    case .evaluate: return "<p class=\"hint\">Nothing is changed by it.</p>"
    case .backup: return "<p class=\"hint\">No backup was made; earlier ones are as they were.</p>"
    }
  }
}
