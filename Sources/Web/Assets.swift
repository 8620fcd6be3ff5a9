import Clinical

/// What pages load, from the program itself. An address holds the hash of all content, so that it may be kept for good.
enum Assets {
  struct Asset: Sendable {
    let type: String
    let bytes: [UInt8]
  }

  static let all: [String: Asset] = {
    let script = "text/javascript; charset=utf-8"
    let style = PackageResources.style_css + Array(TimeGrid.style.utf8)
    return [
      "style.css": Asset(type: "text/css; charset=utf-8", bytes: style),
      "theme.js": Asset(type: script, bytes: PackageResources.theme_js),
      "app.js": Asset(type: script, bytes: PackageResources.app_js),
      "base.js": Asset(type: script, bytes: PackageResources.base_js),
      "dialogs.js": Asset(type: script, bytes: PackageResources.dialogs_js),
      "day.js": Asset(type: script, bytes: PackageResources.day_js),
      "passkey.js": Asset(type: script, bytes: PackageResources.passkey_js),
      "search.js": Asset(type: script, bytes: PackageResources.search_js),
      "flow.js": Asset(type: script, bytes: PackageResources.flow_js),
      "conflicts.js": Asset(type: script, bytes: PackageResources.conflicts_js),
      "drafts.js": Asset(type: script, bytes: PackageResources.drafts_js),
      "edit.js": Asset(type: script, bytes: PackageResources.edit_js),
      "triage.js": Asset(type: script, bytes: PackageResources.triage_js),
      "record.js": Asset(type: script, bytes: PackageResources.record_js),
      "events.js": Asset(type: script, bytes: PackageResources.events_js),
      "access.js": Asset(type: script, bytes: PackageResources.access_js),
      "jobs.js": Asset(type: script, bytes: PackageResources.jobs_js),
      "manage.js": Asset(type: script, bytes: PackageResources.manage_js),
      "specialists.js": Asset(type: script, bytes: PackageResources.specialists_js),
      "account.js": Asset(type: script, bytes: PackageResources.account_js),
      "inbox.js": Asset(type: script, bytes: PackageResources.inbox_js),
      "photos.js": Asset(type: script, bytes: PackageResources.photos_js),
      "encounter.js": Asset(type: script, bytes: PackageResources.encounter_js),
      "login.js": Asset(type: script, bytes: PackageResources.login_js),
      "vault.js": Asset(type: script, bytes: PackageResources.vault_js),
      "rules.js": Asset(type: script, bytes: PackageResources.rules_js),
      "outbox.js": Asset(type: script, bytes: PackageResources.outbox_js),
      "replay.js": Asset(type: script, bytes: PackageResources.replay_js),
      "waiting.js": Asset(type: script, bytes: PackageResources.waiting_js),
      "device.js": Asset(type: script, bytes: PackageResources.device_js),
      "keep.js": Asset(type: script, bytes: PackageResources.keep_js),
      "offline-work.js": Asset(type: script, bytes: PackageResources.offline_work_js),
      "offline.js": Asset(type: script, bytes: PackageResources.offline_js),
      "offline-forms.js": Asset(type: script, bytes: PackageResources.offline_forms_js),
      "presence.js": Asset(type: script, bytes: PackageResources.presence_js),
      "sw.js": Asset(type: script, bytes: PackageResources.sw_js),
      "icon-192.png": Asset(type: "image/png", bytes: PackageResources.icon_192_png),
      "icon-512.png": Asset(type: "image/png", bytes: PackageResources.icon_512_png),
      "icon-maskable.png": Asset(type: "image/png", bytes: PackageResources.icon_maskable_png),
      "icon.svg": Asset(type: "image/svg+xml", bytes: PackageResources.icon_svg),
    ]
  }()

  static let hash: String = {
    var hash = FNV1a()
    for (name, asset) in all.sorted(by: { $0.key < $1.key }) {
      hash.add(name.utf8)
      hash.add(asset.bytes)
    }
    return String(hash.value, radix: 36)
  }()

  static func path(_ name: String) -> String { "/assets/\(hash)/\(name)" }

  static func response(for path: [String]) -> Response {
    guard path.count == 3, let asset = all[path[2]] else {
      return ErrorBody(404, "not_found", "there is nothing at this address").response
    }
    // A page from before an update still finds what it looks for, but doesn't keep it.
    let keeping = path[1] == hash ? "public, max-age=31536000, immutable" : "no-store"
    return Response(200, type: asset.type, asset.bytes, headers: [("Cache-Control", keeping)])
  }
}
