import Clinical
import Presentation
import VetNet

/// Pieces that the list of what waits and the page of one item share.
enum InboxPieces {
  // MARK: Words

  static func kind(_ kind: IncomingItem.Kind) -> String {
    switch kind {
    case .letter: "letter"
    case .note: "note"
    case .intake: "message"
    case .event: "calendar"
    }
  }

  static func kinds(_ kind: IncomingItem.Kind) -> String {
    switch kind {
    case .letter: "letters"
    case .note: "notes"
    case .intake: "messages"
    case .event: "calendar"
    }
  }

  /// What an item is called: its subject, else its kind.
  static func title(_ item: InboxItem) -> String {
    if let title = item.content.details.title?.trimming(while: \.isWhitespace), !title.isEmpty {
      return title.shortened(to: 90)
    }
    return "\(kind(item.content.kind).prefix(1).uppercased())\(kind(item.content.kind).dropFirst()) without a subject"
  }

  static func percent(_ certainty: Double) -> String { "\(Int((certainty * 100).rounded())) %" }

  /// `speaks for it: the name, the owner's name and a visit at about that time`
  static func evidence(_ evidence: [IncomingItem.Candidate.Evidence]) -> String {
    let words = evidence.map(words)
    guard let last = words.last else { return "nothing in it speaks for this patient" }
    return words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " and " + last
  }

  private static func words(_ evidence: IncomingItem.Candidate.Evidence) -> String {
    switch evidence {
    case .microchip: "the microchip's number"
    case .id: "the patient's id"
    case .name: "the patient's name"
    case .owner: "the owner's name"
    case .species: "the species"
    case .breed: "the breed"
    case .email: "the owner's mail address"
    case .phone: "the owner's telephone number"
    case .address: "the owner's address"
    case .visit: "a visit at about that time"
    }
  }

  /// What was decided, by whom and when.
  static func words(_ entry: DecidedInboxItem, _ call: Call) -> HTML {
    let what: HTML
    switch entry.decision.after {
    case .filed:
      what =
        entry.item.filed.map {
          "filed to <a href=\"\(Link.patient($0.patient.id))\"><bdi>\($0.patient.name)</bdi></a> <span class=\"id\">\($0.patient.id)</span>"
        } ?? "filed"
    case .rejected: what = "rejected\(entry.decision.reason.map { ": \($0.shortened(to: 80))" })"
    case .later: what = "put off\(entry.decision.reason.map { ": \($0.shortened(to: 80))" })"
    case .waiting: what = "waiting again"
    }
    return "\(what) <span class=\"hint\">\(moment(entry.decision.at, call)), \(entry.decision.actor)</span>"
  }

  static func moment(_ moment: Timestamp, _ call: Call) -> String {
    let date = call.zone.date(of: moment)
    let day = date == call.today ? "today" : Badges.shortDate(date)
    return "\(day) \(call.zone.clock(moment))"
  }

  /// The end of a file's name; nothing for what nobody knows.
  static func ending(_ mediaType: String) -> String {
    switch mediaType {
    case "application/pdf": ".pdf"
    case "application/rtf", "text/rtf": ".rtf"
    case "message/rfc822": ".eml"
    case "text/plain": ".txt"
    case "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx"
    default: ".bin"
    }
  }

  // MARK: Pieces

  /// How far the day's post is.
  static func progress(_ tally: InboxTally) -> HTML {
    let total = tally.decided + tally.waiting
    let urgent = tally.urgent == 0 ? "none urgent" : "\(tally.urgent) urgent left"
    let off = tally.later == 0 ? "" : ", \(tally.later) put off"
    let bar: HTML =
      total == 0
      ? "" : "<progress max=\"\(total)\" value=\"\(tally.decided)\" aria-label=\"decided today\"></progress> "
    return
      "<p class=\"inbox-progress\" data-testid=\"inbox_progress\">\(bar)<b>\(tally.decided) of \(total)</b> decided today, \(urgent)\(off)</p>"
  }

