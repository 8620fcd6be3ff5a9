/// What waits to be sent and what of that needs a person, at the head of every page; scripts fill it.
enum WaitingPieces {
  static let aside: HTML = """
    <aside id="waiting" class="pending" aria-label="Changes that wait" hidden>
    <section data-testid="conflict_list" role="alert" hidden><p data-title></p><ul class="plain"></ul></section>
    <details data-testid="pending_writes" hidden><summary></summary><ul class="plain"></ul></details>
    <p data-others data-testid="others_pending" hidden></p></aside>
    """

  static let dialogs: HTML = """
    <dialog id="waiting-edit" aria-labelledby="waiting-edit-title">\(Dialogs.head("Edit and send again", id: "waiting-edit"))<form novalidate><div class="field" data-field></div>
    <div class="actions"><button type="submit" class="primary" data-testid="waiting_edit_save">Send</button><button type="button" class="quiet" data-close>Cancel</button></div></form></dialog>
    <dialog id="waiting-alert" role="alertdialog" aria-labelledby="waiting-alert-title" aria-describedby="waiting-alert-words" data-testid="triage_alert"><h2 id="waiting-alert-title">A case that was taken down without the server is urgent</h2>
    <div class="verdict" data-verdict></div><p class="said" id="waiting-alert-words" data-words></p>
    <div class="actions"><button type="button" class="primary" data-seen data-testid="triage_alert_seen">I have seen this</button></div></dialog>
    <dialog id="waiting-leave" role="alertdialog" aria-labelledby="waiting-leave-title" aria-describedby="waiting-leave-words" data-testid="sign_out_warning"><h2 id="waiting-leave-title">Not everything is on the server</h2><p id="waiting-leave-words" data-words></p>
    <form method="dialog"><div class="actions"><button value="stay" class="primary" autofocus data-testid="sign_out_stay">Stay signed in</button><button value="leave" data-testid="sign_out_anyway">Sign out all the same</button></div></form></dialog>
    """
}
