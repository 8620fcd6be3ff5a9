import Foundation
import Testing
import VetNet
import VetNetTestSupport

/// Photos as people look through them.
extension BrowserTests {
  @Test(.thorough, .enabled(if: PhotoDecoder.isAvailable))
  func `photos are chosen, seen one after the other by keys, buttons and a swipe, described, measured and removed`()
    throws
  {
    let served = try ServedPractice()
    let folder = try TemporaryFolder()
    let browser = try Browser.first()
    func named(_ testID: String) -> String { Browser.named(testID) }
    var files: [String] = []
    for seed in UInt64(1)...3 {
      let path = folder.file("wound \(seed).png")
      try Data(SamplePicture(seed: seed).png).write(to: URL(filePath: path))
      files.append(path)
    }
    files.append(try folder.write("no picture", to: "text.jpg"))
    try browser.open("http://\(served.host)/photos?patient_id=P001")
    try browser.awaitShown(named("photos_empty"))
    try browser.type("left flank", into: named("photo_region_input"))
    // What somebody chooses in the system's own window is told to the field.
    try browser.choose(files, in: named("photo_file_input"))
    try browser.wait(for: "three photos and a refusal") {
      try browser.count("#photo-uploads .added, #photo-uploads .remarked") == 3
        && browser.count("#photo-uploads .refused") == 1
    }
    #expect(try browser.text("#photo-uploads .refused").contains("JPEG, PNG, WebP and HEIC"))
    try browser.wait(for: "their tiles") { try browser.count("#photo-grid .photo-tile") == 3 }
    let place = "return document.getElementById('photo-place').textContent.split(' ')[0]"
    func awaitPlace(_ number: String) throws {
      try browser.wait(for: "photo \(number)") { try browser.run(place) as? String == number }
    }
    try browser.click("[data-photo='0']")
    try awaitPlace("1")
    try browser.press("\u{E014}")
    try awaitPlace("2")
    try browser.click(named("photo_next"))
    try awaitPlace("3")
    // At the end nothing comes.
    try browser.click(named("photo_next"))
    try awaitPlace("3")
    try browser.drag(named("photo_frame"), by: (x: 180, y: 4))
    try awaitPlace("2")
    #expect(try browser.count("#photo-frame img") == 1)
    try browser.screenshot("photo-viewer")
    try browser.run("document.getElementById('photo-edit-note').value = 'dry'")
    try browser.click(named("photo_save_button"))
    try browser.wait(for: "the note") { try browser.text("#photo-about").contains("dry") }
    // A length drawn along becomes a scale.
    try browser.run("document.getElementById('photo-length').value = '30'")
    try browser.drag(named("photo_frame"), by: (x: 120, y: 0))
    try browser.wait(for: "the scale") {
      try served.ask("GET", "/api/v1/photos/photo-2").json()["mm_per_pixel"] as? Double ?? 0 > 0
    }
    try browser.press(Browser.Key.escape)
    try browser.open("http://\(served.host)/photos/timeline?patient_id=P001&region=left%20flank")
    #expect(try browser.count(".photo-beside") == 3 && browser.count(".photo-scale") == 1)
    try browser.screenshot("photo-timeline")
    try browser.open("http://\(served.host)/patient/P001")
    try browser.awaitShown(named("patient_photos"))
    try browser.click(named("photo_photo-3"))
    try awaitPlace("1")
    #expect(try browser.complaints() == [])
  }
}
