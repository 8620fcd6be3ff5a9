import Clinical
import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// Photos in the workspace: sent, listed, seen, described and taken off file.
@Suite(.enabled(if: PhotoDecoder.isAvailable, "libvips42 is not installed: make setup installs it"))
struct PhotoPageTests {
  private static func said(_ values: [String: Any]) throws -> String {
    try JSONSerialization.data(withJSONObject: values, options: .sortedKeys).base64EncodedString()
  }

  /// Sends a file as a page does.
  private func send(
    _ bytes: [UInt8], _ values: [String: Any], to served: ServedPractice, key: String = "",
    by page: ServedPractice.SignedIn? = nil
  ) throws -> HTTPClient.Answer {
    var headers = [
      "Content-Type": "application/octet-stream", "X-VetNet-Photo": try Self.said(values), "Idempotency-Key": key,
      "Content-Length": "\(bytes.count)", "Origin": "http://\(served.host)",
      "X-VetNet-Token": try page?.token ?? served.token(),
    ]
    if let page { headers.merge(["Cookie": page.cookie, "Sec-Fetch-Site": "same-origin"]) { $1 } }
    let client = try HTTPClient(port: served.port)
    client.write(served.request("POST", "/api/v1/photos", nil, headers: headers))
    client.write(Data(bytes))
    return try #require(client.answer(to: "POST"))
  }

  private func list(_ served: ServedPractice, _ query: String = "") throws -> [[String: Any]] {
    try served.ask("GET", "/api/v1/photos\(query)").json()["photos"] as? [[String: Any]] ?? []
  }

