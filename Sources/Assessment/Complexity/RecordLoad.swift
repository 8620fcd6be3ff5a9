/// How much there is to a patient, counted from the last year of its record and from the words that announce the visit.
public struct RecordLoad: Hashable, Sendable {
  /// What is counted without being named.
  public struct Counts: Hashable, Sendable {
    /// Drugs that were begun and stopped, declined or not given.
    public var endedTreatments = 0
    public var abnormalLabs = 0
    public var labValues = 0
    public var pendingResults = 0
    public var ownerDecisions = 0
    public var allergies = 0
    public var notes = 0
    public var referrals = 0
  }

  /// Drugs in use, by name.
  public var drugs: [String] = []
  /// Problems that are there or suspected, by name.
  public var problems: [String] = []
  public var chronicProblems: [String] = []
  public var signs: [String] = []
  /// Body systems of the problems and signs.
  public var systems: [String] = []
  public var counts = Counts()

  public init() {}
}
