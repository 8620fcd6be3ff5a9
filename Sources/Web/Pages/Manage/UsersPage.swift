import Clinical
import VetNet

/// Who may use the practice, as what, and how they sign in.
enum UsersPage {
  static func page(_ call: Call) throws -> HTML {
    let live = try live(call)
    if call.request.parameter("part") != nil { return live }
    return ManagePages.page(
      .users, call,
      main:
        "<h1>Users and roles</h1>\(ManagePages.live(ManagePages.Page.users.path, kinds: "user setting", live))\(rights)"
    )
  }

  private static let roles = Role.allCases.filter { $0 != .owner }

  private static func live(_ call: Call) throws -> HTML {
    let users = try call.perform(ListUsers())
    let places = try call.permitted(ListLocations())?.map(\.location) ?? []
    let manages = call.session.actor.role.may(.manageUsers)
    let list: HTML =
      users.isEmpty
      ? "<p class=\"alert\" data-testid=\"no_users\">There are none: whoever can read the practice file, or open this page on this machine, may do everything. The first user has to be an administrator, and closes the practice to everybody else: you sign in as them then.</p>"
      : users.html { user($0, manages, places, call) }
    let rules = manages ? try call.permitted(SetSignInRules()).map(rulesForm) ?? "" : ""
    return
      "<h2>Users (\(users.count))</h2>\(list)\(manages ? try newUser(isFirst: users.isEmpty, call) : "")\(rules)"
  }

  private static func user(_ user: PracticeUser, _ manages: Bool, _ places: [Location], _ call: Call) -> HTML {
    let state: HTML = user.isDisabled ? " <span class=\"badge bad\">let in no more</span>" : ""
    let mine: HTML = user.name == call.session.actor.name ? " <span class=\"badge\">you</span>" : ""
    let others = (user.locationRoles ?? [:]).sorted { $0.key < $1.key }.html {
      "<li>\($0.value.rawValue) at \($0.key)</li>"
    }
    let elsewhere: HTML = user.locationRoles == nil ? "" : "<ul>\(others)</ul>"
    let staff: HTML = user.staffID.map { " <span class=\"id\">\($0)</span>" } ?? ""
    return """
      <details class="card" data-testid="user_\(user.name)"><summary><b><bdi>\(user.name)</bdi></b>\(staff) \(user.role.rawValue)\(state)\(mine)</summary>\(elsewhere)\(manages ? forms(user, places) : "" as HTML)</details>
      """
  }

  private static func forms(_ user: PracticeUser, _ places: [Location]) -> HTML {
    let path = ["api", "v1", "users", user.name]
    let name = user.name
    let role = ManageForm(
      method: "PATCH", path: Link.path(path), testID: "role_\(name)_form", label: "Role of \(name)",
      fields: ManageField.choice(
        "role_\(name.identifier)", "role", "Role", roles.map { ($0.rawValue, $0.rawValue) }, chosen: user.role.rawValue,
        hint: "They sign in again."), button: "Change the role", done: "The role is changed.")
    let reset = ManageForm(
      method: "POST", path: Link.path(path + ["passphrase"]), testID: "passphrase_\(name)_form",
      label: "New passphrase for \(name)",
      fields: ManageField.text(
        "passphrase_\(name.identifier)", "passphrase", "New passphrase",
        hint: "8 characters at least; their sessions, passkeys and subscribed calendars end.",
        type: "password", more: " data-new"), button: "Set the passphrase",
      done: "The passphrase is set; their sessions, passkeys and subscribed calendars have ended.")
    let disable = ManageForm(
      method: "PATCH", path: Link.path(path), testID: "disable_\(name)_form",
      label: user.isDisabled ? "Let \(name) in again" : "Let \(name) in no more",
      fields: ManageField.flag("disabled", !user.isDisabled),
      button: user.isDisabled ? "Let in again" : "Let in no more",
      done: user.isDisabled ? "They are let in again." : "They are let in no more.",
      style: user.isDisabled ? "primary" : "danger")
    let roleThere =
      places.isEmpty
      ? ""
      : ManageForm(
        method: "PATCH", path: Link.path(path), testID: "place_role_\(name)_form",
        label: "Role of \(name) at one place",
        fields: """
          <div class="fields">\(ManageField.choice("place_\(name.identifier)", "location", "At", places.map { ($0.id, $0.name) }))\(ManageField.choice("place_role_\(name.identifier)", "role", "they are", [("", "the same as elsewhere")] + roles.map { ($0.rawValue, $0.rawValue) }))</div>
          """, button: "Set the role there", done: "The role there is set."
      ).html
    return
      "<div class=\"split even\"><div>\(role.html)\(roleThere)</div><div>\(reset.html)</div></div>\(disable.html)<p class=\"hint\">What they did stays theirs.</p>"
  }

  private static func newUser(isFirst: Bool, _ call: Call) throws -> HTML {
    let staff = try call.permitted(ListStaff()) ?? []
    let who = [("", "nobody of the staff")] + staff.map { ($0.id, $0.name) }
    let known = isFirst ? [Role.administrator] : roles
    let form = ManageForm(
      method: "POST", path: "/api/v1/users", testID: "add_user_form", label: "Add a user",
      fields: """
        <div class="fields">\(ManageField.text("user_name", "name", "Name"))\(ManageField.choice("user_role", "role", "Role", known.map { ($0.rawValue, $0.rawValue) }))\(ManageField.choice("user_staff", "staff_id", "Is", who))\(ManageField.text("user_passphrase", "passphrase", "Passphrase", hint: "8 characters at least; they can change it themselves", type: "password"))</div>
        """, button: "Add the user", done: "The user is added.", empties: true,
      then: isFirst ? "/login?to=%2Fmanage%2Fusers" : nil)
    return "<details\(isFirst ? " open" : "" as HTML)><summary>Add a user</summary>\(form.html)</details>"
  }

  private static func rulesForm(_ rules: SignInRules) -> HTML {
    let form = ManageForm(
      method: "PATCH", path: "/api/v1/sign-in-rules", testID: "sign_in_rules_form", label: "How people sign in",
      fields: """
        \(ManageField.number("idle_minutes", "idle_minutes", "Minutes without use after which a session ends", value: rules.idleMinutes, in: Practice.People.idleRange))\(ManageField.box("account_unlock", "account_unlock", "An account of this machine unlocks the user it is linked to, in the command line", isChecked: rules.unlocksByAccount))
        """, button: "Save the rules", sendsChanges: true)
    return "<h2>How people sign in</h2>\(form.html)"
  }

  /// Which role may do what, from the same table as the door itself.
  private static let rights: HTML = {
    let heads = roles.html { "<th scope=\"col\">\($0.rawValue)</th>" }
    let rows = Permission.allCases.html { permission in
      let cells = roles.html {
        $0.may(permission)
          ? "<td>yes</td>" : "<td><span aria-hidden=\"true\">–</span><span class=\"hidden\">no</span></td>"
      }
      return "<tr><th scope=\"row\">\(permission.rawValue)</th>\(cells)</tr>"
    }
    return """
      <h2>Which role may do what</h2><div class="scroll" tabindex="0" role="region" aria-label="Which role may do what"><table data-testid="rights_table"><thead><tr><th scope="col">May</th>\(heads)</tr></thead><tbody>\(rows)</tbody></table></div>
      """
  }()
}

extension String {
  /// As part of an element's id, where spaces would make it two.
  fileprivate var identifier: String { String(map { $0.isLetter || $0.isNumber ? $0 : "-" }) }
}
