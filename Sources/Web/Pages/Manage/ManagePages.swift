import VetNet

/// What a practice manager does: settings, people, users, imports, the audit log, and what the weeks were like.
enum ManagePages {
  static let all: [Route] = [
    Route("GET", "/manage", .page) { .page(try hub($0)) },
    Route("GET", Page.practice.path, .page, needs: .keep) { .page(try PracticePage.page($0)) },
    Route("GET", Page.people.path, .page, needs: .keep) { .page(try PeoplePage.page($0)) },
    Route("GET", Page.users.path, .page, needs: .readUsers) { .page(try UsersPage.page($0)) },
    Route("GET", Page.devices.path, .page, needs: .readUsers) { .page(try DevicesPage.page($0)) },
    Route("GET", Page.imports.path, .page, needs: .keep) { .page(try ImportsPage.page($0)) },
    // What would go is found by taking the import back and making it again: on the thread that writes.
    Route("GET", "/manage/imports/{id}", .page, .writing, needs: .keep) { .page(try ImportsPage.undoPage($0)) },
    Route("GET", Page.audit.path, .page, needs: .readAudit) { .page(try AuditLogPage.page($0)) },
    Route("GET", Page.weeks.path, .page, needs: .readBook) { .page(try WeeksPage.page($0)) },
    Route("GET", Page.evaluations.path, .page, needs: .inspect) { .page(try EvaluationsPage.page($0)) },
    Route("GET", "/manage/evaluations/{id}", .page, needs: .inspect) { .page(try EvaluationsPage.report($0)) },
  ]

  /// A page below the hub, in the order in which they are listed.
  enum Page: CaseIterable {
    case practice, people, weeks, users, devices, imports, audit, evaluations

    var path: String {
      switch self {
      case .practice: "/manage/practice"
      case .people: "/manage/people-and-rooms"
      case .users: "/manage/users"
      case .devices: "/manage/devices"
      case .imports: "/manage/imports"
      case .audit: "/manage/audit"
      case .weeks: "/manage/weeks"
      case .evaluations: "/manage/evaluations"
      }
    }

    var title: String {
      switch self {
      case .practice: "Practice"
      case .people: "People and rooms"
      case .users: "Users and roles"
      case .devices: "Devices"
      case .imports: "Imports"
      case .audit: "Audit log"
      case .weeks: "Weeks"
      case .evaluations: "Evaluations"
      }
    }

    var testID: String { "manage_\(path.split(separator: "/").last ?? "")" }

    var summary: String {
      switch self {
      case .practice: "Settings, opening hours and days off, the state of the file, and its backups."
      case .people: "Hours, breaks and leave of everybody who works here; rooms and devices, and where they are."
      case .users: "Who may use the practice, as what, and how they sign in."
      case .devices: "Browsers and practice files elsewhere: which there are, and what is done about a lost one."
      case .imports: "What was imported by whom, and taking an import back."
      case .audit: "Who did and saw what, and whether the log is what was written."
      case .weeks: "Workload, overruns, levels and appointments that were not kept, by week, as pictures."
      case .evaluations: "How the program's levels compare with those that people here gave."
      }
    }

    func isOfUse(to role: Role) -> Bool {
      switch self {
      case .practice, .people, .imports: role.may(.keep)
      case .users, .devices: role.may(.readUsers)
      case .audit: role.may(.readAudit)
      // Reception may look when sent there; the tab is for whom the rest is of use too.
      case .weeks: role.may(.readBook) && (role.may(.keep) || role.may(.readRecord))
      case .evaluations: role.may(.readRecord) || role.may(.keep)
      }
    }
  }

  static func isOfUse(to role: Role) -> Bool { Page.allCases.contains { $0.isOfUse(to: role) } }

  private static func hub(_ call: Call) throws -> HTML {
    let role = call.session.actor.role
    guard isOfUse(to: role) else { throw ErrorBody(lacking: .keep, role, for: "this page") }
    let status = try call.perform(ShowStatus())
    let cards = Page.allCases.filter { $0.isOfUse(to: role) }.html { page in
      let due: HTML =
        page == .practice && status.isBackupDue ? " <span class=\"badge bad\">a backup is due</span>" : ""
      return
        "<li><a class=\"row\" href=\"\(page.path)\" data-testid=\"\(page.testID)_card\"><b>\(page.title)</b>\(due)<span class=\"what\">\(page.summary)</span></a></li>"
    }
    let jobs: HTML =
      role.may(.keep)
      ? "<li><a class=\"row\" href=\"/jobs\"><b>Jobs</b><span class=\"what\">Importing files, re-indexing, and what else takes its time.</span></a></li>"
      : ""
    return Layout(
      title: "Manage", tab: .manage,
      main:
        "<h1>Manage</h1><ul class=\"plain results manage-hub\" data-testid=\"manage_hub\">\(cards)\(jobs)</ul>"
    ).page(call)
  }

  /// A page below the hub, with the way to the others.
  static func page(_ page: Page, _ call: Call, title: String? = nil, main: HTML) -> HTML {
    let links = Page.allCases.filter { $0.isOfUse(to: call.session.actor.role) }.html { other in
      "<a href=\"\(other.path)\" data-testid=\"\(other.testID)\"\(other == page ? " aria-current=\"page\"" : "" as HTML)>\(other.title)</a>"
    }
    return Layout(
      title: title ?? page.title, tab: .manage, script: "manage.js",
      main:
        "<nav class=\"subtabs\" aria-label=\"Manage\"><a href=\"/manage\">Manage</a>\(links)</nav>\(main)"
    ).page(call)
  }

  /// The part that changes while somebody looks.
  static func live(_ path: String, kinds: HTML, _ content: HTML) -> HTML {
    "<div id=\"live\" data-live=\"\(path)?part=live\" data-kinds=\"\(kinds)\">\(content)</div>"
  }
}
