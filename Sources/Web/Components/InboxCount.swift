import VetNet

/// How much waits in the inbox, beside its tab; a script keeps the number right.
enum InboxCount {
  /// Nothing for whoever may not file.
  static func badge(_ call: Call) -> HTML {
    guard call.session.actor.role.may(.fileInbox), let tally = try? call.perform(CountInbox()) else { return "" }
    let none: HTML = tally.waiting == 0 ? " hidden" : ""
    let urgent: HTML = tally.urgent > 0 ? " urgent" : ""
    return
      " <span class=\"count\(urgent)\" data-inbox-count data-testid=\"inbox_count\"\(none)>\(tally.waiting)<span class=\"hidden\"> waiting</span></span>"
  }
}
