/// What a visit is for. The built-in words are the contract's; a practice may add its own, so this is not an enum.
public struct VisitType: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let standardConsult = Self(rawValue: "standard consult")
  public static let vaccination = Self(rawValue: "vaccination")
  public static let puppyOrKittenVisit = Self(rawValue: "puppy/kitten visit")
  public static let nurseClinic = Self(rawValue: "nurse clinic")
  public static let recheck = Self(rawValue: "recheck")
  public static let multiProblemOrSenior = Self(rawValue: "multi-problem/senior")
  public static let dermatologyWorkUp = Self(rawValue: "dermatology work-up")
  public static let behaviour = Self(rawValue: "behaviour")
  public static let ophthalmic = Self(rawValue: "ophthalmic")
  public static let orthopaedicWorkUp = Self(rawValue: "orthopaedic work-up")
  public static let exoticConsult = Self(rawValue: "exotic consult")
  public static let euthanasia = Self(rawValue: "euthanasia")
  public static let emergency = Self(rawValue: "emergency")
  public static let surgery = Self(rawValue: "surgery")
  public static let dental = Self(rawValue: "dental")
  public static let imaging = Self(rawValue: "imaging")
  public static let medicalWorkUp = Self(rawValue: "medical work-up")
  public static let repeatPrescription = Self(rawValue: "repeat prescription")

  public static let builtIn: [VisitType] = [
    .standardConsult, .vaccination, .puppyOrKittenVisit, .nurseClinic, .recheck, .multiProblemOrSenior,
    .dermatologyWorkUp, .behaviour, .ophthalmic, .orthopaedicWorkUp, .exoticConsult, .euthanasia, .emergency, .surgery,
    .dental, .imaging, .medicalWorkUp, .repeatPrescription,
  ]
}

/// A field of veterinary work to which a case can be routed. The words are the contract's.
public struct Specialty: RawRepresentable, Hashable, Sendable, Codable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let emergency = Self(rawValue: "emergency")
  public static let internalMedicine = Self(rawValue: "internal medicine")
  public static let cardiology = Self(rawValue: "cardiology")
  public static let neurology = Self(rawValue: "neurology")
  public static let softTissueSurgery = Self(rawValue: "soft tissue surgery")
  public static let orthopaedics = Self(rawValue: "orthopaedics")
  public static let ophthalmology = Self(rawValue: "ophthalmology")
  public static let dermatology = Self(rawValue: "dermatology")
  public static let oncology = Self(rawValue: "oncology")
  public static let dentistry = Self(rawValue: "dentistry")
  public static let exotics = Self(rawValue: "exotics")
  public static let behaviour = Self(rawValue: "behaviour")
  public static let reproduction = Self(rawValue: "reproduction")
  public static let anaesthesia = Self(rawValue: "anaesthesia")
  public static let imaging = Self(rawValue: "imaging")
  public static let generalPractice = Self(rawValue: "general practice")
  public static let equine = Self(rawValue: "equine")

  public static let all: [Specialty] = [
    .emergency, .internalMedicine, .cardiology, .neurology, .softTissueSurgery, .orthopaedics, .ophthalmology,
    .dermatology, .oncology, .dentistry, .exotics, .behaviour, .reproduction, .anaesthesia, .imaging, .generalPractice,
    .equine,
  ]
}
