import VetNet

/// The ways from a practice to the others that somebody may enter, at the head of every page.
enum Switcher {
  /// As many are named here; the rest stand on the page of all.
  private static let most = 12

  static func html(_ call: Call) -> HTML {
    guard let place = call.site.place, !place.isHome else { return "" }
    let ways = place.ways(call.session.actor.name)
    let here = ways.filter { call.site.origin.hasSuffix($0.path) }.map(\.path)
    let links = ways.prefix(most).html { way in
      let isHere: HTML = here.contains(way.path) ? " aria-current=\"true\"" : ""
      return "<li><a href=\"/.\(way.path)/day/today\"\(isHere)><bdi>\(way.name)</bdi></a></li>"
    }
    return """
      <details class="switcher" data-testid="practice_switcher"><summary aria-label="Practices"><span class="word">Practices</span></summary><ul class="plain">\(links)<li><a href="/./" data-testid="all_practices_link">All practices</a></li></ul></details>
      """
  }
}
