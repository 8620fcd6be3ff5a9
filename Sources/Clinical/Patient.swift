/// An animal under the practice's care.
///
/// Everything but the name may be missing: records from elsewhere are rarely whole, and unknown is not normal.
public struct Patient: Hashable, Sendable {
  /// The id under which commands and files know the patient, as text.
  public var id: String
  public var name: String
  public var species: Species
  public var breed: String?
  public var sex: Sex
  public var dateOfBirth: CalendarDate?
  public var deceasedAt: CalendarDate?
  /// As registered, in kilograms; notes may know better.
  public var weightKilograms: Double?
  public var ownerID: String?
  public var ownerName: String?
  public var microchip: String?

  public init(
    id: String, name: String, species: Species, breed: String? = nil, sex: Sex = .unknown,
    dateOfBirth: CalendarDate? = nil, deceasedAt: CalendarDate? = nil, weightKilograms: Double? = nil,
    ownerID: String? = nil, ownerName: String? = nil, microchip: String? = nil
  ) {
    self.id = id
    self.name = name
    self.species = species
    self.breed = breed
    self.sex = sex
    self.dateOfBirth = dateOfBirth
    self.deceasedAt = deceasedAt
    self.weightKilograms = weightKilograms
    self.ownerID = ownerID
    self.ownerName = ownerName
    self.microchip = microchip
  }

  /// Age in days on `date`; nil without a date of birth, or with one after `date`.
  public func ageInDays(on date: CalendarDate) -> Int? {
    guard let dateOfBirth, dateOfBirth <= date else { return nil }
    return date.daysSince1970 - dateOfBirth.daysSince1970
  }
}

/// Somebody who owns or brings animals.
public struct Client: Hashable, Sendable {
  public var id: String
  public var name: String
  public var phone: String?
  public var email: String?
  public var address: String?

  public init(id: String, name: String, phone: String? = nil, email: String? = nil, address: String? = nil) {
    self.id = id
    self.name = name
    self.phone = phone
    self.email = email
    self.address = address
  }
}
