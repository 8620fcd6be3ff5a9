/// A scheduling problem: who works when, which rooms there are, and which visits want a place. Schema `vetnet-sched-1`.
///
/// Time is a grid of slots counted from 0; slot `t` of a practice day is `day × dayLength + k`. All money is in 1/100
/// point. An instance is valid by construction: indices point somewhere, ranges are in order, costs are not negative.
/// Whether the pinned jobs can stand together is for ``Solver`` to find out.
public struct Instance: Hashable, Sendable {
  public static let schema = "vetnet-sched-1"

  /// Slots after the last day that hold nothing but room cleaning.
  static let tail = 100

  public let name: String
  /// The seed a generated instance was made from; 0 where there is none.
  public let seed: Int
  public let slotMinutes: Int
  /// Slots from the start of one day to the start of the next, closed ones at the end included.
  public let dayLength: Int
  public let openSlots: Int
  public let days: Int
  /// The quantile of a visit's predicted duration that the plan reserves, 0...1.
  public let planQuantile: Double
  public let balance: Balance
  public let pools: [Pool]
  public let vets: [Vet]
  public let jobs: [Job]

  /// - Throws: ``SchedulingError`` that names the first field found wrong.
  public init(
    name: String, seed: Int = 0, slotMinutes: Int = 5, dayLength: Int, openSlots: Int, days: Int,
    planQuantile: Double = 0.7, balance: Balance, pools: [Pool], vets: [Vet], jobs: [Job]
  ) throws(SchedulingError) {
    self.name = name
    self.seed = seed
    self.slotMinutes = slotMinutes
    self.dayLength = dayLength
    self.openSlots = openSlots
    self.days = days
    self.planQuantile = planQuantile
    self.balance = balance
    self.pools = pools
    self.vets = vets
    self.jobs = jobs
    try validate()
  }

  /// Slots in which somebody may work.
  public var slots: Int { dayLength * days }

  /// Slots in which something may be occupied, cleaning after the last day included.
  var horizon: Int { slots + Self.tail }
}

extension Instance {
  /// What a slot of work beyond a vet's thresholds costs: `c1` from `t1` on, `c2` more from `t2` on.
  public struct Balance: Hashable, Codable, Sendable {
    public let c1: Int
    public let c2: Int

    public init(c1: Int, c2: Int) {
      self.c1 = c1
      self.c2 = c2
    }
  }

  /// Rooms or equipment that can stand in for one another.
  public struct Pool: Hashable, Codable, Sendable {
    private enum CodingKeys: String, CodingKey {
      case id
      case capacity = "cap"
      case cleaning = "clean"
    }

    public let id: String
    public let capacity: Int
    /// Slots a unit stays occupied after a visit.
    public let cleaning: Int

    public init(id: String, capacity: Int, cleaning: Int) {
      self.id = id
      self.capacity = capacity
      self.cleaning = cleaning
    }
  }

  /// A pause of `length` slots that may begin anywhere in `start`; every pause has to be placed.
  public struct Break: Hashable, Sendable {
    public let length: Int
    public let start: ClosedRange<Int>

    public init(length: Int, start: ClosedRange<Int>) {
      self.length = length
      self.start = start
    }

    /// Every slot the pause may touch.
    var reach: Range<Int> { start.lowerBound..<(start.upperBound + length) }
  }

  public struct Vet: Hashable, Sendable {
    public let id: String
    /// Above 1 is slower than predicted.
    public let speed: Double
    public let skills: [String: Double]
    /// Stretches of work; a visit lies inside one of them.
    public let available: [Range<Int>]
    public let breaks: [Break]
    /// Slots of work beyond which ``Balance/c1`` and ``Balance/c2`` apply.
    public let t1: Int
    public let t2: Int

    public init(
      id: String, speed: Double = 1, skills: [String: Double] = [:], available: [Range<Int>], breaks: [Break] = [],
      t1: Int, t2: Int
    ) {
      self.id = id
      self.speed = speed
      self.skills = skills
      self.available = available
      self.breaks = breaks
      self.t1 = t1
      self.t2 = t2
    }
  }

  /// Somebody who may take a job: how well they fit it, how long they need, what the fit is worth.
  public struct Candidate: Hashable, Sendable {
    public let vet: Int
    /// 0...1
    public let match: Double
    public let slots: Int
    public let bonus: Int

    public init(vet: Int, match: Double, slots: Int, bonus: Int) {
      self.vet = vet
      self.match = match
      self.slots = slots
      self.bonus = bonus
    }
  }

  /// The job starts no sooner than `lag` slots after the end of job `job`, which has to be placed too.
  public struct Predecessor: Hashable, Sendable {
    public let job: Int
    public let lag: Int

    public init(job: Int, lag: Int) {
      self.job = job
      self.lag = lag
    }
  }
}
