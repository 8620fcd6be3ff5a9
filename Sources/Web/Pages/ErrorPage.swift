import VetNet

/// What went wrong, and what a person can do.
enum ErrorPage {
  static func page(_ error: ErrorBody, _ call: Call) -> HTML {
    let candidates = error.candidates.html {
      "<li><a href=\"\(Link.patient($0.id))\">\($0.name)</a> \($0.species)\($0.owner_name.map { ", \($0)" }) <span class=\"id\">\($0.id)</span></li>"
    }
    let list: HTML = error.candidates.isEmpty ? "" : "<ul class=\"plain\">\(candidates)</ul>"
    let main: HTML = """
      <section class="notice"><h1>\(heading(error.status))</h1><p>\(error.message)</p>
      \(error.hint.map { "<p class=\"hint\">\($0)</p>" as HTML })\(list)
      <p><a class="button" href="/day/today">Back to today</a></p></section>
      """
    return Layout(title: "Not shown", main: main).page(call)
  }

  /// For whoever has no session here.
  static func page(_ error: ErrorBody, _ site: Site) -> HTML {
    let main: HTML = """
      <section class="notice"><h1>\(heading(error.status))</h1><p>\(error.message)</p>
      \(error.hint.map { "<p class=\"hint\">\($0)</p>" as HTML })
      <p><a class="button" href="\(site.place == nil ? "/" : "/./")">\(site.place == nil ? "Back" : "Your practices")</a></p></section>
      """
    return Layout(title: "Not shown", main: main).document(site: site, tabs: [])
  }

  private static func heading(_ status: Int) -> HTML {
    switch status {
    case 403: "Not permitted"
    case 404: "Not found"
    default: "That didn't work"
    }
  }
}
