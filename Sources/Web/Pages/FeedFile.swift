import Clinical
import VetNet

/// A calendar that a telephone subscribes to: whoever has its address reads it, as the person who made it.
enum FeedFile {
  /// In the same words for an address that never was and for one that was withdrawn.
  private static let nothing = ErrorBody(404, "not_found", "there is nothing at this address")

  static func response(to request: Request, in practice: Practice, at now: Timestamp) -> Response {
    do {
      guard request.path.count == 2, request.path[1].hasSuffix(".ics"),
        let secret = FeedSecret(text: String(request.path[1].dropLast(4))),
        let holder = try practice.exchange.holder(of: secret)
      else { return nothing.response }
      var known = request.header("if-none-match")
      if let tag = known, tag.hasPrefix("W/") { known = String(tag.dropFirst(2)) }
      let content = try practice.perform(ShowCalendarFeed(id: holder.feed, known: known), by: holder.actor, at: now)
      // It may be kept by whoever subscribed, and asked about again.
      let headers = [("ETag", content.tag), ("Cache-Control", "private, no-cache")]
      guard let text = content.text else {
        return Response(304, type: "text/calendar; charset=utf-8", [], headers: headers)
      }
      return Response(
        200, type: "text/calendar; charset=utf-8", Array(text.utf8),
        headers: headers + [("Content-Disposition", "inline; filename=\"practice.ics\"")])
    } catch let error as PracticeError where [.notFound, .notPermitted, .notSignedIn].contains(error.code) {
      return nothing.response
    } catch {
      return ErrorBody(any: error).response
    }
  }
}
