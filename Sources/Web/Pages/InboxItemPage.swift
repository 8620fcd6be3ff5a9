import Clinical
import Presentation
import VetNet

/// One item of the inbox with its whole text, to be decided on; the next opens behind it.
enum InboxItemPage {
  static func page(_ call: Call) throws -> HTML {
    let item = try call.perform(ShowInboxItem(id: call.value("id")))
    let live = try live(item, call)
    if call.request.parameter("part") == "live" { return live }
    let mayBook = call.session.actor.role.may(.writeBook)
    let booking: HTML =
      mayBook
      ? Dialogs.booking(
        clinicians: try call.perform(ShowDay(date: call.today)).workload.map { ($0.clinicianID, $0.name) },
        date: call.today) : ""
    let main: HTML = """
      \(InboxPieces.done)
      <div id="live" class="card-place" data-live="\(Link.inbox(item.id))?part=live" data-kinds="inbox patient appointment note">\(live)</div>
      \(InboxPieces.keys)
      """
    return Layout(
      title: InboxPieces.title(item), tab: .inbox, script: "inbox.js", main: main,
      dialogs: InboxPieces.dialogs + booking
    ).page(call)
  }

  private static func live(_ item: InboxItem, _ call: Call) throws -> HTML {
    let content = item.content
    // So many are loaded before they are needed.
    let session = try call.perform(ShowInboxSession(after: item.id, most: 5))
    let next = session.next.filter { $0 != item.id }
    let isOpen = InboxItem.State.open.contains(item.state)
    let decided = try call.perform(ListInboxDecisions(most: 6))
    return """
      <article class="inbox-whole" data-item="\(item.id)" data-revision="\(item.revision)" data-whole\(content.kind == .intake ? " data-message" : "" as HTML)\(isOpen ? " data-decidable" : "" as HTML)\(isOpen ? InboxPieces.clear(item) : "" as HTML) data-next="\(next.joined(separator: " "))" data-level="\(content.urgency?.rawValue)">
      <div class="toolbar"><p><a href="/inbox">‹ Inbox</a></p>\(InboxPieces.progress(session.tally))<div class="group"><a class="button" href="/inbox/next?after=\(item.id)" data-next-item data-testid="inbox_next_button">The next that waits</a></div></div>
      <h1 class="item-title"><bdi>\(InboxPieces.title(item))</bdi> \(InboxPieces.urgency(content.urgency))<span class="badge">\(InboxPieces.kind(content.kind))</span> <span class="badge" data-testid="inbox_state">\(state(item.state))</span>\(InboxPieces.standing(item, call)) <span class="id">\(item.id)</span></h1>
      \(InboxPieces.readers(item, call))\(standing(item, call))\(isOpen ? swipes(item) : "")\(level(item))
      <div class="split inbox-split"><section aria-label="What came in">\(facts(item, call))\(text(item))</section>
      <section aria-label="Whose it is">\(isOpen ? decide(item, call) : "")\(history(item, call))</section></div>\(InboxPage.lately(decided, call))</article>
      """
  }

  private static func state(_ state: InboxItem.State) -> String {
    switch state {
    case .waiting: "waits"
    case .later: "put off"
    case .asked: "asked back"
    case .filed: "filed"
    case .rejected: "rejected"
    }
  }

  private static func facts(_ item: InboxItem, _ call: Call) -> HTML {
    let content = item.content
    let dated = content.details.datedAt.map { "<dt>Written</dt><dd>\(InboxPieces.moment($0, call))</dd>" as HTML }
    let author = content.details.author.map { "<dt>By</dt><dd>\($0)</dd>" as HTML }
    let channel = content.details.channel.map { "<dt>By way of</dt><dd>\($0)</dd>" as HTML }
    let original = content.original.map {
      "<dt>As it came</dt><dd><a href=\"\(Link.inbox(item.id))/original\" download data-testid=\"inbox_original_link\">Save the file</a> (\($0.mediaType), \(max(1, $0.bytes.count / 1024)) kB)</dd>"
        as HTML
    }
    return """
      <dl class="facts"><dt>From</dt><dd>\(content.origin.source) <span class="id">\(content.origin.id)</span></dd><dt>Came in</dt><dd>\(InboxPieces.moment(content.origin.receivedAt, call))</dd>\(dated)\(author)\(channel)<dt>Waits, as it</dt><dd>\(content.reason.words)</dd>\(original)</dl>\(InboxPieces.appointment(item, call))
      """
  }

  private static func text(_ item: InboxItem) -> HTML {
    item.content.text.contains { !$0.isWhitespace }
      ? "<pre class=\"note\" tabindex=\"0\" role=\"region\" aria-label=\"Text\" data-testid=\"inbox_text\">\(item.content.text)</pre>"
      : "<p class=\"empty\">It has no text.</p>"
  }