  /// One item in the list.
  static func row(_ item: InboxItem, _ call: Call) -> HTML {
    let content = item.content
    let name = title(item)
    let off: HTML = item.state == .later ? " <span class=\"badge\">put off</span>" : ""
    let beginning = content.text.split(whereSeparator: \.isWhitespace).joined(separator: " ").shortened(to: 260)
    let text: HTML = beginning.isEmpty ? "" : "<p class=\"said\">\(beginning)</p>"
    return """
      <li class="inbox-item" data-item="\(item.id)" data-testid="inbox_item_\(item.id)"><div class="inbox-head"><input type="checkbox" data-select aria-label="Choose: \(name)" data-testid="inbox_select_\(item.id)">
      <a class="inbox-title" href="\(Link.inbox(item.id))" data-testid="inbox_open_\(item.id)"><bdi>\(name)</bdi></a> \(urgency(content.urgency))<span class="badge">\(kind(content.kind))</span>\(off)</div>
      <p class="with">\(source(item)) · \(moment(content.origin.receivedAt, call)) · \(content.reason.words)</p>\(appointment(item, call))\(text)
      \(proposals(item, call))
      <div class="actions"><button type="button" data-choose-patient data-testid="inbox_choose_\(item.id)">Another patient…</button><button type="button" data-later data-testid="inbox_later_\(item.id)">Later</button><button type="button" data-reject data-testid="inbox_reject_\(item.id)">Reject…</button></div></li>
      """
  }

  static func urgency(_ urgency: Urgency?) -> HTML { urgency == nil ? "" : Badges.level(urgency) }

  static func source(_ item: InboxItem) -> HTML {
    let author = item.content.details.author.map { ", \($0.shortened(to: 60))" }
    return "from \(item.content.origin.source.shortened(to: 60))\(author)"
  }

  static func appointment(_ item: InboxItem, _ call: Call) -> HTML {
    guard let appointment = item.appointment else { return "" }
    let date = call.zone.date(of: appointment.start)
    return
      "<p>Stands in the book without a patient: <a href=\"\(Link.day(date))\">\(Badges.longDate(date)), \(call.zone.clock(appointment.start))</a>, \(Badges.minutes(appointment.durationMinutes))</p>"
  }

  /// Who it may be about, each with what speaks for it, those of one name beside each other and marked. Nobody is chosen beforehand.
  static func proposals(_ item: InboxItem, isWhole: Bool = false, _ call: Call) -> HTML {
    var left = item.proposals
    var groups: [[InboxItem.Proposal]] = []
    while let first = left.first {
      let same = left.filter { $0.patient.name.lowercased() == first.patient.name.lowercased() }
      left.removeAll { $0.patient.name.lowercased() == first.patient.name.lowercased() }
      groups.append(same)
    }
    let others = Dictionary(grouping: item.namesakes) { $0.name.lowercased() }
    var number = 0
    let shown = groups.html { group -> HTML in
      let name = group[0].patient.name
      let alike = others[name.lowercased()] ?? []
      let cards = group.html { proposal -> HTML in
        number += 1
        return card(
          proposal.patient, item, number: number, isAlone: group.count + alike.count == 1,
          certainty: percent(proposal.candidate.certainty),
          evidence: "Speaks for it: \(evidence(proposal.candidate.evidence)).", isWhole, call)
      }
      let rest = alike.html {
        card(
          $0, item, number: nil, isAlone: false, certainty: nil, evidence: "Has the name, and was not proposed.",
          isWhole, call)
      }
      let count = group.count + alike.count
      let warning: HTML =
        count > 1 ? "<p class=\"same-name\">\(count) patients of this name: check which is meant.</p>" : ""
      return
        "<div class=\"namesakes\(count > 1 ? " several" : "" as HTML)\">\(warning)<div class=\"proposed\">\(cards)\(rest)</div></div>"
    }
    return groups.isEmpty
      ? "<p class=\"hint\">No patient is proposed.</p>" : "<div class=\"all-proposed\">\(shown)</div>"
  }

