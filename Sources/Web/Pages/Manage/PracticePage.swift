import Clinical
import VetNet

/// Settings, opening hours, days off, and the state of the practice file.
enum PracticePage {
  static func page(_ call: Call) throws -> HTML {
    let live = try live(call)
    if call.request.parameter("part") != nil { return live }
    return ManagePages.page(
      .practice, call,
      main:
        "<h1>Practice</h1>\(ManagePages.live(ManagePages.Page.practice.path, kinds: "setting location backup index", live))"
    )
  }

  private static func live(_ call: Call) throws -> HTML {
    let status = try call.perform(ShowStatus())
    return """
      \(try backups(status, call))<h2>Settings</h2>\(settings(try call.perform(ListSettings())))
      \(try places(call))<h2>What can be switched on and off</h2>\(features(status.features))\(state(status))
      """
  }

  // MARK: Settings

  private static func settings(_ settings: [SettingValue]) -> HTML {
    let fields = settings.filter { PracticeSetting(rawValue: $0.key)?.isSetInWorkspace != false }.html { setting in
      let id = "setting_\(setting.key)"
      let value = setting.source == .standard ? nil : setting.value
      let standard = setting.source == .standard ? setting.value.map { "Now \($0), as nothing is said here. " } : nil
      let hint =
        "\(standard ?? "")\(setting.summary.prefix(1).uppercased())\(setting.summary.dropFirst()): \(setting.allowed)."
      let known = PracticeSetting(rawValue: setting.key)
      let title = known.map(title) ?? setting.key
      switch known {
      case .units?:
        return ManageField.choice(
          id, setting.key, title, [("", "not said"), ("metric", "metric"), ("imperial", "imperial")],
          chosen: value ?? "",
          hint: hint)
      case .dateOrder?:
        return ManageField.choice(
          id, setting.key, title, [("", "not said"), ("dmy", "day, month, year"), ("mdy", "month, day, year")],
          chosen: value ?? "", hint: hint)
      case .photoDetails?:
        return ManageField.choice(
          id, setting.key, title, [("", "not said"), ("strip", "strip"), ("keep", "keep")], chosen: value ?? "",
          hint: hint)
      case .name?:
        return ManageField.text(
          id, setting.key, title, value: value, hint: hint + " The heads of pages show it when the server starts anew.")
      default: return ManageField.text(id, setting.key, title, value: value, hint: hint)
      }
    }
    return ManageForm(
      method: "PATCH", path: "/api/v1/settings", testID: "settings_form", label: "Settings",
      fields: "<div class=\"fields wide\">\(fields)</div>", button: "Save settings", sendsChanges: true
    ).html
  }

  private static func title(_ setting: PracticeSetting) -> String {
    switch setting {
    case .name: "Name of the practice"
    case .timeZone: "Time zone"
    case .hours: "Opening hours"
    case .units: "Units of weight"
    case .dateOrder: "Order of dates"
    case .quantile: "Length that plans reserve"
    case .readerAddress: "Address of a reader"
    case .calendarDaysBack: "Days of calendars read back"
    case .photoOriginal: "Originals of photos"
    case .photoDetails: "Place and device in photos"
    case .photoCheck: "Own check of photos"
    case .links: "Named places"
    case .groupSignIn: "Sign-in of a group"
    }
  }

