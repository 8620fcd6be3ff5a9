/// A request for care in the words it arrived in: a phone call, a web form, a referral letter.
public struct Intake: Hashable, Sendable, Codable {
  public var id: String
  public var patientID: String?
  public var receivedAt: Timestamp?
  public var channel: String?
  public var species: Species?
  public var breed: String?
  /// As given: "4y", "12 weeks", "old".
  public var age: String?
  public var sex: Sex
  public var weightKilograms: Double?
  public var text: String

  public init(
    id: String, patientID: String? = nil, receivedAt: Timestamp? = nil, channel: String? = nil, species: Species? = nil,
    breed: String? = nil, age: String? = nil, sex: Sex = .unknown, weightKilograms: Double? = nil, text: String
  ) {
    self.id = id
    self.patientID = patientID
    self.receivedAt = receivedAt
    self.channel = channel
    self.species = species
    self.breed = breed
    self.age = age
    self.sex = sex
    self.weightKilograms = weightKilograms
    self.text = text
  }
}
