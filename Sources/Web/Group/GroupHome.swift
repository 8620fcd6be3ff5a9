import VetNet

/// The pages of a group: the practices that somebody may enter, and their own account. They are those of the group's own file, whose users
/// are who signs in.
enum GroupHome {
  /// What is known of a practice, for who runs the server.
  struct Standing: Sendable {
    let name: String
    /// Of this server; nil where it can't be entered.
    let path: String?
    let words: String
  }

  /// What a group's own server answers: `ways` are the practices that a person may enter, `standings` every file of the folder, for
  /// administrators of the group.
  static func routes(
    ways: @escaping @Sendable (String) -> [GroupPlace.Way], standings: @escaping @Sendable () -> [Standing]
  ) -> [Route] {
    [
      Route("GET", "/", .page) { .page(page($0, ways($0.session.actor.name), standings)) },
      Route("GET", "/account", .page, needs: .ownAccount) { .page(try account($0)) },
    ] + SessionRoutes.all + PasskeyRoutes.all + RouteTable.api.filter { $0.pattern == "/api/v1/events" }
  }

  private static func page(_ call: Call, _ ways: [GroupPlace.Way], _ standings: () -> [Standing]) -> HTML {
    let list: HTML =
      ways.isEmpty
      ? "<p class=\"empty\" data-testid=\"no_practices\">No practice lets you in yet. An administrator of a practice adds you as a user under the name \(call.session.actor.name).</p>"
      : "<ul class=\"plain practice-list\" data-testid=\"practice_list\">\(ways.html(item))</ul>"
    let isOperator = call.session.actor.role.may(.manageUsers)
    let main: HTML = """
      <div class="toolbar"><h1>Practices</h1></div>\(list)\(isOperator ? table(standings()) : "")
      """
    return Layout(title: "Practices", main: main).page(call)
  }

  private static func item(_ way: GroupPlace.Way) -> HTML {
    "<li><a href=\"\(way.path)/\" data-testid=\"practice_\(way.path.split(separator: "/").last ?? "")\"><bdi>\(way.name)</bdi> <span class=\"id\">\(way.path)</span></a></li>"
  }

  /// Every file, with what keeps it from being opened.
  private static func table(_ standings: [Standing]) -> HTML {
    let rows = standings.html { standing in
      let name: HTML =
        standing.path.map { "<a href=\"\($0)/\">\(standing.name)</a>" as HTML } ?? "\(standing.name)"
      return "<tr><th scope=\"row\">\(name)</th><td>\(standing.words)</td></tr>"
    }
    return """
      <section class="card"><h2>Files of this server</h2><p class="hint">For administrators of the group. What is wrong with a file is said to nobody else.</p>
      <div class="scroll" tabindex="0" role="region" aria-label="Files"><table data-testid="practice_states"><thead><tr><th scope="col">File</th><th scope="col">State</th></tr></thead><tbody>\(rows)</tbody></table></div></section>
      """
  }

  private static func account(_ call: Call) throws -> HTML {
    let actor = call.session.actor
    let isSignedIn = call.session.signIn != nil
    let main: HTML = """
      <div class="account"><h1>Account</h1><p data-testid="account_name">Signed in as <b>\(actor.name)</b>, for every practice of the group that has you as a user.</p>
      \(try PasskeySection.html(call))\(isSignedIn ? AccountPage.passphrase : "")</div>
      """
    return Layout(title: "Account", script: "account.js", main: main).page(call)
  }

  /// For a folder without a group, on a server that this machine alone can reach: whoever uses the machine may see what lies there.
  static func open(_ standings: [Standing], site: Site) -> HTML {
    let items = standings.filter { $0.path != nil }.html { standing in
      item(GroupPlace.Way(name: standing.name, path: standing.path ?? ""))
    }
    let main: HTML = """
      <div class="toolbar"><h1>Practices</h1></div><ul class="plain practice-list" data-testid="practice_list">\(items)</ul>\(table(standings))
      """
    return Layout(title: "Practices", main: main).document(site: site, tabs: [])
  }
}
