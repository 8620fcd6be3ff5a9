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
  /// The one to ring first stands first.
  public var phones: [ClientPhone]
  public var email: String?
  public var address: String?

  public init(id: String, name: String, phones: [ClientPhone], email: String? = nil, address: String? = nil) {
    self.id = id
    self.name = name
    self.phones = phones
    self.email = email
    self.address = address
  }

  public init(id: String, name: String, phone: String? = nil, email: String? = nil, address: String? = nil) {
    self.init(id: id, name: name, phones: phone.map { [ClientPhone($0)] } ?? [], email: email, address: address)
  }

  /// The number to ring first; setting it to nil leaves no number at all.
  public var phone: String? {
    get { phones.first?.number }
    set {
      guard let newValue else { return phones = [] }
      if phones.isEmpty { phones = [ClientPhone(newValue)] } else { phones[0].number = newValue }
    }
  }
}

/// A telephone number as somebody wrote it, and which of a person's it is.
public struct ClientPhone: Hashable, Sendable {
  /// As the source calls it, such as "Mobile"; nil where it only says that it is the telephone.
  public var label: String?
  public var number: String

  public init(_ number: String, label: String? = nil) {
    self.label = label
    self.number = number
  }
}
