import Clinical
import Scheduling
import VetNet

/// Who acts here: their calendars to subscribe to, their passphrase, signing out.
enum AccountPage {
  static func page(_ call: Call) throws -> HTML {
    let lists = try lists(call)
    if call.request.parameter("part") == "live" { return lists }
    let actor = call.session.actor
    let signedIn = call.session.signIn != nil
    let words: HTML =
      signedIn
      ? "Signed in as <b>\(actor.name)</b>, \(actor.role.rawValue)."
      : "Nobody has to sign in here: whoever opens this acts as <b>\(actor.name)</b>, \(actor.role.rawValue)."
    let main: HTML = """
      <div class="account"><h1>Account</h1><p data-testid="account_name">\(words)</p>
      <section class="card"><h2>Calendars on a telephone</h2>
      <p class="hint">A calendar program subscribes to an address and keeps itself up to date: 30 days back, 180 ahead, with patient, kind of visit and room; no owner, no telephone number, nothing that was written. Whoever has the address can read it: it is a key.\(reach(call))</p>
      <div id="live" data-live="/account?part=live" data-kinds="setting user">\(lists)</div>
      \(try form(call))</section>\(along)\(try keys(call))
      \(signedIn ? "<section class=\"card\"><h2>Leaving</h2><p>Without use the session ends after \(try call.practice.people.idleMinutes) minutes. What was typed is kept for whoever typed it.</p><div class=\"actions\"><button type=\"button\" data-sign-out data-testid=\"account_sign_out\">Sign out</button><button type=\"button\" data-switch-person>Another person goes on here</button></div></section>" as HTML : "")</div>
      """
    return Layout(title: "Account", script: "account.js", main: main).page(call)
  }

  /// What opens the door for whoever it is, where that is this practice's to say.
  private static func keys(_ call: Call) throws -> HTML {
    if call.session.isEntered {
      return
        "<section class=\"card\"><h2>Passphrase and passkeys</h2><p>You sign in once for all practices of the group: <a href=\"/./account\" data-testid=\"group_account_link\">your account there</a> has your passphrase and your passkeys.</p></section>"
    }
    return try PasskeySection.html(call) + (call.session.signIn == nil ? "" : passphrase)
  }

  /// What keeps a telephone from it.
  private static func reach(_ call: Call) -> HTML {
    let origin = call.site.origin
    return origin.contains("//127.0.0.1") || origin.contains("//[::1]") || origin.contains("//localhost")
      ? " This server answers on this machine only: a telephone reaches it once it is served to other machines (vetnet serve --listen)."
      : ""
  }

  private static func lists(_ call: Call) throws -> HTML {
    let own = try call.perform(ListCalendarFeeds())
    let mine: HTML =
      own.isEmpty
      ? "<p class=\"empty\">No calendar was made yet.</p>"
      : "<ul class=\"plain feeds\" data-testid=\"feed_list\">\(own.html { row($0, call) })</ul>"
    guard call.session.actor.role.may(.manageUsers) else { return mine }
    let ids = Set(own.map(\.id))
    let others = try call.perform(ListCalendarFeeds(isOfEverybody: true)).filter { !ids.contains($0.id) }
    guard !others.isEmpty else { return mine }
    return mine
      + "<h3>Of others</h3><ul class=\"plain feeds\" data-testid=\"feed_list_others\">\(others.html { row($0, call) })</ul>"
  }

  private static func row(_ feed: CalendarFeed, _ call: Call) -> HTML {
    let name = feed.name ?? "the whole practice"
    return
      "<li><span><b><bdi>\(name)</bdi></b> <span class=\"id\">\(feed.id)</span> \(feed.user.map { "of \($0), " })\(feed.hasNames ? "with" : "without") names, since \(Badges.shortDate(call.zone.date(of: feed.addedAt)))</span> <button type=\"button\" class=\"small\" data-withdraw=\"\(feed.id)\" data-testid=\"feed_withdraw_\(feed.id)\" aria-label=\"Withdraw the calendar of \(name), \(feed.id)\">Withdraw</button></li>"
  }

  private static func form(_ call: Call) throws -> HTML {
    let staff = try call.perform(ListStaff()).filter { [.veterinarian, .nurse].contains($0.role) }.html {
      "<option value=\"clinician \($0.id)\">\($0.name)</option>"
    }
    let places = FreeQuery(date: call.today, wantsPeople: false)
    let rooms = try call.perform(FindFreeTimes(query: places)).rooms.html {
      "<option value=\"room \($0.id)\">\($0.name)</option>"
    }
    return """
      <form id="feed" novalidate><div class="fields"><div class="field"><label for="feed-of">Whose appointments</label><select id="feed-of" name="of" data-testid="feed_of_picker"><option value="">choose…</option><optgroup label="Clinicians">\(staff)</optgroup><optgroup label="Rooms">\(rooms)</optgroup><option value="practice">the whole practice</option></select></div></div>
      <label class="chip"><input type="checkbox" name="without_names" data-testid="feed_names_box"> Leave patients' names out</label>
      <p class="problem" role="alert" hidden></p><div class="actions"><button type="submit" class="primary" data-testid="feed_add_button">Make an address</button></div>
      <div class="field made" data-made role="status" data-testid="feed_made" hidden><label for="feed-url">The address, shown this once</label><div class="ask-line"><input id="feed-url" readonly data-testid="feed_url"><button type="button" data-copy="feed-url">Copy</button></div></div></form>
      """
  }

  /// What is kept on this device for the time without the server.
  private static let along: HTML = """
    <section class="card"><h2>Without the server</h2><p class="hint">Today and the next \(OfflineRoutes.days - 1) days are kept on this device while you are signed in, with the patients in them: sealed, for \(BrowserDesk.contactHours) hours without the server at most, and gone when you sign out or the session ends. What you write meanwhile waits here and is sent afterwards.</p>
    <p class="alert" data-revoked data-testid="browser_revoked" hidden>This browser was revoked, and keeps nothing of the practice, unless you fetch it now: it is known as another device then.</p>
    <div class="actions"><button type="button" data-take-along data-testid="take_along_button">Fetch it now</button></div></section>
    """

  static let passphrase: HTML = """
    <section class="card"><h2>Passphrase</h2><form id="passphrase" novalidate>
    <div class="field"><label for="passphrase-old">The one so far</label><input id="passphrase-old" type="password" autocomplete="current-password" data-testid="passphrase_old_input"></div>
    <div class="field"><label for="passphrase-new">The new one, of \(Passphrase.leastCharacters) characters at least</label><input id="passphrase-new" type="password" autocomplete="new-password" data-testid="passphrase_new_input"></div>
    <div class="field"><label for="passphrase-again">The new one again</label><input id="passphrase-again" type="password" autocomplete="new-password" data-testid="passphrase_again_input"></div>
    <label class="chip"><input type="checkbox" id="passphrase-keep" data-testid="passphrase_keep_box"> Keep my passkeys</label>
    <p class="problem" role="alert" hidden></p><div class="actions"><button type="submit" class="primary" data-testid="passphrase_save_button">Change it</button></div>
    <p class="hint">Every session of yours ends with it, on every machine, and so does every passkey unless you keep them: sign in with the new one then.</p></form></section>
    """
}
