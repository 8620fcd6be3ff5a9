package import Clinical
import Foundation

// Codes that FHIR prescribes, and what they are here.

/// Sex and neutering, which FHIR keeps in two places.
struct FHIRSex {
  static let animalURL = "http://hl7.org/fhir/StructureDefinition/patient-animal"
  static let statusSystem = "http://hl7.org/fhir/animal-genderstatus"

  let gender: String
  let status: String

  init(_ sex: Sex) {
    switch sex {
    case .maleNeutered: (gender, status) = ("male", "neutered")
    case .femaleSpayed: (gender, status) = ("female", "neutered")
    case .male: (gender, status) = ("male", "intact")
    case .female: (gender, status) = ("female", "intact")
    case .unknown: (gender, status) = ("unknown", "unknown")
    }
  }

  /// The import format's word for what the two say; nil where they say nothing.
  static func word(gender: String?, status: String?) -> String? {
    switch (gender, status) {
    case ("male", "neutered"): "MN"
    case ("female", "neutered"): "FS"
    case ("male", _): "M"
    case ("female", _): "F"
    case ("unknown", _), ("other", _): "unknown"
    default: nil
    }
  }
}

/// How an appointment stands.
struct FHIRAppointmentStatus {
  let code: String
  /// VetNet's own word where FHIR's says less.
  let exact: String?

  init(_ status: Appointment.Status) {
    switch status {
    case .requested: (code, exact) = ("proposed", nil)
    case .booked: (code, exact) = ("booked", nil)
    case .arrived: (code, exact) = ("arrived", nil)
    case .inProgress: (code, exact) = ("arrived", status.rawValue)
    case .done: (code, exact) = ("fulfilled", nil)
    case .cancelled: (code, exact) = ("cancelled", nil)
    case .noShow: (code, exact) = ("noshow", nil)
    }
  }

  /// Nil for a code that FHIR doesn't have.
  static func word(_ code: String) -> String? {
    let status: Appointment.Status? =
      switch code {
      case "proposed", "pending", "waitlist": .requested
      case "booked": .booked
      case "arrived", "checked-in": .arrived
      case "fulfilled": .done
      case "cancelled", "entered-in-error": .cancelled
      case "noshow": .noShow
      default: nil
      }
    return status?.rawValue
  }
}

/// Days and times of day.
enum FHIRWeek {
  /// From Monday on.
  static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  /// A time of day; FHIR's day ends a second before midnight.
  static func time(_ minute: Int) -> String { minute >= 1440 ? "23:59:59" : "\(clock(minute)):00" }

  /// As the import format writes it.
  static func clockText(_ time: String) -> String { time == "23:59:59" ? "24:00" : String(time.prefix(5)) }
}

extension FHIRIdentity {
  /// A word as FHIR allows codes: without spaces.
  static func code(_ word: String) -> String { word.replacing(" ", with: "-") }
}

/// Bytes as text (RFC 4648).
enum Base64 {
  static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// Nil for what is no Base64; white space is passed over.
  static func decode(_ text: String) -> [UInt8]? {
    let digits = text.utf8.filter { !isJSONSpace($0) }
    return Data(base64Encoded: Data(digits)).map { [UInt8]($0) }
  }
}
