extension Instance {
  /// A visit that wants a place, or, pinned, has one that can't change.
  public struct Job: Hashable, Sendable {
    public let id: String
    /// `red` … `blue`, or `book` for a visit with a wished time; for people, the numbers below are what counts.
    public let urgency: String
    public let specialty: String
    /// Complexity level, 1...4; 0 where unknown.
    public let complexity: Int
    /// Median of the predicted duration in minutes.
    public let p50: Double
    /// Standard deviation of the logarithm of the duration.
    public let sigma: Double
    public let patient: String
    /// The first slot at which the patient is there.
    public let release: Int
    /// Ranges of allowed starts.
    public let windows: [ClosedRange<Int>]
    /// The pools of which the job needs one unit each.
    public let pools: [Int]
    /// Earned by being placed at all.
    public let base: Int
    /// The best start: arrival, or the wished time.
    public let p: Int
    /// The start from which lateness costs ``l2`` more a slot.
    public let q: Int
    /// Cost of a slot before ``p``.
    public let e: Int
    /// Cost of a slot after ``p``.
    public let l: Int
    /// Further cost of a slot after ``q``.
    public let l2: Int
    /// The vet who knows the patient, or -1.
    public let preferredVet: Int
    public let after: Predecessor?
    /// A pinned job earns nothing and moves nowhere, but works and occupies.
    public let pin: Placement?
    public let candidates: [Candidate]

    public init(
      id: String, urgency: String, specialty: String = "", complexity: Int = 0, p50: Double = 0, sigma: Double = 0,
      patient: String = "", release: Int = 0, windows: [ClosedRange<Int>], pools: [Int] = [], base: Int, p: Int, q: Int,
      e: Int, l: Int, l2: Int, preferredVet: Int = -1, after: Predecessor? = nil, pin: Placement? = nil,
      candidates: [Candidate]
    ) {
      self.id = id
      self.urgency = urgency
      self.specialty = specialty
      self.complexity = complexity
      self.p50 = p50
      self.sigma = sigma
      self.patient = patient
      self.release = release
      self.windows = windows
      self.pools = pools
      self.base = base
      self.p = p
      self.q = q
      self.e = e
      self.l = l
      self.l2 = l2
      self.preferredVet = preferredVet
      self.after = after
      self.pin = pin
      self.candidates = candidates
    }

    func candidate(_ vet: Int) -> Candidate? { candidates.first { $0.vet == vet } }

    /// What starting at `start` costs.
    ///
    /// - Formula: `e·(p − s)⁺ + l·(s − p)⁺ + l2·(s − q)⁺`, convex in `s` because no cost is negative.
    func timeCost(at start: Int) -> Int {
      e * max(0, p - start) + l * max(0, start - p) + l2 * max(0, start - q)
    }

    /// A start of least cost, were everything free.
    var idealStart: Int { q < p && l2 > e ? q : p }
  }
}

/// Who, and from which slot on.
public struct Placement: Hashable, Sendable {
  public let vet: Int
  public let start: Int

  public init(vet: Int, start: Int) {
    self.vet = vet
    self.start = start
  }
}

extension Placement: Codable {
  /// As `[vet, start]`.
  public init(from decoder: any Decoder) throws {
    var pair = try decoder.unkeyedContainer()
    vet = try pair.decode(Int.self)
    start = try pair.decode(Int.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var pair = encoder.unkeyedContainer()
    try pair.encode(vet)
    try pair.encode(start)
  }
}
