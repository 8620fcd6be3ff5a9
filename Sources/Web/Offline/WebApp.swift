import VetNet

/// What makes the workspace an app of its own, which opens without the server: its manifest, its worker, and the page that stands in for
/// all others meanwhile. None of them holds anything of a practice but its name.
enum WebApp {
  static let manifestPath = "/manifest.webmanifest"
  static let workerPath = "/sw.js"
  static let shellPath = "/offline"

  /// Nil for what is asked for elsewhere.
  static func response(for path: [String], site: Site) -> Response? {
    switch path {
    case [String(manifestPath.dropFirst())]: manifest(site)
    case [String(workerPath.dropFirst())]: worker
    case [String(shellPath.dropFirst())]: .page(shell(site))
    default: nil
    }
  }

  private struct Icon: Encodable {
    let src: String
    let sizes: String
    let type: String
    let purpose: String
  }

  /// Addresses are seen from the manifest's own, so that each practice of a server is an app of its own.
  private struct Manifest: Encodable {
    let name: String
    let short_name: String
    let start_url = "day/today"
    let scope = "./"
    let display = "standalone"
    let background_color = "#f6f7f8"
    let theme_color = Layout.themeColour
    let icons: [Icon]
  }

  /// - Source: W3C, Web Application Manifest, Working Draft, 2024.
  private static func manifest(_ site: Site) -> Response {
    let png = "image/png"
    func file(_ name: String) -> String { String(Assets.path(name).dropFirst()) }
    let manifest = Manifest(
      name: "\(site.practiceName) · VetNet", short_name: String(site.practiceName.prefix(24)),
      icons: [
        Icon(src: file("icon.svg"), sizes: "any", type: "image/svg+xml", purpose: "any"),
        Icon(src: file("icon-192.png"), sizes: "192x192", type: png, purpose: "any"),
        Icon(src: file("icon-512.png"), sizes: "512x512", type: png, purpose: "any"),
        Icon(src: file("icon-maskable.png"), sizes: "512x512", type: png, purpose: "maskable"),
      ])
    let bytes = (try? JSONText.bytes(manifest)) ?? []
    return Response(200, type: "application/manifest+json", bytes, headers: [("Cache-Control", "no-cache")])
  }

  /// The worker with the addresses of this program's files in front: another program has another worker, and so replaces this one's files
  /// in the browsers that it meets.
  private static let worker: Response = {
    let files = Assets.all.keys.sorted().filter { $0 != "sw.js" }.map { "\"\(Assets.path($0))\"" }
    let head = """
      const version = "\(Assets.hash)";
      const shell = "\(shellPath)";
      const files = [\(files.joined(separator: ", "))];

      """
    return Response(
      200, type: "text/javascript; charset=utf-8", Array(head.utf8) + (Assets.all["sw.js"]?.bytes ?? []),
      headers: [("Cache-Control", "no-cache")])
  }()

  private static func shell(_ site: Site) -> HTML {
    Layout(
      title: "Without the server", script: "offline.js",
      main: "<h1>Without the server</h1><p class=\"empty\" aria-busy=\"true\">Looking for what was taken along…</p>"
    ).document(site: site, tabs: [.schedule, .triage])
  }
}
