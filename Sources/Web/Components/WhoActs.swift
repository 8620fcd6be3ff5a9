import VetNet

/// Who acts, at the head of every page: by name and role, with the ways to let another person go on and to sign out.
struct WhoActs {
  let session: WebSession
  /// The page that it stands on, to come back to.
  let here: String

  var html: HTML {
    let actor = session.actor
    guard session.signIn != nil else {
      return
        "<span class=\"who\" data-testid=\"who_acts\"><a href=\"/account\" data-testid=\"account_link\">\(actor.name)</a></span>"
    }
    return """
      <span class="who" data-testid="who_acts"><a href="/account" data-testid="account_link"><b>\(actor.name)</b></a> <span class="role">\(actor.role.rawValue)</span></span>
      <a class="button quiet" href="/login?switch=1&amp;to=\(Link.encoded(here))" data-testid="switch_person_button" title="Another person goes on here">Switch</a>
      <button type="button" class="quiet" id="logout" data-testid="logout_button">Sign out</button>
      """
  }
}
