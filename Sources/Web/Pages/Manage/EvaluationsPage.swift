import Clinical
import VetNet

/// The comparisons of triage with people's levels that were run here, each opened in place.
enum EvaluationsPage {
  static func page(_ call: Call) throws -> HTML {
    let live = try list(call)
    if call.request.parameter("part") != nil { return live }
    let begin: HTML =
      call.session.actor.role.may(.readRecord)
      ? "<div class=\"actions\"><button type=\"button\" class=\"primary\" data-begin=\"evaluate\" data-testid=\"evaluate_button\">Compare now</button></div>"
      : "<p class=\"hint\">Beginning one is for who may read records: it judges what was written.</p>"
    return ManagePages.page(
      .evaluations, call,
      main: """
        <h1>Evaluations</h1><p class="hint">The program as it is judges anew the cases in which somebody here gave a level of their own. These are the cases that mattered or seemed wrong: no sample of all, and people's levels may be wrong as well.</p>
        \(begin)<p class="problem" id="job-problem" role="alert" hidden></p>
        \(ManagePages.live(ManagePages.Page.evaluations.path, kinds: "none", live))
        """)
  }

  private static func list(_ call: Call) throws -> HTML {
    let jobs = try call.perform(ListJobs()).filter { $0.kind == .evaluate }
    guard !jobs.isEmpty else {
      return "<p class=\"empty\" data-testid=\"evaluation_list\">No comparison was run here yet.</p>"
    }
    let rows = jobs.html { job in
      // One from before reports were kept has no more than its line.
      let open: HTML =
        job.state == .done
        ? "<a class=\"button small\" href=\"\(ManagePages.Page.evaluations.path)/\(job.id)\" data-testid=\"open_evaluation_\(job.id)\" aria-label=\"Open the report of \(call.zone.describe(job.startedAt))\">Open</a>"
        : ""
      return
        "<tr data-testid=\"evaluation_\(job.id)\"><th scope=\"row\">\(call.zone.describe(job.startedAt))</th><td>\(JobsPage.word(job.state))</td><td>\(job.message)</td><td>\(open)</td></tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Comparisons"><table data-testid="evaluation_list"><thead><tr><th scope="col">Begun</th><th scope="col">State</th><th scope="col">What came of it</th><th scope="col">Report</th></tr></thead><tbody>\(rows)</tbody></table></div>
      """
  }

  static func report(_ call: Call) throws -> HTML {
    guard let id = Int64(call.value("id")), let job = try call.perform(ListJobs()).first(where: { $0.id == id }) else {
      throw ErrorBody(404, "not_found", "there is no report '\(call.value("id").prefix(20))'")
    }
    let found = try call.perform(ShowEvaluation(job: id))
    let main: HTML = """
      <h1>Triage beside people's levels</h1><p>Run \(call.zone.describe(job.startedAt)). \(found.line.prefix(1).uppercased() + found.line.dropFirst()).</p>
      \(found.cases == 0 ? "" : shares(found) + matrix(found) + below(found))\(versions(found))
      <p class="disclaimer">Cases in which somebody gave another level than the program did then: no share of all cases.</p>
      <p class="actions"><a class="button" href="\(ManagePages.Page.evaluations.path)">All comparisons</a></p>
      """
    return ManagePages.page(
      .evaluations, call, title: "Evaluation", main: "<div data-testid=\"evaluation_report\">\(main)</div>")
  }

  private static func shares(_ found: TriageAgreement) -> HTML {
    func share(_ count: Int, _ all: Int) -> String { all > 0 ? Badges.percent(Double(count) / Double(all)) : "–" }
    let rows: [(HTML, Int, Int)] = [
      ("The same level", found.same, found.cases), ("A lower level than the person's", found.lower, found.cases),
      ("A higher level", found.higher, found.cases),
      ("Red or orange ones that get red or orange", found.urgentFound, found.urgent),
    ]
    return """
      <table class="matrix"><thead><tr><th scope="col">The program gives</th><th scope="col">Cases</th><th scope="col">Of</th><th scope="col">Share</th></tr></thead><tbody>\(rows.html { "<tr><th scope=\"row\">\($0.0)</th><td>\($0.1)</td><td>\($0.2)</td><td>\(share($0.1, $0.2))</td></tr>" })</tbody></table>
      """
  }

  private static func matrix(_ found: TriageAgreement) -> HTML {
    let levels = Urgency.allCases.sorted(by: >)
    let heads = levels.html { "<th scope=\"col\">\($0.rawValue)</th>" }
    let rows = levels.html { person in
      let cells = levels.html { program in
        let count = found.levels[person.rawValue]?[program.rawValue] ?? 0
        let kind: HTML =
          count == 0
          ? "" : program == person ? " class=\"same\"" : program < person ? " class=\"lower\"" : " class=\"higher\""
        return "<td\(kind)>\(count)</td>"
      }
      return "<tr><th scope=\"row\">\(person.rawValue)</th>\(cells)</tr>"
    }
    return """
      <h2>Levels against levels</h2><div class="scroll" tabindex="0" role="region" aria-label="Levels against levels"><table class="matrix" data-testid="evaluation_matrix"><caption class="hint">Rows: what the person gave. Columns: what the program gives.</caption><thead><tr><th scope="col">Person</th>\(heads)</tr></thead><tbody>\(rows)</tbody></table></div>
      """
  }

  private static func below(_ found: TriageAgreement) -> HTML {
    guard !found.lowest.isEmpty else { return "<p>No case is taken for less urgent than the person said.</p>" }
    let rows = found.lowest.html { item in
      "<tr><th scope=\"row\">\(item.id)</th><td>\(Badges.level(Urgency(rawValue: item.person)))</td><td>\(Badges.level(Urgency(rawValue: item.program)))</td><td>\(item.steps)</td></tr>"
    }
    return """
      <h2>Taken for less urgent than the person said</h2><div class="scroll" tabindex="0" role="region" aria-label="Taken for less urgent"><table class="matrix"><thead><tr><th scope="col">Case</th><th scope="col">Person</th><th scope="col">Program</th><th scope="col">Levels below</th></tr></thead><tbody>\(rows)</tbody></table></div>
      <p class="hint"><code>vetnet triage overrides</code> shows the cases with their words.</p>
      """
  }

  private static func versions(_ found: TriageAgreement) -> HTML {
    guard !found.versions.isEmpty else { return "" }
    let rows = found.versions.sorted { $0.key < $1.key }.html { "<dt>\($0.key)</dt><dd>\($0.value)</dd>" }
    return "<details><summary>Versions that judged</summary><dl class=\"facts\">\(rows)</dl></details>"
  }
}