  private static func card(
    _ patient: Patient, _ item: InboxItem, number: Int?, isAlone: Bool, certainty: String?, evidence: String,
    _ isWhole: Bool, _ call: Call
  ) -> HTML {
    let died: HTML = patient.deceasedAt == nil ? "" : " <span class=\"badge\">died</span>"
    let share: HTML = certainty.map { "<span class=\"certainty\">\($0) likely</span>" } ?? ""
    let key: HTML = number.map { $0 < 10 ? "<kbd>\($0)</kbd> " : "" } ?? ""
    let digit: HTML = number.map { " data-number=\"\($0)\"" } ?? ""
    let book: HTML =
      isWhole && item.content.kind != .event && patient.deceasedAt == nil
      ? "<button type=\"button\" data-book=\"\(patient.id)\" data-name=\"\(patient.name) (\(patient.id))\" data-needs=\"write book\" data-testid=\"inbox_book_\(patient.id)\">Book…</button>"
      : ""
    return """
      <div class="proposal"><p><a href="\(Link.patient(patient.id))"><b><bdi>\(patient.name)</bdi></b></a> <span class="id">\(patient.id)</span>\(died) \(share)</p><p class="what">\(patient.facts(on: call.today))</p><p class="hint">\(evidence)</p>
      <div class="actions"><button type="button" class="primary" data-file="\(patient.id)"\(digit) data-name="\(patient.name) (\(patient.id))" data-testid="inbox_file_\(item.id)_\(patient.id)">\(key)File to \(patient.name)\(isAlone ? "" : " \(patient.id)" as HTML)</button>\(book)</div></div>
      """
  }

  /// What was done a moment before, with its undo; filled by the script.
  static let done: HTML = """
    <p class="inbox-done" id="inbox-done" role="status" data-testid="inbox_done" hidden><span data-words></span> <button type="button" data-undo-done data-testid="inbox_undo_button">Undo</button></p>
    """

  static let keys: HTML = """
    <details class="key-list"><summary>Keys</summary><p><kbd>j</kbd> <kbd>k</kbd> or <kbd>↓</kbd> <kbd>↑</kbd> go through the items, <kbd>Enter</kbd> opens one, <kbd>1</kbd>–<kbd>9</kbd> file it to a proposed patient, <kbd>c</kbd> chooses another patient, <kbd>l</kbd> puts it off, <kbd>r</kbd> rejects it, <kbd>x</kbd> chooses it for several at once, <kbd>u</kbd> takes back what was just done.</p></details>
    """

  /// To say who is meant, or why it is not to be filed.
  static let dialogs: HTML = """
    <dialog id="choose" aria-labelledby="choose-title">\(Dialogs.head("Whose is it?", id: "choose"))
    <form novalidate><p class="hint" data-about></p>
    \(PatientPicker(id: "choose-patient", testID: "inbox_patient_input", isRequired: true).html)
    <p class="problem" role="alert" hidden></p>
    <div class="actions"><button type="submit" class="primary" data-testid="inbox_choose_save">File</button><button type="button" class="quiet" data-close>Cancel</button></div></form></dialog>
    <dialog id="reject" aria-labelledby="reject-title">\(Dialogs.head("Not to be filed", id: "reject"))
    <form novalidate><p class="hint" data-about></p>
    <div class="field"><label for="reject-reason">Why</label><input id="reject-reason" name="reason" required maxlength="300" list="reject-reasons" autocomplete="off" data-testid="inbox_reason_input"><datalist id="reject-reasons"><option value="an advertisement"></option><option value="not one of our patients"></option><option value="came twice"></option><option value="can't be read"></option></datalist></div>
    <p class="problem" role="alert" hidden></p>
    <div class="actions"><button type="submit" class="danger" data-testid="inbox_reject_save">Reject</button><button type="button" class="quiet" data-close>Cancel</button></div></form></dialog>
    """
}
