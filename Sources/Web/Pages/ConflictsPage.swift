import Clinical
import Presentation
import VetNet

/// What devices said without knowing of each other: both sides beside each other, and one press for which counts.
enum ConflictsPage {
  static let path = "/conflicts"
  private static let most = 50
  /// So many that were settled can be taken back here.
  private static let mostSettled = 20

  static func page(_ call: Call) throws -> HTML {
    let live = try live(call)
    if call.request.parameter("part") == "live" { return live }
    let main: HTML = """
      <h1>Conflicts between devices</h1><p class="hint">What two sides changed without knowing of each other, and what could not be done as a device asked. Nothing of it is lost: one side stands until somebody says which counts. The choice is on record, reaches every device with its next sync, and can be taken back.</p>
      <div id="live" data-live="\(path)?part=live" data-kinds="client patient note appointment intake">\(live)</div>
      """
    return Layout(title: "Conflicts", tab: .inbox, script: "conflicts.js", main: main).page(call)
  }

  /// How many wait, on other pages; nothing where none does.
  static func line(_ call: Call) throws -> HTML {
    let open = try call.perform(ShowSync()).openConflicts
    guard open > 0 else { return "" }
    let words = open == 1 ? "1 thing disagrees between devices" : "\(open) things disagree between devices"
    let way: HTML =
      call.session.actor.role.may(.writeRecord)
      ? "<a href=\"\(path)\">\(words)</a>: say which counts."
      : "\(words): somebody who may write records has to say which counts."
    return "<p class=\"alert\" data-testid=\"conflict_line\">\(way)</p>"
  }

  private static func live(_ call: Call) throws -> HTML {
    let all = try call.perform(ListSyncConflicts(all: true))
    let open = all.filter { $0.settled == nil }
    let settled = all.filter { $0.settled != nil }.sorted {
      ($0.background.settledAt ?? $0.at) > ($1.background.settledAt ?? $1.at)
    }
    let list: HTML =
      open.isEmpty
      ? "<p class=\"empty\" data-testid=\"conflicts_empty\">Nothing disagrees.</p>"
      : "<ol class=\"plain\" aria-label=\"To be settled\" data-testid=\"conflicts\">\(open.prefix(most).html { card($0, call) })</ol>"
    let more: HTML =
      open.count > most ? "<p class=\"hint\">and \(open.count - most) more, when these are settled</p>" : ""
    return "\(list)\(more)\(lately(Array(settled.prefix(mostSettled)), call))"
  }

  // MARK: One that is open

  private static func title(_ conflict: SyncConflict) -> String {
    let whose = conflict.background.name ?? conflict.shownID
    return "\(whose): \(words(of: conflict.field))"
  }

  private static func words(of field: String) -> String { field.replacing("_", with: " ").replacing(":", with: " ") }

  private static func card(_ conflict: SyncConflict, _ call: Call) -> HTML {
    let reason = conflict.reason.map { "<p data-testid=\"conflict_reason\">\($0.capitalizedSentence)</p>" as HTML }
    return """
      <li class="card conflict" data-conflict="\(conflict.id)" data-testid="conflict_\(conflict.id)"><h2><bdi>\(title(conflict))</bdi> <span class="id">\(conflict.record.kind) \(conflict.shownID)</span></h2>
      <p class="hint">\(standing(conflict)) \(ways(conflict, call))</p>
      <div class="enc-both">\(side(conflict, isOurs: true, call))\(side(conflict, isOurs: false, call))</div>\(reason)\(waiting(conflict))
      <div class="actions">\(conflict.choices.html { button($0, conflict) })</div></li>
      """
  }

  private static func standing(_ conflict: SyncConflict) -> String {
    switch conflict.kept {
    case .ours: "\(place(conflict, isOurs: true)) stands."
    case .theirs: "\(place(conflict, isOurs: false)) stands, as it was said later."
    case .both: "Both are kept as versions of the note; the later one is shown."
    case .waiting: "The visit has no time yet: it is on the waiting list."
    case .nothing: "The record is gone, and nothing of it was kept."
    }
  }

  /// Where more is to be seen of what it is about.
  private static func ways(_ conflict: SyncConflict, _ call: Call) -> HTML {
    var ways: [HTML] = []
    if let patient = conflict.background.patientID {
      ways.append("<a href=\"\(Link.patient(patient))\">Patient \(patient)</a>")
    }
    if conflict.record.kind == "note", conflict.kept != .nothing {
      ways.append("<a href=\"\(Link.note(conflict.shownID))\">The note</a>")
    }
    if let start = conflict.background.start {
      let date = call.zone.date(of: start)
      ways.append("<a href=\"\(Link.day(date))\">\(Badges.longDate(date))</a>")
    }
    return ways.html { " \($0)" }
  }

