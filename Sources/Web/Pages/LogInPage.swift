/// Where somebody signs in, and goes on to what they asked for.
struct LogInPage {
  let site: Site
  /// Where to go then: an address within this server.
  let goal: String
  /// Who is signed in now, where another person wants to go on.
  let present: String?
  let isSwitching: Bool
  /// Whether the browser was just wiped.
  var isWiped = false

  static func path(for target: String) -> String { target == "/" ? "/login" : "/login?to=\(Link.encoded(target))" }

  /// What the address says of where to go then; the first page where that is none of this server's.
  static func goal(of request: Request) -> String {
    guard let text = request.parameter("to"), let target = RequestTarget(text), target.path.first?.isEmpty != true,
      target.path.first != "login", target.path.first != "api"
    else { return "/" }
    return Link.target(Request(method: "GET", path: target.path, query: target.query, headers: []))
  }

  var html: HTML {
    let words: HTML =
      isWiped
      ? "<p class=\"alert\" role=\"alert\" data-testid=\"device_wiped\">This device was revoked by an administrator: whatever it kept of the practice is deleted.</p>"
      : present.map { "<p>\($0) is signed in. Whoever signs in now goes on in their place.</p>" as HTML }
        ?? "<p>What you typed before is kept, and you go on where you were.</p>"
    let main: HTML = """
      <section class="notice"><h1>Sign in</h1>\(words)
      <form id="login" data-goal="\(goal)"\(isSwitching ? " data-switch" : "" as HTML) novalidate>
      <div class="field"><label for="login-name">Name</label><input id="login-name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus data-testid="login_name_input"></div>
      <div class="field"><label for="login-passphrase">Passphrase</label><input id="login-passphrase" name="passphrase" type="password" autocomplete="current-password" required data-testid="login_passphrase_input"></div>
      <p class="problem" role="alert" hidden></p>
      <div class="actions"><button type="submit" class="primary" data-testid="login_submit_button">Sign in</button>
      <button type="button" data-passkey hidden data-testid="passkey_button">Use a passkey</button>
      \(present == nil ? "" : "<a class=\"button\" href=\"\(goal)\">Back</a>" as HTML)</div></form></section>
      """
    return Layout(title: "Sign in", script: "login.js", main: main).document(site: site, tabs: [])
  }
}
