import FoundationEssentials

/// A picture as checks see it: at the size of a screen, upright.
public struct CheckedPicture: Sendable {
  public let grey: GreyPicture
  /// JPEG, as it is stored.
  public let screen: [UInt8]

  public init(grey: GreyPicture, screen: [UInt8]) {
    self.grey = grey
    self.screen = screen
  }
}

/// What a check says of a picture.
public struct PhotoFinding: Hashable, Codable, Sendable {
  /// The check's name.
  public let check: String
  /// Whether somebody should look.
  public let isRemark: Bool
  /// What was measured, in the check's own unit; nil where nothing is.
  public let value: Double?
  /// In words; nil where there is nothing to say.
  public let message: String?

  public init(check: String, isRemark: Bool, value: Double? = nil, message: String? = nil) {
    self.check = check
    self.isRemark = isRemark
    self.value = value
    self.message = message
  }

  private enum CodingKeys: String, CodingKey {
    case check, value, message
    case isRemark = "remark"
  }
}

/// Looks at a picture and says what somebody should know of it. It never decides anything: a photo with remarks is on file like any.
///
/// Those that come with VetNet run where the picture is decoded, in a process of their own with little memory and no rights. A practice's
/// own program (``ProgramCheck``) has the rights of whoever has it look, and no network.
public protocol PhotoCheck: Sendable {
  /// Stable: it stands in the practice file, and photos are found by it.
  var name: String { get }
  /// In one line, for a person.
  var summary: String { get }

  func finding(_ picture: CheckedPicture) throws -> PhotoFinding
}

/// The checks of pixels that come with VetNet.
public enum PhotoChecks {
  public static let all: [any PhotoCheck] = [SharpnessCheck(), ExposureCheck(), SubjectCheck(), WritingCheck()]

  /// That of other pictures, which takes the practice file.
  public static let duplicate = "duplicate"
  public static let duplicateSummary = "the same picture as another, or nearly"
  /// Of 64: copies that were compressed again or made smaller differ in fewer.
  static let nearDistance = 6
  /// A practice's own.
  public static let own = "practice"
}

/// Whether anything in the picture is in focus.
public struct SharpnessCheck: PhotoCheck {
  public let name = "sharpness"
  public let summary = "out of focus or shaken (variance of the Laplacian)"
  /// Below it, of a picture some 640 pixels wide.
  public static let least = 25.0

  public init() {}

  public func finding(_ picture: CheckedPicture) -> PhotoFinding {
    let grey = max(picture.grey.width, picture.grey.height) > 900 ? picture.grey.halved : picture.grey
    let value = grey.sharpness
    let isBlurred = value < Self.least
    return PhotoFinding(
      check: name, isRemark: isBlurred, value: value, message: isBlurred ? "may be out of focus or shaken" : nil)
  }
}

/// Whether the light was enough, and not too much.
public struct ExposureCheck: PhotoCheck {
  public let name = "exposure"
  public let summary = "much too dark or too bright (mean brightness, 0 to 255)"

  public init() {}

  public func finding(_ picture: CheckedPicture) -> PhotoFinding {
    let counts = picture.grey.histogram
    let total = Double(picture.grey.pixels.count)
    let mean = counts.enumerated().reduce(0.0) { $0 + Double($1.offset * $1.element) } / total
    let black = Double(counts[0...8].reduce(0, +)) / total
    let white = Double(counts[248...255].reduce(0, +)) / total
    let message: String? =
      if mean < 40 || black > 0.6 {
        "much too dark"
      } else if mean > 225 || white > 0.6 {
        "much too bright"
      } else {
        nil
      }
    return PhotoFinding(check: name, isRemark: message != nil, value: mean, message: message)
  }
}

/// Whether there is anything to see.
public struct SubjectCheck: PhotoCheck {
  public let name = "subject"
  public let summary = "nearly one tone all over: a covered lens, a wall (spread of brightness over areas)"
  public static let least = 5.0

  public init() {}

  public func finding(_ picture: CheckedPicture) -> PhotoFinding {
    let means = picture.grey.means(columns: 16, rows: 16)
    let mean = means.reduce(0, +) / Double(means.count)
    let spread = (means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(means.count)).squareRoot()
    let isFlat = spread < Self.least
    return PhotoFinding(
      check: name, isRemark: isFlat, value: spread,
      message: isFlat ? "there may be nothing on it: it is nearly one tone" : nil)
  }
}

