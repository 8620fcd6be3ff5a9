/// A form of the manager's pages: its script sends it as JSON to a route, and says what is wrong beside the field.
struct ManageForm {
  let method: HTML
  /// Of the route.
  let path: String
  let testID: String
  /// What it is for, for those who don't see what stands around it; nil where a heading says so.
  var label: String?
  var fields: HTML
  var button: String = "Save"
  /// Said when it is done.
  var done: String = "Saved."
  /// Whether only what was changed is sent.
  var sendsChanges = false
  /// Whether it is emptied when it is done.
  var empties = false
  /// The id of a field behind it in which what the answer tells under `invitation` is shown, this once; nil for none.
  var shows: String?
  /// The page to go on to; nil to stay.
  var then: String?
  var style: HTML = "primary"

  var html: HTML {
    let label: HTML = self.label.map { " aria-label=\"\($0)\"" } ?? ""
    let changes: HTML = sendsChanges ? " data-changes" : ""
    let reset: HTML = empties ? " data-reset" : ""
    let told: HTML = shows.map { " data-shows=\"\($0)\"" } ?? ""
    let next: HTML = then.map { " data-then=\"\($0)\"" } ?? ""
    return """
      <form data-send="\(path)" data-method="\(method)" data-done="\(done)" data-testid="\(testID)"\(label)\(changes)\(reset)\(told)\(next) novalidate>\(fields)
      <p class="problem" role="alert" hidden></p>
      <div class="actions"><button type="submit" class="\(style)" data-testid="\(testID)_button">\(button)</button></div></form>
      """
  }
}

/// Fields of such forms, each with its label.
enum ManageField {
  /// A line of text. The id is unique on the page, the name is that of the value that is sent, the hint says what may be said and is
  /// read with the field, and `more` are further attributes.
  static func text(
    _ id: String, _ name: String, _ label: String, value: String? = nil, hint: String? = nil, type: HTML = "text",
    more: HTML = ""
  ) -> HTML {
    let described: HTML = hint == nil ? "" : " aria-describedby=\"\(id)-hint\""
    return """
      <div class="field"><label for="\(id)">\(label)</label><input id="\(id)" name="\(name)" type="\(type)" value="\(value)" autocomplete="off" data-testid="\(id)"\(described)\(more)>\(Self.hint(id, hint))</div>
      """
  }

  /// Words that may be too many for a line.
  static func words(_ id: String, _ name: String, _ label: String, value: String, hint: String) -> HTML {
    """
    <div class="field"><label for="\(id)">\(label)</label><textarea id="\(id)" name="\(name)" rows="2" spellcheck="false" data-testid="\(id)" aria-describedby="\(id)-hint">\(value)</textarea>\(Self.hint(id, hint))</div>
    """
  }

  static func number(
    _ id: String, _ name: String, _ label: String, value: Int? = nil, in range: ClosedRange<Int>, hint: String? = nil
  ) -> HTML {
    text(
      id, name, label, value: value.map(String.init), hint: hint, type: "number",
      more: " data-kind=\"number\" inputmode=\"numeric\" min=\"\(range.lowerBound)\" max=\"\(range.upperBound)\"")
  }

  static func date(_ id: String, _ name: String, _ label: String) -> HTML { text(id, name, label, type: "date") }

  static func choice(
    _ id: String, _ name: String, _ label: String, _ options: [(value: String, words: String)], chosen: String? = nil,
    hint: String? = nil
  ) -> HTML {
    let options = options.html {
      "<option value=\"\($0.value)\"\($0.value == chosen ? " selected" : "" as HTML)>\($0.words)</option>"
    }
    let described: HTML = hint == nil ? "" : " aria-describedby=\"\(id)-hint\""
    return """
      <div class="field"><label for="\(id)">\(label)</label><select id="\(id)" name="\(name)" data-testid="\(id)"\(described)>\(options)</select>\(Self.hint(id, hint))</div>
      """
  }

  static func box(_ id: String, _ name: String, _ label: String, isChecked: Bool) -> HTML {
    "<p><label class=\"chip\"><input type=\"checkbox\" id=\"\(id)\" name=\"\(name)\" data-testid=\"\(id)\"\(isChecked ? " checked" : "" as HTML)> \(label)</label></p>"
  }

  static func hidden(_ name: String, _ value: String) -> HTML {
    "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
  }

  static func flag(_ name: String, _ value: Bool) -> HTML {
    "<input type=\"hidden\" name=\"\(name)\" data-kind=\"flag\" value=\"\(value ? "true" : "false")\">"
  }

  private static func hint(_ id: String, _ words: String?) -> HTML {
    words.map { "<p class=\"hint field-hint\" id=\"\(id)-hint\">\($0)</p>" } ?? ""
  }
}
