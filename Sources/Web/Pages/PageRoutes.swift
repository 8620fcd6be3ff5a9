import Clinical
import Presentation
import VetNet

/// The pages, and the pieces of them that scripts ask for.
enum PageRoutes {
  static let all: [Route] = [
    Route("GET", "/", .page) { .redirect(to: Link.day($0.today)) },
    Route("GET", "/day", .page) { .redirect(to: Link.day($0.today)) },
    Route("GET", "/brief", .page) { .redirect(to: Link.briefs($0.today)) },
    Route("GET", "/patient", .page) { _ in .redirect(to: "/patients") },
    Route("GET", "/day/{date}", .page) { call in
      try isNamed(call) ? .redirect(to: Link.day(call.date())) : .page(DayPage.page(call))
    },
    Route("GET", "/flow", .page) { .redirect(to: Link.flow($0.today)) },
    Route("GET", "/flow/{date}", .page) { call in
      try isNamed(call) ? .redirect(to: Link.flow(call.date())) : .page(FlowPage.page(call))
    },
    Route("GET", "/week/{date}", .page) { call in
      try isNamed(call) ? .redirect(to: Link.week(call.date())) : .page(WeekPage.page(call))
    },
    Route("GET", "/month/{date}", .page) { call in
      try isNamed(call) ? .redirect(to: Link.month(call.date())) : .page(MonthPage.page(call))
    },
    Route("POST", "/plan/{date}", .page) { .page(try PlanPiece.piece($0)) },
    Route("POST", "/ways/{id}", .page) { .page(try WaysPiece.piece($0)) },
    Route("GET", "/visit/{id}", .page) { .page(try VisitPanel.piece($0)) },
    Route("GET", "/triage", .page, needs: .assess) { .page(try TriagePage.page($0)) },
    Route("POST", "/triage", .page) { .page(try TriagePage.piece($0)) },
    Route("POST", "/slots", .page) { .page(try SlotPiece.piece($0)) },
    Route("GET", "/patients", .page) { .page(try PatientsPage.page($0)) },
    Route("GET", "/patient/{id}", .page) { .page(try PatientPage.page($0)) },
    Route("GET", "/patient/{id}/edit", .page) { .page(try EditPage.page($0)) },
    Route("GET", "/note/{id}", .page) { .page(try NotePage.page($0)) },
    Route("GET", "/ask", .page, needs: .readRecord) { .page(try AskPage.page($0)) },
    Route("POST", "/ask", .page) { .pieces(try AskPage.pieces($0)) },
    Route("GET", "/encounters", .page, needs: .readRecord) { .page(try EncountersPage.page($0)) },
    Route("GET", "/encounter", .page) { _ in .redirect(to: "/encounters") },
    Route("GET", "/encounter/new", .page, needs: .writeRecord) { .page(try EncounterPage.new($0)) },
    Route("GET", "/encounter/{id}", .page, needs: .readRecord) { .page(try EncounterPage.page($0)) },
    Route("GET", "/encounter/{id}/summary", .page, needs: .readRecord) { .page(try EncounterSummaryPage.page($0)) },
    Route("GET", "/inbox", .page, needs: .fileInbox) { .page(try InboxPage.page($0)) },
    Route("GET", "/inbox/next", .page, needs: .fileInbox) { try InboxPage.next($0) },
    Route("GET", "/inbox/{id}", .page, needs: .fileInbox) { .page(try InboxItemPage.page($0)) },
    Route("GET", "/inbox/{id}/original", .plain) { try InboxPage.original($0) },
    Route("GET", ConflictsPage.path, .page, needs: .readRecord) { .page(try ConflictsPage.page($0)) },
    Route("GET", "/specialists", .page) { .page(try SpecialistsPage.page($0)) },
    Route("POST", "/specialists", .page) { .page(try SpecialistsPage.ranked($0)) },
    Route("GET", "/account", .page, needs: .ownAccount) { .page(try AccountPage.page($0)) },
    Route("GET", "/jobs", .page) { .page(try JobsPage.page($0)) },
    Route("GET", "/brief/{date}", .page) { call in
      try isNamed(call) ? .redirect(to: Link.briefs(call.date())) : .pieces(BriefPage.pieces(call))
    },
  ]

  /// A day that is called `today` or `tomorrow` has an address of its own, which stays right.
  private static func isNamed(_ call: Call) -> Bool { ["today", "tomorrow"].contains(call.value("date")) }
}
