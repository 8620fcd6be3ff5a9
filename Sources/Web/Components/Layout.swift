import Clinical
import VetNet

/// What stands around every page.
struct Layout {
  enum Tab: CaseIterable {
    case schedule, flow, patients, photos, triage, inbox, ask, briefs, specialists, jobs, manage

    var label: HTML {
      switch self {
      case .schedule: "Schedule"
      case .flow: "Flow"
      case .patients: "Patients"
      case .photos: "Photos"
      case .triage: "Triage"
      case .inbox: "Inbox"
      case .ask: "Ask"
      case .briefs: "Briefs"
      case .specialists: "Specialists"
      case .jobs: "Jobs"
      case .manage: "Manage"
      }
    }

    var testID: HTML {
      switch self {
      case .schedule: "tab_schedule"
      case .flow: "tab_flow"
      case .patients: "tab_patients"
      case .photos: "tab_photos"
      case .triage: "tab_triage"
      case .inbox: "tab_inbox"
      case .ask: "tab_ask"
      case .briefs: "tab_briefs"
      case .specialists: "tab_specialists"
      case .jobs: "tab_jobs"
      case .manage: "tab_manage"
      }
    }

    var path: String {
      switch self {
      case .schedule: "/day/today"
      case .flow: "/flow/today"
      case .patients: "/patients"
      case .photos: "/photos"
      case .triage: "/triage"
      case .inbox: "/inbox"
      case .ask: "/ask"
      case .briefs: "/brief/today"
      case .specialists: "/specialists"
      case .jobs: "/jobs"
      case .manage: "/manage"
      }
    }
  }

  /// What a page needs to be of use, and so its tab; nil where several things are of use.
  private static func permission(_ tab: Tab) -> Permission? {
    switch tab {
    case .manage: nil
    case .schedule, .flow, .specialists: .readBook
    case .patients: .readRegister
    case .triage: .assess
    case .inbox: .fileInbox
    case .ask, .briefs, .photos: .readRecord
    case .jobs: .keep
    }
  }

  var title: String
  var tab: Tab?
  /// The module of the page beside the one of all; nil where it needs none.
  var script: String?
  var main: HTML = ""
  /// The record that the page is about, of which whoever has it open hears who else has.
  var presence: RecordReference?
  /// Behind the page's content, so that what is updated live leaves them alone.
  var dialogs: HTML = ""

  func page(_ call: Call) -> HTML {
    let (opening, closing) = frame(call)
    return "\(opening)\(main)\(closing)"
  }

  /// What stands before the page's content, and what behind it.
  func frame(_ call: Call) -> (opening: HTML, closing: HTML) {
    let actor = call.session.actor
    let isHome = call.site.place?.isHome == true
    let lacks = Permission.allCases.filter { !actor.role.may($0) }.map(\.rawValue).joined(separator: ",")
    return frame(
      head:
        "<meta name=\"token\" content=\"\(call.session.token)\"><meta name=\"actor\" content=\"\(actor.name)\"><meta name=\"role\" content=\"\(actor.role.rawValue)\"><meta name=\"lacks\" content=\"\(lacks)\"><meta name=\"now\" content=\"\(Int(call.now.seconds))\"><meta name=\"zone\" content=\"\(call.zone.identifier)\">",
      site: call.site,
      tabs: isHome
        ? [] : Tab.allCases.filter { Self.permission($0).map(actor.role.may) ?? ManagePages.isOfUse(to: actor.role) },
      search: isHome ? "" : Self.search + Self.work,
      who: Switcher.html(call) + WhoActs(session: call.session, here: Link.target(call.request)).html,
      inbox: isHome ? "" : InboxCount.badge(call),
      person: PersonDialog.html(call.session))
  }

  /// For pages that need neither a practice nor a session.
  func document(head: HTML = "", site: Site?, tabs: [Tab], who: HTML = "") -> HTML {
    let (opening, closing) = frame(head: head, site: site, tabs: tabs, search: "", who: who)
    return "\(opening)\(main)\(closing)"
  }

  /// Finds everything, on every page of somebody who is signed in.
  private static let search: HTML = """
    <div id="search-all" class="picker search-all" role="search"><label class="hidden" for="search-input">Find patients, visits, notes and pages</label>
    <input id="search-input" type="text" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="search-list" autocomplete="off" spellcheck="false" placeholder="Find… (press /)" data-testid="search_input">
    <ul id="search-list" role="listbox" aria-label="Found" hidden></ul></div>
    <script type="module" src="\(Assets.path("search.js"))"></script>
    """

  /// As browsers paint what stands around an installed page.
  static let themeColour = "#14606b"

  /// What pages of somebody who is signed in do for the time without the server.
  private static let work: HTML =
    "<script type=\"module\" src=\"\(Assets.path("offline-work.js"))\"></script><script type=\"module\" src=\"\(Assets.path("presence.js"))\"></script>"

  private func frame(
    head: HTML, site: Site?, tabs: [Tab], search: HTML, who: HTML, inbox: HTML = "", person: HTML = ""
  ) -> (opening: HTML, closing: HTML) {
    let tabs = tabs.html { tab in
      let isHere: HTML = tab == self.tab ? " aria-current=\"page\"" : ""
      return
        "<a href=\"\(tab.path)\" data-testid=\"\(tab.testID)\"\(isHere)>\(tab.label)\(tab == .inbox ? inbox : "")</a>"
    }
    let demo: HTML =
      site?.isDemo == true
      ? "<aside class=\"demo-note\" aria-label=\"Sample practice\">Sample practice: whatever you do here is thrown away when the server stops.</aside>"
      : ""
    let scripts: HTML =
      "<script type=\"module\" src=\"\(Assets.path("app.js"))\"></script>\(script.map { "<script type=\"module\" src=\"\(Assets.path($0))\"></script>" as HTML })"
    let about: HTML = presence.map { " data-presence=\"\($0.kind.rawValue):\($0.id)\"" } ?? ""
    let opening: HTML = """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>\(title) · \(site?.practiceName ?? "VetNet")</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
      \(head)<link rel="icon" href="\(Assets.path("icon.svg"))" type="image/svg+xml"><link rel="apple-touch-icon" href="\(Assets.path("icon-192.png"))">
      <link rel="manifest" href="\(WebApp.manifestPath)"><meta name="theme-color" content="\(Self.themeColour)">
      <link rel="stylesheet" href="\(Assets.path("style.css"))"><script src="\(Assets.path("theme.js"))"></script>
      \(scripts)</head>
      <body><a class="skip" href="#main">Skip to content</a>
      <header class="top"><a class="brand" href="\(site?.place?.isHome == true ? "/" : "/day/today")"><bdi>\(site?.practiceName ?? "VetNet")</bdi></a>
      <nav class="tabs" aria-label="Pages">\(tabs)</nav>\(search)
      <div class="top-end">\(who)<button type="button" class="quiet" id="theme" data-testid="theme_toggle" aria-label="Switch between light and dark">◐</button></div></header>
      <p class="offline" data-testid="offline_banner" id="offline" role="status" hidden>The server can't be reached. What you see may be out of date; what you type stays here, and what you save waits on this device. Trying again…</p>
      \(WaitingPieces.aside)\(demo)
      <main id="main" tabindex="-1"\(about)>
      """
    let closing: HTML = """
      </main>
      \(dialogs)\(person)\(WaitingPieces.dialogs)
      <div id="toasts" class="toasts" role="status" aria-live="polite"></div>
      </body></html>
      """
    return (opening, closing)
  }
}
