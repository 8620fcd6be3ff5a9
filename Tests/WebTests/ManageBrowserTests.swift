import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// The manager's pages as somebody uses them, without a mouse where it matters.
extension BrowserTests {
  private typealias Key = Browser.Key

  @Test(.thorough)
  func `a manager sets hours and leave by keyboard, is told what is wrong beside the field, and sees changes come`()
    throws
  {
    let served = try ServedPractice()
    func url(_ path: String) -> String { "http://\(served.host)\(path)" }
    func named(_ testID: String) -> String { Browser.named(testID) }
    let browser = try Browser.first()
    try browser.open(url("/day/\(ServedPractice.day)"))
    try browser.tab(to: named("tab_manage"))
    try browser.press(Key.enter)
    try browser.awaitShown(named("manage_practice_card"))
    try browser.tab(to: named("manage_practice_card"))
    try browser.press(Key.enter)
    try browser.awaitShown(named("setting_hours"))
    try browser.tab(to: named("setting_hours"))
    try browser.press("sometimes" + Key.enter)
    try browser.awaitShown("#setting_hours-problem")
    #expect(try browser.attribute("aria-invalid", of: named("setting_hours")) == "true")
    #expect(
      try browser.attribute("aria-describedby", of: named("setting_hours"))?.contains("setting_hours-problem") == true)
    #expect(try browser.run("return document.activeElement.id") as? String == "setting_hours")
    try browser.screenshot("manage-problem")
    // What is typed stays when something else changes meanwhile.
    let changed = try served.ask("PATCH", "/api/v1/settings", #"{"units":"imperial"}"#)
    #expect(changed.status == 200)
    usleep(700_000)
    #expect(try browser.run("return document.querySelector('#setting_hours').value") as? String == "sometimes")
    try browser.run("document.querySelector('#setting_hours').value = ''")
    try browser.press("mon-fri 8:30-18:30" + Key.enter)
    try browser.wait(for: "the word that it is saved") { try browser.text("#toasts").contains("Saved") }
    try browser.wait(for: "the setting and the other one") {
      try browser.run(
        "return document.querySelector('#setting_hours').value + document.querySelector('#setting_units').value")
        as? String == "mon-fri 08:30-18:30imperial"
    }
    #expect(try browser.count("#setting_hours-problem") == 0)

    // Leave, added on one screen and seen on the other.
    let other = try Browser.second()
    for one in [browser, other] {
      try one.open(url("/manage/people-and-rooms"))
      try one.click(named("staff_S02") + " summary")
    }
    try browser.run(
      "for (const end of ['from', 'to']) { const f = document.getElementById('leave_S02_' + end); f.value = '2026-12-07'; f.dispatchEvent(new Event('input', {bubbles: true})) }"
    )
    try browser.click(named("leave_S02_form_button"))
    try other.awaitShown(named("leave_S02_2026-12-07_button"))
    #expect(try other.count(named("staff_S02") + "[open]") == 1)
    try other.click(named("leave_S02_2026-12-07_button"))
    try browser.wait(for: "the leave to be gone") { try browser.count(named("leave_S02_2026-12-07_button")) == 0 }

    // A backup, which the page hears of by itself.
    try browser.open(url("/manage/practice"))
    try browser.click(named("backup_button"))
    try browser.wait(for: "the backup") { try browser.text("#live").contains("Last proven backup") }
    try browser.screenshot("manage-backup")
    #expect(try browser.complaints() == [] && other.complaints() == [])
  }

  @Test(.thorough) func `the first user closes the practice, and an import is taken back where it says what goes`()
    throws
  {
    let served = try ServedPractice()
    func named(_ testID: String) -> String { Browser.named(testID) }
    let browser = try Browser.first()
    try browser.open("http://\(served.host)/manage/users")
    try browser.type("ann", into: named("user_name"))
    try browser.type("short", into: named("user_passphrase"))
    try browser.click(named("add_user_form_button"))
    try browser.awaitShown("#user_passphrase-problem")
    try browser.type(" and then four words", into: named("user_passphrase"))
    try browser.click(named("add_user_form_button"))
    try browser.awaitShown(named("login_name_input"))
    try browser.type("ann", into: named("login_name_input"))
    try browser.type("short and then four words\n", into: named("login_passphrase_input"))
    try browser.awaitShown(named("user_ann"))
    try browser.open("http://\(served.host)/manage/imports")
    try browser.click(named("undo_import_1"))
    try browser.awaitShown(named("undo_goes"))
    #expect(try browser.text(named("undo_goes")).contains("63 patients"))
    try browser.click(named("undo_import_form_button"))
    try browser.wait(for: "the log") {
      try browser.text("main").contains("taken back") && browser.count(named("import_log")) == 1
    }
    try browser.open("http://\(served.host)/manage/audit?user=ann")
    try browser.awaitShown(named("audit_ok"))
    #expect(try browser.text(named("audit_log")).contains("import.undo"))
    #expect(try browser.complaints() == [])
  }

  @Test(.thorough) func `the audit log is filtered by a name that stands in no address`() throws {
    let served = try ServedPractice()
    let browser = try Browser.first()
    try browser.open("http://\(served.host)/manage/audit")
    try browser.awaitShown(Browser.named("audit_ok"))
    try browser.type("bella\n", into: Browser.named("audit_patient_input"))
    try browser.wait(for: "those of that name") { try browser.text("[data-candidates]").contains("P001") }
    try browser.run("document.querySelector('#audit-patient').value = ''")
    try browser.type("nobody at all\n", into: Browser.named("audit_patient_input"))
    try browser.awaitShown("#audit-patient-problem")
    try browser.screenshot("audit-problem")
    try browser.run("document.querySelector('#audit-patient').value = ''")
    try browser.click(Browser.named("audit_access_box"))
    try browser.type("thumper\n", into: Browser.named("audit_patient_input"))
    try browser.wait(for: "the log") {
      try browser.run("return location.search") as? String == "?patient=P017&access=1"
    }
    #expect(try browser.text("h2").contains("Who saw the record of P017"))
    #expect(try browser.complaints() == [])
  }
}
