import Store

/// What a practice keeps of its pictures.
public struct PhotoRules: Hashable, Sendable {
  /// The longer edge of what is kept as the original, in pixels: larger ones are made smaller; 0 for none at all, nil for any size.
  public var originalEdge: Int?
  /// Whether place, time and device stay in the original.
  public var keepsDetails: Bool

  public static let standardEdge = 4096
  static let smallestEdge = 1280
  static let largestEdge = 20_000

  public init(originalEdge: Int? = Self.standardEdge, keepsDetails: Bool = false) {
    self.originalEdge = originalEdge
    self.keepsDetails = keepsDetails
  }

  /// `4096`, `none` or `any`, as the setting says it.
  static func edge(_ text: String) -> Int?? {
    switch text.lowercased() {
    case "none": .some(0)
    case "any": .some(nil)
    default: Int(text).flatMap { (smallestEdge...largestEdge).contains($0) ? .some($0) : nil }
    }
  }

  var edgeText: String { originalEdge.map { $0 == 0 ? "none" : String($0) } ?? "any" }
}

extension Practice.Photos {
  /// What is kept of a picture that is added now.
  public var photoRules: PhotoRules {
    let edge = (try? practice.settings.setting(.photoOriginal)).flatMap { $0 }.flatMap(PhotoRules.edge)
    let details = (try? practice.settings.setting(.photoDetails)).flatMap { $0 }
    return PhotoRules(originalEdge: edge ?? PhotoRules.standardEdge, keepsDetails: details == "keep")
  }

  /// The practice's own check; nil where it names none.
  func ownPhotoCheck() throws -> ProgramCheck? {
    try practice.settings.setting(.photoCheck).map { try ProgramCheck(command: $0) }
  }
}
