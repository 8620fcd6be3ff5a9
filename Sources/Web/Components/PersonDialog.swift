/// Where another person goes on in two fields, over the page as it stands; and where the same person comes back to a page that was
/// left alone, which is hidden until then.
enum PersonDialog {
  static func html(_ session: WebSession) -> HTML {
    guard session.signIn != nil else { return "" }
    return """
      <dialog id="person" aria-labelledby="person-title"><div class="dialog-head"><h2 id="person-title" data-person-title>Who goes on?</h2><button type="button" class="quiet" data-close aria-label="Close">✕</button></div>
      <form novalidate><p class="hint" data-person-hint></p>
      <div class="field"><label for="person-name">Name</label><input id="person-name" name="name" autocomplete="off" autocapitalize="none" spellcheck="false" required data-testid="login_name_input"></div>
      <div class="field"><label for="person-passphrase">Passphrase</label><input id="person-passphrase" name="passphrase" type="password" autocomplete="off" required data-testid="login_passphrase_input"></div>
      <p class="problem" role="alert" hidden></p>
      <div class="actions"><button type="submit" class="primary" data-testid="login_submit_button">Sign in</button><button type="button" data-person-passkey hidden data-testid="person_passkey_button">Use a passkey</button><button type="button" class="quiet" data-close>Cancel</button></div></form></dialog>
      <script type="module" src="\(Assets.path("passkey.js"))"></script>
      """
  }
}
