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
      <div id="live" data-live="\(Link.inbox(item.id))?part=live" data-kinds="inbox patient appointment note">\(live)</div>
      """
    return Layout(
      title: InboxPieces.title(item), tab: .inbox, script: "inbox.js", main: main,
      dialogs: InboxPieces.dialogs + booking
    ).page(call)
  }

  private static func live(_ item: InboxItem, _ call: Call) throws -> HTML {
    let content = item.content
    let tally = try call.perform(CountInbox())
    let isOpen = item.state == .waiting || item.state == .later
    return """
      <article class="inbox-whole" data-item="\(item.id)" data-whole\(content.kind == .intake ? " data-message" : "" as HTML)>
      <div class="toolbar"><p><a href="/inbox">‹ Inbox</a></p>\(InboxPieces.progress(tally))<div class="group"><a class="button" href="/inbox/next" data-testid="inbox_next_button">The next that waits</a></div></div>
      <h1 class="item-title"><bdi>\(InboxPieces.title(item))</bdi> \(InboxPieces.urgency(content.urgency))<span class="badge">\(InboxPieces.kind(content.kind))</span> <span class="badge" data-testid="inbox_state">\(state(item.state))</span> <span class="id">\(item.id)</span></h1>
      \(standing(item, call))
      <div class="split inbox-split"><section aria-label="What came in">\(facts(item, call))\(text(item))</section>
      <section aria-label="Whose it is">\(isOpen ? decide(item, call) : "")\(history(item, call))</section></div></article>
      """
  }

  private static func state(_ state: InboxItem.State) -> String {
    switch state {
    case .waiting: "waits"
    case .later: "put off"
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
      <div class="actions"><button type="button" data-choose-patient data-testid="inbox_choose_\(item.id)">Another patient…</button>\(item.state == .later ? "" : "<button type=\"button\" data-later data-testid=\"inbox_later_\(item.id)\">Later</button>" as HTML)<button type="button" data-reject data-testid="inbox_reject_\(item.id)">Reject…</button></div>
      """
  }

  /// What became of it, where something has.
  private static func standing(_ item: InboxItem, _ call: Call) -> HTML {
    switch item.state {
    case .waiting, .later: return ""
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
    return
      "<p class=\"inbox-standing\">\(words) <button type=\"button\" data-undo=\"\(item.id)\" data-testid=\"inbox_undo_\(item.id)\">Undo</button></p>"
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
