import Clinical
import VetNet

/// One's own passkeys, on the page of one's account.
enum PasskeySection {
  static func html(_ call: Call) throws -> HTML {
    guard call.session.signIn != nil else { return "" }
    let keys = try call.perform(ListPasskeys()).html { key in
      let used: HTML = key.usedAt.map { ", used \(Badges.shortDate(call.zone.date(of: $0)))" } ?? ", not used yet"
      return
        "<li><span><b><bdi>\(key.label)</bdi></b> for \(key.relyingParty), since \(Badges.shortDate(call.zone.date(of: key.addedAt)))\(used)</span> <button type=\"button\" class=\"small\" data-remove-passkey=\"\("\(key.number)")\" data-testid=\"passkey_remove_\("\(key.number)")\" aria-label=\"Remove the passkey \(key.label)\">Remove</button></li>"
    }
    let none: HTML =
      call.ceremonies.relyingParty(of: call.request) == nil
      ? "<p class=\"hint\" data-testid=\"passkey_hint\">Passkeys can be made where this server is opened by a name over TLS, not by an address.</p>"
      : """
      <form id="passkey" novalidate hidden><div class="field"><label for="passkey-label">Which machine this is</label><input id="passkey-label" autocomplete="off" maxlength="60" placeholder="desk, phone…" data-testid="passkey_label_input"></div>
      <div class="field"><label for="passkey-passphrase">Your passphrase</label><input id="passkey-passphrase" type="password" autocomplete="current-password" data-testid="passkey_passphrase_input"></div>
      <p class="problem" role="alert" hidden></p><div class="actions"><button type="submit" data-testid="passkey_add_button">Keep a passkey of this machine</button></div></form>
      """
    return """
      <section class="card"><h2>Passkeys</h2><p class="hint">A key that a machine keeps for you behind a finger, a face or a number: back by one click, without the passphrase. Removing one ends your other sessions.</p>
      <ul class="plain feeds" data-testid="passkey_list">\(keys)</ul>\(none)</section>
      """
  }
}
