import CAssets
import Clinical

/// What pages load, from the program itself. An address holds the hash of all content, so that it may be kept for good.
enum Assets {
  struct Asset: Sendable {
    let type: String
    var bytes: [UInt8]
  }

  /// By name. The style has a part that is computed.
  static let all: [String: Asset] = {
    var count = 0
    let first = vetnet_assets(&count)
    var all: [String: Asset] = [:]
    for file in UnsafeBufferPointer(start: first, count: count) {
      let name = String(cString: file.name)
      guard let type = types[String(name.split(separator: ".").last ?? "")] else { continue }
      all[name] = Asset(type: type, bytes: Array(UnsafeBufferPointer(start: file.bytes, count: file.count)))
    }
    all["style.css"]?.bytes += Array(TimeGrid.style.utf8)
    return all
  }()

  /// By what a name ends in.
  private static let types = [
    "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "png": "image/png",
    "svg": "image/svg+xml",
  ]

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
