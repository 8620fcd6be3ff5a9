/// What a request asks for, without what it names: `/patient/{id}`. Ids, words and secrets in addresses stay out of figures and logs.
struct RoutePatterns: Sendable {
  /// Routes by how many segments they have and by the first.
  private let table: [Key: [Route]]

  private struct Key: Hashable {
    let count: Int
    let first: String
  }

  /// For what no route fits.
  static let other = "other"
  static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

  init(_ routes: [Route] = RouteTable.all) {
    table = Dictionary(grouping: routes) { Key(count: $0.segments.count, first: $0.segments.first ?? "") }
  }

  /// The practice that a path names on a server of many; nil for none, and for what can't be the name of one.
  static func practice(in path: [String]) -> String? {
    guard path.count >= 2, path[0] == MountPoint.segment, MountPoint.isName(path[1]) else { return nil }
    return path[1]
  }

  func pattern(of path: [String]) -> String {
    let inner = MountPoint.inner(path)
    let isMounted = inner.count != path.count
    return (isMounted ? "/p/{practice}" : "") + plain(inner == [""] ? [] : inner)
  }

  private func plain(_ path: [String]) -> String {
    switch path.first {
    case nil: return "/"
    case "assets": return "/assets/{file}"
    case "feed" where path.count == 2: return "/feed/{secret}"
    case "login" where path.count == 1, "healthz" where path.count == 1, "readyz" where path.count == 1,
      "metrics" where path.count == 1:
      return "/\(path[0])"
    case let first?:
      let routes = table[Key(count: path.count, first: first)] ?? []
      return routes.first { $0.match(path) != nil }?.pattern ?? "/\(Self.other)"
    }
  }
}
