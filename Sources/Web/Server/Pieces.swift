/// An answer that is sent while it is made: what is there at once, and what makes the rest.
struct Pieces: Sendable {
  /// Sends a piece; throws ``Unread`` where nobody reads any more, so that whoever makes them stops.
  typealias Send = (_ piece: [UInt8]) throws -> Void

  struct Unread: Error {}

  let type: String
  let first: [UInt8]
  var last: [UInt8] = []
  /// What stands for a rest that can't be made.
  let problem: @Sendable (ErrorBody) -> [UInt8]
  /// Makes the rest, on the thread that the practice belongs to.
  let rest: @Sendable (Call, Send) throws -> Void

  /// Makes the rest and ends the flow, whatever happens.
  func make(_ call: Call, into flow: Outflow) {
    defer { flow.end() }
    do {
      try rest(call) { piece in
        guard flow.write(piece) else { throw Unread() }
      }
    } catch is Unread {
      return
    } catch {
      flow.write(problem(ErrorBody(any: error)))
    }
    flow.write(last)
  }
}

extension Pieces {
  /// Parts of a page; `last` closes what `first` opened.
  static func markup(
    _ first: HTML, last: HTML = "", rest: @escaping @Sendable (Call, (HTML) throws -> Void) throws -> Void
  ) -> Pieces {
    Pieces(
      type: "text/html; charset=utf-8", first: Array(first.markup.utf8), last: Array(last.markup.utf8),
      problem: { error in
        let hint: HTML? = error.hint.map { " \($0)" }
        return Array(
          ("<p class=\"alert\" role=\"alert\">The rest can't be shown: \(error.message). \(hint)</p>" as HTML).markup
            .utf8)
      },
      rest: { call, send in try rest(call) { try send(Array($0.markup.utf8)) } })
  }

  static let linesType = "application/x-ndjson"

  /// JSON, a value a line.
  static func lines(rest: @escaping @Sendable (Call, (any Encodable) throws -> Void) throws -> Void) -> Pieces {
    Pieces(
      type: linesType, first: [], problem: { ((try? JSONText.bytes($0)) ?? []) + [UInt8(ascii: "\n")] },
      rest: { call, send in try rest(call) { try send(JSONText.bytes($0) + [UInt8(ascii: "\n")]) } })
  }
}