  @Test func `a photo is sent once under its key, listed, seen by its hash, kept by a browser, and taken off file`()
    throws
  {
    let served = try ServedPractice()
    let png = SamplePicture(seed: 1).png
    let values: [String: Any] = [
      "name": "IMG 1 <b>.png", "patient_id": "P001", "region": "left flank", "tags": ["wound"], "note": "day one",
    ]
    let first = try send(png, values, to: served, key: "k1")
    #expect(first.status == 201, "\(first.text)")
    #expect(try send(png, values, to: served, key: "k1").body == first.body)
    #expect(try send(png, values, to: served).json()["added"] as? Bool == false)
    // The same key with other words about it is another request.
    let reworded = values.merging(["note": "day two"]) { $1 }
    #expect(try send(png, reworded, to: served, key: "k1").body != first.body)
    let photos = try list(served, "?patient_id=P001&tag=WOUND")
    let photo = try #require(photos.first)
    #expect(photos.count == 1 && photo["region"] as? String == "left flank" && photo["note"] as? String == "day one")
    let picture = try #require(photo["picture"] as? String)
    for size in ["thumbnail", "screen"] {
      let answer = try served.ask("GET", "/photo/\(picture)/\(size)")
      #expect(
        answer.status == 200 && answer.headers["content-type"] == "image/jpeg"
          && answer.body.starts(with: [0xFF, 0xD8]))
      // A thumbnail may stay with a browser; who signed out sees nothing larger.
      #expect(
        answer.headers["cache-control"]
          == (size == "thumbnail" ? "private, max-age=31536000, immutable" : "private, no-cache"))
      #expect(answer.headers["vary"] == "Cookie")
      let tag = try #require(answer.headers["etag"])
      let again = try served.ask("GET", "/photo/\(picture)/\(size)", headers: ["If-None-Match": tag])
      #expect(again.status == 304 && again.body.isEmpty)
    }
    for wrong in ["/photo/\(picture)/original", "/photo/\(picture.dropLast())/screen", "/photo/x/thumbnail"] {
      #expect(try served.ask("GET", wrong).status == 404)
    }
    let id = try #require(photo["id"] as? String)
    let original = try served.ask("GET", "/photo-original/\(id)")
    #expect(
      original.body == Data(png) && original.headers["content-disposition"] == "attachment; filename=\"\(id).png\"")
    let patched = try served.ask(
      "PATCH", "/api/v1/photos/\(id)", #"{"region":null,"tags":["healed"],"mm_per_pixel":0.5}"#
    ).json()
    #expect(patched["region"] is NSNull || patched["region"] == nil)
    #expect(patched["tags"] as? [String] == ["healed"] && patched["mm_per_pixel"] as? Double == 0.5)
    #expect(
      try served.ask("POST", "/api/v1/photos/\(id)/file", #"{"patient_id":"P005"}"#).json()["patient_id"] as? String
        == "P005")
    #expect(try served.ask("POST", "/api/v1/photos/\(id)/remove", "{}").status == 400)
    #expect(try served.ask("POST", "/api/v1/photos/\(id)/remove", #"{"reason":"blurred"}"#).status == 200)
    #expect(try list(served).isEmpty && served.ask("GET", "/photo/\(picture)/screen").status == 404)
  }

  @Test func `what is no picture is refused with what to do, and nothing is kept`() throws {
    let served = try ServedPractice()
    for (bytes, says) in [
      (Array("<svg/>".utf8), "an SVG"), (Array("text".utf8), "JPEG"), ([], "empty"),
      (Array(SamplePicture(seed: 2).png.prefix(2000)), "cut off"),
      (SamplePicture.png(width: 50_000, height: 50_000, rows: []), "million pixels"),
    ] {
      let answer = try send(bytes, ["name": "wound.jpg", "patient_id": "P001"], to: served)
      #expect(answer.status == 400 && answer.text.contains(says) && answer.text.contains("wound.jpg"), "\(answer.text)")
    }
    #expect(try send(SamplePicture(seed: 3).png, ["patient_id": "nobody at all"], to: served).status == 404)
    let large = [UInt8](repeating: 0xFF, count: (32 << 20) + 1)
    #expect(try send(large, ["patient_id": "P001"], to: served).status == 413)
    #expect(try list(served).isEmpty)
    // A practice that was asked for goes on meanwhile.
    #expect(try served.ask("GET", "/photos").text.contains("data-testid=\"photos_empty\""))
  }

  @Test func `a large file from a page of another time is told so, and not that it is too large`() throws {
    let served = try ServedPractice.closed()
    let vet = try served.signIn(.veterinarian)
    let stale = ServedPractice.SignedIn(served: served, cookie: vet.cookie, token: "another")
    let large = [UInt8](repeating: 0xFF, count: 3 << 20)
    let answer = try send(large, ["patient_id": "P001"], to: served, by: stale)
    #expect(answer.status == 403 && answer.text.contains("stale_token"), "\(answer.text.prefix(200))")
  }

  @Test func `a program that looks at photos is not named from a browser`() throws {
    let served = try ServedPractice()
    let answer = try served.ask("PATCH", "/api/v1/settings", #"{"photo-check":"/bin/true"}"#)
    #expect(answer.status == 400, "\(answer.text)")
    #expect(try !served.ask("GET", "/manage/practice").text.contains("setting_photo-check"))
  }

  @Test func `a list of any length comes in parts, the latest first, and pages show what they are for`() throws {
    let served = try ServedPractice()
    for seed in UInt64(1)...7 {
      let answer = try send(
        SamplePicture(seed: seed, width: 120, height: 90).png,
        ["patient_id": "P001", "region": "left <i>flank", "tags": ["t"]],
        to: served)
      #expect(answer.status == 201)
    }
    var ids: [String] = []
    var offset: Int? = 0
    while let place = offset {
      let page = try served.ask("GET", "/api/v1/photos?limit=3&offset=\(place)").json()
      #expect(page["total"] as? Int == 7)
      ids += (page["photos"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
      offset = page["next_offset"] as? Int
    }
    #expect(ids == (1...7).reversed().map { "photo-\($0)" })
    let page = try served.ask("GET", "/photos?patient_id=P001").text
    for mark in ["photo_grid", "photo_drop", "photo_file_input", "photo_camera_input", "photo_filter", "photo_viewer"] {
      #expect(page.contains("data-testid=\"\(mark)\""), "\(mark)")
    }
    #expect(page.contains("capture=\"environment\"") && page.contains("7 photos") && !page.contains("left <i>flank"))
    let timeline = try served.ask("GET", "/photos/timeline?patient_id=P001&region=left%20%3Ci%3Eflank").text
    #expect(timeline.matches(of: /<figure class="photo-beside">/).count == 7 && !timeline.contains("<i>flank"))
    #expect(try served.ask("GET", "/photos/timeline").status == 400)
    let record = try served.ask("GET", "/patient/P001").text
    #expect(record.contains("data-testid=\"patient_photos\"") && record.contains("data-testid=\"photo_photo-7\""))
    // No more full pictures than a page may hold decoded.
    for seed in UInt64(8)...12 {
      _ = try send(
        SamplePicture(seed: seed, width: 120, height: 90).png, ["patient_id": "P001", "region": "r"], to: served)
    }
    let all = try served.ask("GET", "/photos/timeline?patient_id=P001").text
    #expect(all.matches(of: /<figure class="photo-beside">/).count <= 10 && all.contains(">Later<"))
  }

  @Test func `who may not read the record gets no photo, no list, no page and no tab`() throws {
    let served = try ServedPractice.closed()
    let vet = try served.signIn(.veterinarian)
    let sent = try send(SamplePicture(seed: 1).png, ["patient_id": "P001"], to: served, by: vet)
    #expect(sent.status == 201)
    let picture = try #require((try sent.json()["photo"] as? [String: Any])?["picture"] as? String)
    #expect(try vet.ask("GET", "/photo/\(picture)/thumbnail").status == 200)
    let desk = try served.signIn(.reception)
    for path in [
      "/photo/\(picture)/thumbnail", "/api/v1/photos", "/photos", "/photo-original/photo-1", "/api/v1/photos/photo-1",
    ] {
      #expect(try desk.ask("GET", path).status == 403, "\(path)")
    }
    #expect(try !desk.ask("GET", "/patients").text.contains("tab_photos"))
    #expect(try !desk.ask("GET", "/patient/P001").text.contains("patient_photos"))
    #expect(try send(SamplePicture(seed: 2).png, ["patient_id": "P001"], to: served, by: desk).status == 403)
    #expect(try served.ask("GET", "/photo/\(picture)/thumbnail").status == 401)
    // One entry for the list, none for its thumbnails.
    _ = try vet.ask("GET", "/api/v1/photos?patient_id=P001")
    for _ in 0..<3 { _ = try vet.ask("GET", "/photo/\(picture)/thumbnail") }
    let keeper = try served.signIn(.administrator)
    let log = try keeper.ask("GET", "/api/v1/audit?limit=200&access=1&patient=P001").text
    #expect(log.contains("photo.list") && !log.contains("photo.picture"))
  }
}
