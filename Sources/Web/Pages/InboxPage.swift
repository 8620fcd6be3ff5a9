import Clinical
import Presentation
import VetNet

/// What came in and waits for somebody to say whose it is: the most urgent first, then the longest waiting.
enum InboxPage {
  private static let most = 40

  static func page(_ call: Call) throws -> HTML {
    let kind = try InboxRoutes.kind(call.request)
    let list = try list(kind, call)
    if call.request.parameter("part") == "live" { return list }
    let kinds = ([nil] + IncomingItem.Kind.allCases).html { choice in
      "<option value=\"\(choice?.rawValue)\"\(choice == kind ? " selected" : "" as HTML)>\(choice.map(InboxPieces.kinds) ?? "everything")</option>"
    }
    let here = kind.map { "&amp;kind=\($0.rawValue)" as HTML } ?? ""
    let from: HTML = call.request.parameter("offset").flatMap { Int($0) }.map { "&amp;offset=\($0)" } ?? ""
    let session = try call.perform(ShowInboxSession())
    let main: HTML = """
      <div class="toolbar"><h1>Inbox</h1>
      <div class="group"><label for="inbox-kind">Show</label><select id="inbox-kind" data-testid="inbox_kind_picker">\(kinds)</select>
      <button type="button" data-open="message" data-testid="inbox_message_button">A message…</button>
      <a class="button primary" href="/inbox/next" data-testid="inbox_begin_button">\(session.item == nil ? "One by one" : "Go on one by one")</a></div></div>
      \(InboxPieces.done)
      <div class="selection" id="selection" data-testid="inbox_selection" data-chosen="\(session.chosen.joined(separator: " "))" hidden><b><span data-selected>0</span> chosen</b>
      <button type="button" data-several="file" data-testid="inbox_file_several">File…</button>
      <button type="button" data-several="later" data-testid="inbox_later_several">Later</button>
      <button type="button" data-several="rejected" data-testid="inbox_reject_several">Reject…</button>
      <button type="button" class="quiet" data-several="">Choose none</button></div>
      <div id="live" data-live="/inbox?part=live\(here)\(from)" data-kinds="inbox patient appointment">\(list)</div>
      \(InboxPieces.keys)
      """
    return Layout(
      title: "Inbox", tab: .inbox, script: "inbox.js", main: main, dialogs: InboxPieces.dialogs
    ).page(call)
  }

  private static func list(_ kind: IncomingItem.Kind?, _ call: Call) throws -> HTML {
    let tally = try call.perform(CountInbox())
    let decided = try call.perform(ListInboxDecisions(most: 12))
    let page = try Paging(call.request, limit: most)
    // One more than is shown, to know whether it goes on.
    let items = try call.perform(ListInbox(kind: kind, most: page.offset + page.limit + 1))
    let range = page.range(of: items.count)
    let rows = items[range].html { InboxPieces.row($0, call) }
    let query = kind.map { "kind=\($0.rawValue)&" } ?? ""
    let more: HTML =
      range.upperBound < items.count
      ? "<p><a class=\"button\" href=\"/inbox?\(query)offset=\(range.upperBound)\">More</a></p>"
      : ""
    let first: HTML =
      range.lowerBound > 0
      ? "<p><a class=\"button\" href=\"/inbox?\(query.dropLast())\">The most urgent</a></p>" : ""
    let none: HTML =
      items.isEmpty
      ? "<p class=\"empty\" data-testid=\"inbox_empty\">\(kind == nil ? "Nothing waits to be filed. Letters, messages and appointments without a patient appear here by themselves." : "Nothing of this kind waits to be filed.")</p>"
      : ""
    return """
      \(try ConflictsPage.line(call))\(InboxPieces.progress(tally))\(first)\(none)<ol class="plain inbox" aria-label="To be filed">\(rows)</ol>\(more)\(lately(decided, call))
      """
  }

  /// What was decided last, each to be taken back.
  static func lately(_ decided: [DecidedInboxItem], _ call: Call) -> HTML {
    guard !decided.isEmpty else { return "" }
    let rows = decided.html { entry in
      let name = InboxPieces.title(entry.item)
      let count = decided.count { $0.decision.batch != nil && $0.decision.batch == entry.decision.batch }
      let together: HTML =
        count > 1 && decided.first { $0.decision.batch == entry.decision.batch }?.item.id == entry.item.id
        ? " <button type=\"button\" class=\"small\" data-undo-batch=\"\(entry.decision.batch ?? 0)\" data-testid=\"inbox_undo_batch\">Undo all \(count)</button>"
        : ""
      return
        "<li><span><a href=\"\(Link.inbox(entry.item.id))\">\(name)</a> \(InboxPieces.words(entry, call))</span> <button type=\"button\" class=\"small\" data-undo=\"\(entry.item.id)\" data-revision=\"\(entry.item.revision)\"\(entry.decision.actor == call.session.actor.name ? " data-own" : "" as HTML) data-testid=\"inbox_undo_\(entry.item.id)\" aria-label=\"Take back: \(name)\">Undo</button>\(together)</li>"
    }
    return
      "<details class=\"lately\" data-testid=\"inbox_lately\"><summary>Decided lately</summary><ul class=\"plain\">\(rows)</ul></details>"
  }

  /// Where whoever asks stopped, else the first that waits and that nobody else has open; behind an item the next one. The list where
  /// nothing waits.
  static func next(_ call: Call) throws -> Response {
    let after = call.request.parameter("after")
    let session = try call.perform(ShowInboxSession(after: after, most: 1))
    let next = (after == nil ? session.item : nil) ?? session.next.first
    return .redirect(to: next.map(Link.inbox) ?? "/inbox")
  }

  /// What came as a file, to be saved and never shown: whoever sent it may have written anything into it.
  static func original(_ call: Call) throws -> Response {
    let item = try call.perform(ShowInboxItem(id: call.value("id")))
    guard let original = item.content.original else {
      throw ErrorBody(404, "not_found", "this came as text only", hint: "Its text is all there is of it.")
    }
    return Response(
      200, type: "application/octet-stream", original.bytes,
      headers: [
        ("Content-Disposition", "attachment; filename=\"\(item.id)\(InboxPieces.ending(original.mediaType))\"")
      ])
  }
}
