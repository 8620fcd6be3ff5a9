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

  /// How sure a proposal is, in words before the number.
  static func certainty(_ certainty: Double) -> String {
    let word =
      switch certainty {
      case 0.85...: "very likely"
      case 0.6..<0.85: "likely"
      case 0.35..<0.6: "possible"
      default: "hardly"
      }
    return "\(word) (\(Int((certainty * 100).rounded())) %)"
  }

  /// `Speaks for it: the patient's name. Against it: another species is named.`
  static func why(_ candidate: IncomingItem.Candidate) -> String {
    let against = candidate.evidence.filter(\.speaksAgainst)
    let words = "Speaks for it: \(evidence(candidate.evidence.filter { !$0.speaksAgainst }))."
    return against.isEmpty ? words : "\(words) Against it: \(evidence(against))."
  }

  /// What tells patients of one name apart, in words.
  static func differences(_ patients: [Patient], on today: CalendarDate) -> String {
    let fields: [(String, (Patient) -> String)] = [
      ("owner", { $0.ownerName ?? "" }), ("species", { $0.species.rawValue }), ("breed", { $0.breed ?? "" }),
      ("age", { $0.dateOfBirth.map { "\($0)" } ?? "" }), ("sex", { $0.sex.rawValue }),
      ("microchip", { $0.microchip ?? "" }),
    ]
    let differing = fields.filter { Set(patients.map($0.1)).count > 1 }.map(\.0)
    guard let last = differing.last else { return "Nothing on file tells them apart." }
    let words = differing.count == 1 ? last : differing.dropLast().joined(separator: ", ") + " and " + last
    return "They differ in \(words)."
  }

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
    case .misspelt: "a name written like it"
    case .only: "the owner has no other animal"
    case .otherSpecies: "another species is named"
    case .otherChip: "another microchip is named"
    case .otherOwner: "somebody else than the owner wrote"
    case .died: "the patient has died"
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
    case .later:
      what =
        "put off\(entry.item.until.map { " until \(moment($0, call))" })\(entry.decision.reason.map { ": \($0.shortened(to: 80))" })"
    case .asked: what = "asked back\(entry.item.until.map { ", waits until \(moment($0, call))" })"
    case .waiting: what = "waiting again\(entry.decision.reason.map { ": \($0.shortened(to: 80))" })"
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
    let off =
      (tally.later == 0 ? "" : ", \(tally.later) put off") + (tally.asked == 0 ? "" : ", \(tally.asked) asked about")
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
    let beginning = content.text.split(whereSeparator: \.isWhitespace).joined(separator: " ").shortened(to: 260)
    let text: HTML = beginning.isEmpty ? "" : "<p class=\"said\">\(beginning)</p>"
    return """
      <li class="inbox-item" data-item="\(item.id)" data-revision="\(item.revision)"\(content.kind == .intake ? " data-message" : "" as HTML)\(clear(item)) data-testid="inbox_item_\(item.id)"><div class="inbox-head"><input type="checkbox" data-select aria-label="Choose: \(name)" data-testid="inbox_select_\(item.id)">
      <a class="inbox-title" href="\(Link.inbox(item.id))" data-testid="inbox_open_\(item.id)"><bdi>\(name)</bdi></a> \(urgency(content.urgency))<span class="badge">\(kind(content.kind))</span>\(standing(item, call))</div>
      \(readers(item, call))\(whatNow(item))<p class="with">\(source(item)) · \(moment(content.origin.receivedAt, call)) · \(content.reason.words)</p>\(appointment(item, call))\(text)
      \(proposals(item, call))
      <div class="actions"><button type="button" data-choose-patient data-testid="inbox_choose_\(item.id)">Another patient…</button><button type="button" data-later data-testid="inbox_later_\(item.id)">Later</button><button type="button" data-reject data-testid="inbox_reject_\(item.id)">Reject…</button></div></li>
      """
  }

  /// That it was put off or asked about, or is back from that.
  static func standing(_ item: InboxItem, _ call: Call) -> HTML {
    let until = item.until.map { " until \(moment($0, call))" } ?? ""
    switch item.state {
    case .later: return " <span class=\"badge\">put off\(until)</span>"
    case .asked:
      return " <span class=\"badge\">asked\(item.askedAt.map { ", since \(moment($0, call))" }), waits\(until)</span>"
    case .waiting where item.isBack:
      return
        " <span class=\"badge back\">\(item.asked == nil ? "was put off until now" : item.until == nil ? "an answer came" : "no answer came")</span>"
    case .waiting, .filed, .rejected: return ""
    }
  }

  /// Where seconds count, what to do stands first, and what that rests on.
  static func whatNow(_ item: InboxItem) -> HTML {
    guard let level = item.level, let urgency = item.content.urgency, urgency >= .orange else { return "" }
    return
      "<p class=\"what-now level-\(urgency.rawValue)\" data-testid=\"inbox_now_\(item.id)\"><b>Now:</b> \(level.action)</p>"
  }

  /// Who else has it open.
  static func readers(_ item: InboxItem, _ call: Call) -> HTML {
    item.readers.html {
      "<p class=\"inbox-reader\" data-testid=\"inbox_reader\">\($0.name) has it open, since \(call.zone.clock($0.since)).</p>"
    }
  }

  /// The patient whom a swipe or a choice of several files it to: the only one who is likely, and alone with that name. Whoever files
  /// it sees the name.
  static func clear(_ item: InboxItem) -> HTML {
    guard let first = item.clearProposal else { return "" }
    return " data-clear=\"\(first.patient.id)\" data-clear-name=\"\(first.patient.name) (\(first.patient.id))\""
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
          certainty: certainty(proposal.candidate.certainty),
          evidence: why(proposal.candidate), isWhole, call)
      }
      let rest = alike.html {
        card(
          $0, item, number: nil, isAlone: false, certainty: nil, evidence: "Has the name, and was not proposed.",
          isWhole, call)
      }
      let count = group.count + alike.count
      let warning: HTML =
        count > 1
        ? "<p class=\"same-name\">\(count) patients of this name: check which is meant. \(differences(group.map(\.patient) + alike, on: call.today))</p>"
        : ""
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
    let share: HTML = certainty.map { "<span class=\"certainty\">\($0)</span>" } ?? ""
    let key: HTML = number.map { $0 < 10 ? "<kbd>\($0)</kbd> " : "" } ?? ""
    let digit: HTML = number.map { " data-number=\"\($0)\"" } ?? ""
    let book: HTML =
      isWhole && item.content.kind != .event && patient.deceasedAt == nil
      ? "<button type=\"button\" data-book=\"\(patient.id)\" data-name=\"\(patient.name) (\(patient.id))\" data-needs=\"write book\" data-testid=\"inbox_book_\(patient.id)\">\(number == 1 ? "<kbd>b</kbd> " : "" as HTML)Book…</button>"
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
    <details class="key-list"><summary>Keys</summary><p><kbd>j</kbd> <kbd>k</kbd> or <kbd>↓</kbd> <kbd>↑</kbd> go through the items, <kbd>Enter</kbd> opens one, <kbd>1</kbd>–<kbd>9</kbd> file it to a proposed patient, <kbd>c</kbd> chooses another patient, <kbd>b</kbd> books a visit, <kbd>a</kbd> asks back, <kbd>l</kbd> puts it off, <kbd>t</kbd> puts it off until a time, <kbd>r</kbd> rejects it, <kbd>n</kbd> goes to the next, <kbd>x</kbd> chooses it for several at once, <kbd>u</kbd> takes back what was just done. By touch, an item that is open is swiped: right files it to the patient whose name stands on the first button, left puts it off.</p></details>
    """

  /// To say who is meant, or why it is not to be filed.
  static let dialogs: HTML = """
    <dialog id="until" aria-labelledby="until-title">\(Dialogs.head("Later", id: "until"))
    <form novalidate><p class="hint" data-about></p>
    <div class="field"><label for="until-time">Comes back</label><input id="until-time" name="until" type="datetime-local" step="300" required data-testid="inbox_until_input"></div>
    <p class="problem" role="alert" hidden></p>
    <div class="actions"><button type="submit" class="primary" data-testid="inbox_until_save">Put off</button><button type="button" class="quiet" data-close>Cancel</button></div></form></dialog>
    <dialog id="ask-back" aria-labelledby="ask-back-title">\(Dialogs.head("Ask back", id: "ask-back"))
    <form novalidate><p class="hint" data-about></p>
    <div class="field"><label for="ask-text">What is asked</label><textarea id="ask-text" name="text" rows="5" maxlength="4000" required data-testid="inbox_ask_input"></textarea></div>
    <p class="hint">It is kept with the item; nothing is sent. The item comes back when an answer comes in, or at the time below.</p>
    <div class="field"><label for="ask-until">Comes back without an answer</label><input id="ask-until" name="until" type="datetime-local" step="300"></div>
    <p class="problem" role="alert" hidden></p>
    <div class="actions"><button type="submit" class="primary" data-testid="inbox_ask_save">Wait for the answer</button><button type="button" class="quiet" data-close>Cancel</button></div></form></dialog>
    <dialog id="message" aria-labelledby="message-title">\(Dialogs.head("A message", id: "message"))
    <form novalidate data-draft="message">
    <div class="field"><label for="message-text">What the owner says</label><textarea id="message-text" name="text" rows="5" maxlength="20000" required data-testid="inbox_message_input"></textarea></div>
    <div class="fields"><div class="field"><label for="message-author">Who rings or writes</label><input id="message-author" name="author" maxlength="200" autocomplete="off" data-testid="inbox_author_input"></div>
    <div class="field"><label for="message-contact">Number or address</label><input id="message-contact" name="contact" maxlength="200" autocomplete="off" data-testid="inbox_contact_input"></div>
    <div class="field"><label for="message-animal">Animal's name</label><input id="message-animal" name="animal" maxlength="200" autocomplete="off" data-testid="inbox_animal_input"></div>
    <div class="field"><label for="message-species">Species</label><select id="message-species" name="species"><option value="">unknown</option>\(Species.allCases.html { "<option value=\"\($0.rawValue)\">\($0.rawValue)</option>" })</select></div></div>
    <p class="problem" role="alert" hidden></p>
    <div class="actions"><button type="submit" class="primary" data-testid="inbox_message_save">Into the inbox</button><button type="button" class="quiet" data-close>Cancel</button></div></form></dialog>
    <dialog id="file-several" aria-labelledby="file-several-title">\(Dialogs.head("File each to its patient", id: "file-several"))
    <form novalidate><ul class="plain pairs" data-pairs></ul><p class="hint" data-left></p>
    <p class="problem" role="alert" hidden></p>
    <div class="actions"><button type="submit" class="primary" data-testid="inbox_file_several_save">File</button><button type="button" class="quiet" data-close>Cancel</button></div></form></dialog>
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