/// Whether something looks like a line of writing, which may be somebody's name: on a label, a collar, a screen.
///
/// It reads no letter. It looks for rows of small areas that are each of two tones only, with as many strokes as letters have, and no
/// such areas everywhere, as coats have. What it finds may be a fence, and what it misses may be a name.
public struct WritingCheck: PhotoCheck {
  public let name = "writing"
  public let summary = "something that looks like writing, which may be somebody's name (nothing is read)"
  private static let side = 16
  /// Areas beside each other that make a line.
  private static let line = 5

  public init() {}

  public func finding(_ picture: CheckedPicture) -> PhotoFinding {
    let grey = picture.grey
    let (columns, rows) = (grey.width / Self.side, grey.height / Self.side)
    var lines = 0
    var marked = 0
    grey.pixels.withUnsafeBufferPointer { pixels in
      for row in 0..<rows {
        var run = 0
        for column in 0..<columns {
          if Self.isLettered(pixels, grey.width, left: column * Self.side, top: row * Self.side) {
            marked += 1
            run += 1
            if run == Self.line { lines += 1 }
          } else {
            run = 0
          }
        }
      }
    }
    let isEverywhere = marked * 3 > columns * rows
    let found = lines > 0 && !isEverywhere
    return PhotoFinding(
      check: name, isRemark: found, value: Double(isEverywhere ? 0 : lines),
      message: found ? "may show writing: look whether a person's name can be read" : nil)
  }

  private static func isLettered(_ pixels: UnsafeBufferPointer<UInt8>, _ width: Int, left: Int, top: Int) -> Bool {
    var (low, high) = (255, 0)
    for y in top..<(top + side) {
      for x in left..<(left + side) {
        low = min(low, Int(pixels[y * width + x]))
        high = max(high, Int(pixels[y * width + x]))
      }
    }
    let contrast = high - low
    guard contrast >= 80 else { return false }
    let middle = low + contrast / 2
    var (between, dark, changes) = (0, 0, 0)
    for y in top..<(top + side) {
      var wasDark = Int(pixels[y * width + left]) < middle
      for x in left..<(left + side) {
        let value = Int(pixels[y * width + x])
        if value > low + contrast * 3 / 10, value < low + contrast * 7 / 10 { between += 1 }
        let isDark = value < middle
        if isDark { dark += 1 }
        if isDark != wasDark { changes += 1 }
        wasDark = isDark
      }
    }
    let total = side * side
    let ink = min(dark, total - dark)
    return between * 4 <= total && ink * 12 >= total && (side...(side * 9)).contains(changes)
  }
}

/// A practice's own check: a program that gets the path of a picture as its last word, and prints
/// `{"remark": true, "value": 0.8, "message": "…"}`, of which everything but `remark` may be missing.
///
/// It runs without a shell, without the network, and within its time and memory.
public struct ProgramCheck: PhotoCheck {
  public let name = PhotoChecks.own
  public let summary: String
  private let words: [String]
  private let seconds: Int

  /// - Parameters:
  ///   - command: words as in a shell, with quotes around those with spaces, and nothing else of a shell.
  ///   - seconds: what it may take for a picture.
  /// - Throws: ``PracticeError`` for a command that can't be read.
  public init(command: String, seconds: Int = 10) throws {
    let process = try GuestProcess(command: command, limits: Self.limits(seconds))
    words = process.words
    self.seconds = seconds
    summary = "the practice's own: \(process.words[0])"
  }

  private static func limits(_ seconds: Int) -> GuestProcess.Limits {
    var limits = GuestProcess.Limits()
    limits.called = "the check's program"
    limits.seconds = seconds
    limits.megabytes = 4096
    limits.outputBytes = 1 << 16
    return limits
  }

  private struct Reply: Decodable {
    let remark: Bool
    let value: Double?
    let message: String?
  }

  public func finding(_ picture: CheckedPicture) throws -> PhotoFinding {
    let file = try PictureFile(picture.screen)
    defer { file.remove() }
    let output = try GuestProcess(words: words + [file.path], limits: Self.limits(seconds)).run([])
    guard let reply = try? JSONDecoder().decode(Reply.self, from: Data(output)) else {
      throw PracticeError(
        .failed, "the check's program '\(words[0])' printed what is no answer",
        hint:
          #"It prints {"remark": true, "value": 0.8, "message": "…"}, of which everything but "remark" may be missing."#
      )
    }
    let message = reply.message.map {
      String($0.unicodeScalars.filter { $0.value >= 0x20 }.map(Character.init)).prefix(200)
    }
    return PhotoFinding(
      check: name, isRemark: reply.remark, value: reply.value.flatMap { $0.isFinite ? $0 : nil },
      message: message.map(String.init))
  }
}