  private static func place(_ conflict: SyncConflict, isOurs: Bool) -> String {
    let said = isOurs ? conflict.background.ours : conflict.background.theirs
    if let device = said?.device { return "What \(device) says" }
    return isOurs || said != nil ? "What the hub has" : "What the device says"
  }

  private static func side(_ conflict: SyncConflict, isOurs: Bool, _ call: Call) -> HTML {
    let said = isOurs ? conflict.background.ours : conflict.background.theirs
    let content = isOurs ? conflict.ours : conflict.theirs
    let name = place(conflict, isOurs: isOurs)
    let stands: HTML =
      (conflict.kept == .ours) == isOurs && [.ours, .theirs].contains(conflict.kept)
      ? " <span class=\"badge good\">stands</span>" : ""
    let value: HTML =
      (content.map { conflict.words(of: $0, in: call.zone) } ?? time(conflict, isOurs: isOurs, call)).map {
        "<pre class=\"note\" tabindex=\"0\" role=\"region\" aria-label=\"\(name), \(title(conflict))\">\($0)</pre>"
      }
      ?? "<p class=\"empty\">\(isOurs && conflict.kept == .waiting ? "No time: that one was another's already." : "Nothing was said of it, or the words are gone.")</p>"
    let who: HTML =
      said.map {
        let clock = $0.device == nil ? "" : ", by the clock of that device"
        return "<p class=\"hint\">by <bdi>\($0.actor)</bdi>, \(call.zone.describe($0.at))\(clock)</p>"
      } ?? ""
    return "<section><h3>\(name)\(stands)</h3>\(value)\(who)</section>"
  }

  /// When a visit is, and when it was to be.
  private static func time(_ conflict: SyncConflict, isOurs: Bool, _ call: Call) -> String? {
    if isOurs, conflict.kept == .ours, let start = conflict.background.start { return call.zone.describe(start) }
    guard let said = isOurs ? conflict.background.ours : conflict.background.theirs, let start = said.start else {
      return nil
    }
    return call.zone.describe(start) + (said.clinicianID.map { " with \($0)" } ?? "")
  }

  private static func button(_ choice: SettleSyncConflict.Choice, _ conflict: SyncConflict) -> HTML {
    let isNote = conflict.kept == .both
    let words: String
    switch choice {
    case .ours:
      let whose = conflict.background.ours?.device ?? "the hub"
      words = isNote ? "Show that of \(whose)" : "Keep that of \(whose)"
    case .theirs:
      let whose = conflict.background.theirs?.device ?? "the device"
      words = isNote ? "Show that of \(whose)" : "Take that of \(whose)"
    case .leave: words = conflict.kept == .waiting ? "It was seen to" : "It is right as it stands"
    }
    return
      "<button type=\"button\" data-choice=\"\(choice.rawValue)\" data-testid=\"conflict_\(conflict.id)_\(choice.rawValue)\" aria-label=\"\(words): \(title(conflict))\">\(words)</button>"
  }

  /// Where a visit lost its time, a script offers what is free now.
  private static func waiting(_ conflict: SyncConflict) -> HTML {
    guard conflict.kept == .waiting, conflict.background.start != nil else { return "" }
    return
      "<div data-waits=\"\(conflict.shownID)\" data-testid=\"conflict_slots\"><p class=\"hint\">Looking for what is free now…</p></div>"
  }

  // MARK: What was settled

  private static func lately(_ settled: [SyncConflict], _ call: Call) -> HTML {
    guard !settled.isEmpty else { return "" }
    let rows = settled.html { conflict in
      let at = conflict.background.settledAt.map { ", \(call.zone.describe($0))" }
      return
        "<li><span><bdi>\(title(conflict))</bdi> <span class=\"id\">\(conflict.id)</span> \(settlement(conflict))\(at)</span> <button type=\"button\" class=\"small\" data-reopen=\"\(conflict.id)\" data-testid=\"reopen_\(conflict.id)\" aria-label=\"Take back: \(title(conflict)), \(conflict.id)\">Take back</button></li>"
    }
    return
      "<details class=\"lately\" data-testid=\"conflicts_lately\"><summary>Settled lately</summary><ul class=\"plain\">\(rows)</ul></details>"
  }

  private static func settlement(_ conflict: SyncConflict) -> String {
    let who = conflict.settled?.split(separator: " ", maxSplits: 2).last.map { " by \($0)" } ?? ""
    switch conflict.choice {
    case .ours: return "the hub's was chosen\(who)"
    case .theirs: return "the device's was chosen\(who)"
    case .leave, nil: return "right as it stood\(who)"
    }
  }
}

extension String {
  /// With a capital letter at the beginning and a stop at the end.
  fileprivate var capitalizedSentence: String {
    prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
  }
}