  private static func features(_ features: [FeatureState]) -> HTML {
    let rows = features.html { feature in
      let form =
        feature.name == Feature.workspace.rawValue
        ? "<span class=\"hint\">This page is part of it.</span>"
        : ManageForm(
          method: "PUT", path: Link.path(["api", "v1", "features", feature.name]), testID: "feature_\(feature.name)",
          label: feature.name, fields: ManageField.flag("on", !feature.isOn),
          button: "\(feature.isOn ? "Switch off" : "Switch on") \(feature.name)", style: "small"
        ).html
      return
        "<tr><th scope=\"row\">\(feature.name)</th><td>\(feature.summary)</td><td>\(feature.isOn ? "on" : "off")</td><td>\(form)</td></tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Features"><table><thead><tr><th scope="col">Feature</th><th scope="col">What it is</th><th scope="col">Now</th><th scope="col">Change</th></tr></thead><tbody>\(rows)</tbody></table></div>
      """
  }

  // MARK: Places

  private static func places(_ call: Call) throws -> HTML {
    let states = try call.perform(ListLocations())
    let add = ManageForm(
      method: "POST", path: "/api/v1/locations", testID: "add_location_form", label: "Add a place",
      fields: """
        <div class="fields">\(ManageField.text("location_name", "name", "Name"))\(ManageField.text("location_hours", "hours", "Open", hint: "mon-fri 08:30-18:30, sat 09:00-12:00; empty for whenever somebody works"))\(ManageField.text("location_region", "region", "Public holidays of", hint: "such as england-and-wales; empty for none"))\(ManageField.text("location_address", "address", "Address"))</div>
        """, button: "Add the place", done: "The place is added.", empties: true
    ).html
    let list = try states.html { try place($0, call) }
    let none: HTML =
      states.isEmpty
      ? "<p class=\"empty\">The practice is one place, open as <b>Opening hours</b> above says. Days off belong to a place: add one to close it for holidays. All that there is belongs to the first.</p>"
      : ""
    return
      "<h2>Places, opening hours and days off</h2>\(none)\(list)<details><summary>Add a place where animals are seen</summary>\(add)</details>"
  }

  private static func place(_ state: LocationState, _ call: Call) throws -> HTML {
    let location = state.location
    let path = ["api", "v1", "locations", location.id]
    let id = location.id
    let open = ManageForm(
      method: "PATCH", path: Link.path(path), testID: "location_\(id)_form", label: "Opening hours of \(location.name)",
      fields: """
        <div class="fields">\(ManageField.text("location_\(id)_hours", "hours", "Open", value: location.hours.isEmpty ? "always" : StaffWeek.words(location.hours), hint: "mon-fri 08:30-18:30, sat 09:00-12:00; always for whenever somebody works"))\(ManageField.text("location_\(id)_region", "region", "Public holidays of", value: location.region ?? "none", hint: "such as england-and-wales, scotland, ireland; none for no holidays"))</div>
        """, sendsChanges: true
    ).html
    let edits = [
      (ChangeClosures.Edit.close.rawValue, "closed"),
      (ChangeClosures.Edit.open.rawValue, "open, whatever holiday it is"),
      (ChangeClosures.Edit.clear.rawValue, "as usual again"),
    ]
    let close = ManageForm(
      method: "POST", path: Link.path(path + ["closures"]), testID: "closures_\(id)_form",
      label: "Days off of \(location.name)",
      fields: """
        <div class="fields">\(ManageField.date("closure_\(id)_from", "from", "From"))\(ManageField.date("closure_\(id)_to", "to", "To (empty for one day)"))\(ManageField.choice("closure_\(id)_edit", "edit", "The place is", edits))\(ManageField.text("closure_\(id)_reason", "reason", "Why"))</div>
        """, button: "Set these days", done: "The days are set.", empties: true
    ).html
    let years = [call.today.year, call.today.year + 1]
    let days = try years.flatMap { try call.perform(ListClosures(location: id, year: $0)).days }.filter {
      $0.date >= call.today
    }
    let rows = days.html { day in
      "<tr><td>\(Badges.longDate(day.date))</td><td>\(day.reason)</td><td>\(day.isHoliday ? "public holiday" : "own")</td></tr>"
    }
    let table: HTML =
      days.isEmpty
      ? "<p class=\"empty\">No days off are known from today on.</p>"
      : "<details><summary>Days off of \(location.name) from today to the end of \(years[1]) (\(days.count))</summary><table><thead><tr><th scope=\"col\">Day</th><th scope=\"col\">Why</th><th scope=\"col\">By</th></tr></thead><tbody>\(rows)</tbody></table></details>"
    let main: HTML = state.isMain ? " <span class=\"badge\">all that names no place is here</span>" : ""
    return """
      <section class="card" data-testid="location_\(id)"><h3><bdi>\(location.name)</bdi> <span class="id">\(id)</span>\(main)</h3>\(open)\(table)<h4 class="minor">Days off</h4>\(close)</section>
      """
  }

  // MARK: The file

  private static func backups(_ status: Status, _ call: Call) throws -> HTML {
    let last: HTML
    if let backup = status.lastBackup {
      let since = backup.changesSince == 0 ? "nothing changed since" : "\(backup.changesSince) changes since"
      last =
        "<p>Last proven backup: <b>\(backup.provenAt)</b>, \(backup.records) records, \(since).<br><span class=\"id\">\(backup.file)\(backup.isThere ? "" : " (not there now)")</span></p>"
    } else {
      last = "<p>No backup was proven yet.</p>"
    }
    let due: HTML =
      status.isBackupDue
      ? "<p class=\"alert\" data-testid=\"backup_due\">No backup was proven for a week: make one, and keep a copy on another disk.</p>"
      : ""
    let job = try call.perform(ListJobs()).first { $0.kind == .backup }
    let run: HTML =
      job.flatMap { $0.state == .done ? nil : $0 }.map {
        "<p data-testid=\"backup_job\">\(JobsPage.word($0.state)): begun \(call.zone.describe($0.startedAt))\($0.message.map { ", \($0)" })</p>"
      } ?? ""
    return """
      <section class="card"><h2>Backup</h2>\(due)\(last)<div class="actions"><button type="button" class="primary" data-begin="backup" data-testid="backup_button">Back up now</button></div>\(run)
      <p class="problem" id="job-problem" role="alert" hidden></p>
      <p class="hint">Backups go to \(status.backupFolder). Each is restored beside the practice file and compared with it before it counts.</p></section>
      """
  }

  private static func state(_ status: Status) -> HTML {
    let index: HTML
    if let found = status.index {
      index =
        "\(found.chunks) passages; \(found.staleNotes == 0 ? "every note is indexed" : "\(found.staleNotes) notes are not indexed yet")\(found.failedNotes > 0 ? ", \(found.failedNotes) could not be" : "")\(found.isCurrent ? "" : "; made by other rules than today's: re-index it")"
    } else {
      index = "none yet"
    }
    let rows: [(HTML, HTML)] = [
      ("Patients", "\(status.patients)"), ("Clients", "\(status.clients)"), ("Notes", "\(status.notes)"),
      (
        "Appointments",
        "\(status.appointments)\(status.conflicts > 0 ? ", \(status.conflicts) of them overlap others" : "")"
      ),
      ("Index", index), ("File", "\(status.file)"), ("Encrypted", status.encryption == nil ? "no" : "yes"),
      ("Version", "\(status.version)"),
    ]
    return """
      <h2>State of the file</h2><dl class="facts" data-testid="practice_state">\(rows.html { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" })</dl>
      <p class="actions"><a class="button" href="/jobs">Re-index, or import</a></p>
      """
  }
}