  private static func decide(_ item: InboxItem, _ call: Call) -> HTML {
    let moment = item.content.details.datedAt ?? item.content.origin.receivedAt
    let becomesNote = [.letter, .note].contains(item.content.kind)
    let date: HTML =
      becomesNote
      ? "<div class=\"field\"><label for=\"inbox-date\">Filed as written on</label><input id=\"inbox-date\" type=\"datetime-local\" data-was=\"\(call.zone.iso8601(moment).prefix(16))\" value=\"\(call.zone.iso8601(moment).prefix(16))\" data-testid=\"inbox_date_input\">\(item.content.details.datedAt == nil ? "<p class=\"hint\">It says no date: this is when it came in.</p>" : "" as HTML)</div>"
      : ""
    return """
      <h2>Whose is it?</h2>\(InboxPieces.proposals(item, isWhole: true, call))\(date)
      <div class="actions"><button type="button" data-choose-patient data-testid="inbox_choose_\(item.id)"><kbd>c</kbd> Another patient…</button>\(item.content.kind == .event ? "" : "<button type=\"button\" data-ask data-testid=\"inbox_ask_\(item.id)\"><kbd>a</kbd> Ask back…</button>" as HTML)\(item.state == .later ? "" : "<button type=\"button\" data-later data-testid=\"inbox_later_\(item.id)\"><kbd>l</kbd> Later</button>" as HTML)<button type="button" data-until data-testid="inbox_until_\(item.id)"><kbd>t</kbd> Until…</button><button type="button" data-reject data-testid="inbox_reject_\(item.id)"><kbd>r</kbd> Reject…</button></div>
      """
  }

  /// What became of it, where something has.
  private static func standing(_ item: InboxItem, _ call: Call) -> HTML {
    switch item.state {
    case .waiting, .later, .asked: return asked(item)
    case .rejected, .filed: break
    }
    var words: HTML = "It was rejected."
    if let filed = item.filed {
      let record: HTML =
        filed.kind == "note" && call.session.actor.role.may(.readRecord)
        ? " as the note <a href=\"\(Link.note(filed.id))\">\(filed.id)</a>" : ""
      words =
        "It is filed to <a href=\"\(Link.patient(filed.patient.id))\"><bdi>\(filed.patient.name)</bdi></a> <span class=\"id\">\(filed.patient.id)</span>\(record)."
    }
    if let visit = item.booked, visit.status.occupiesTime {
      let date = call.zone.date(of: visit.start)
      words =
        "\(words) A visit is booked: <a href=\"\(Link.day(date))\">\(Badges.longDate(date)), \(call.zone.clock(visit.start))</a>."
    }
    return
      "<p class=\"inbox-standing\">\(words) <button type=\"button\" data-undo=\"\(item.id)\" data-revision=\"\(item.revision)\" data-testid=\"inbox_undo_\(item.id)\">Undo</button></p>"
  }

  /// What a swipe does, where there is a finger to do it.
  private static func swipes(_ item: InboxItem) -> HTML {
    let right = item.clearProposal.map { "file to \($0.patient.name) (\($0.patient.id))" } ?? "choose the patient"
    return "<p class=\"swipe-hint hint\">Swipe right: \(right); left: later.</p>"
  }

  /// What its sender was asked.
  private static func asked(_ item: InboxItem) -> HTML {
    guard let asked = item.asked else { return "" }
    return
      "<section class=\"asked-back\" aria-label=\"What was asked\"><p class=\"hint\">Asked back:</p><p class=\"said\" data-testid=\"inbox_asked\">\(asked)</p>\(CopyPiece(text: asked).html)</section>"
  }

  /// How urgent it is, what to do now, and the words that say so.
  private static func level(_ item: InboxItem) -> HTML {
    guard let level = item.level, let urgency = item.content.urgency else { return "" }
    let seen = level.targetMinutes == 0 ? "now" : "within \(level.targetMinutes) min"
    let words = level.words.html { "<q>\($0.shortened(to: 60))</q> " }
    return """
      <section class="verdict level-\(urgency.rawValue) inbox-level" aria-label="How urgent it is" data-testid="inbox_level"><p class="level">\(urgency.rawValue) <span class="target">seen \(seen)</span></p><p class="action">\(level.action)</p><p class="why">Rests on: \(level.basis) \(words)\(level.hasTooLittleInformation ? "Too little is said to judge: call back." : "")</p></section>
      """
  }

  private static func history(_ item: InboxItem, _ call: Call) -> HTML {
    guard !item.decisions.isEmpty else { return "" }
    let rows = item.decisions.reversed().html { decision in
      let undone: HTML =
        decision.undoneAt.map {
          " <span class=\"hint\">taken back \(InboxPieces.moment($0, call)) by \(decision.undoneBy)</span>"
        } ?? ""
      return
        "<li>\(InboxPieces.moment(decision.at, call)): \(state(decision.after)) by \(decision.actor)\(decision.reason.map { ": \($0)" })\(undone)</li>"
    }
    return
      "<details><summary>What was decided (\(item.decisions.count))</summary><ul class=\"plain\">\(rows)</ul></details>"
  }
}
