/// What comes to a practice, as shares and sizes: the raw material of ``InstanceGenerator``.
///
/// Figures are rounded from planning days and weeks of referral practices with 4 to 20 clinicians.
enum CaseMix {
  struct Urgency {
    let name: String
    /// Weight in 1/100 point.
    let weight: Int
    /// Share of the visits of a single day, and of a week: the further ahead, the more is booked.
    let dayShare: Double
    let weekShare: Double
    /// Slots from arrival to the target, and to the latest start.
    let target: Int
    let latest: Int
    /// Costs of a slot late, and past the target.
    let l: Int
    let l2: Int
  }

  /// Most urgent first; ``booked`` stands apart.
  static let urgencies = [
    Urgency(name: "red", weight: 100_000, dayShare: 0.015, weekShare: 0.008, target: 0, latest: 6, l: 0, l2: 5833),
    Urgency(name: "orange", weight: 40_000, dayShare: 0.07, weekShare: 0.023, target: 3, latest: 12, l: 800, l2: 489),
    Urgency(name: "yellow", weight: 16_000, dayShare: 0.13, weekShare: 0.065, target: 9, latest: 24, l: 107, l2: 202),
    Urgency(name: "green", weight: 8000, dayShare: 0.22, weekShare: 0.12, target: 24, latest: 60, l: 20, l2: 44),
    Urgency(name: "blue", weight: 5000, dayShare: 0.165, weekShare: 0.16, target: 48, latest: 96, l: 6, l2: 24),
  ]

  static let bookedWeight = 4000

  /// Cost of a slot off the wished time, either way.
  static func bookedCost(days: Int) -> Int { days == 1 ? 11 : 3 }

  struct Specialty {
    let name: String
    let dayShare: Double
    let weekShare: Double
    /// Median minutes at complexity 1.
    let minutes: Double
    let sigma: Double
    /// Ways to use pools, each with its share.
    let uses: [(share: Double, pools: [Int])]
    /// Whether booked visits come in the morning, as for anaesthesia.
    let isMorningWork: Bool
  }

  // Pools by number.
  static let consult = 0
  static let surgery = 1
  static let imaging = 2
  static let dental = 3
  static let isolation = 4
  static let ultrasound = 5
  static let endoscope = 6
  static let anaesthesia = 7

  static let specialties = [
    specialty(
      "general", 0.25, 0.24, 14.5, 0.3, [(0.92, [consult]), (0.04, [isolation]), (0.04, [consult, ultrasound])]),
    specialty("surgery", 0.10, 0.14, 62, 0.35, [(1, [surgery, anaesthesia])], isMorningWork: true),
    specialty(
      "internal", 0.18, 0.135, 32, 0.4,
      [
        (0.53, [consult]), (0.29, [consult, ultrasound]), (0.15, [surgery, endoscope, anaesthesia]),
        (0.03, [isolation, ultrasound]),
      ]),
    specialty("imaging", 0.13, 0.115, 26, 0.25, [(0.6, [imaging]), (0.4, [imaging, anaesthesia])]),
    specialty("dentistry", 0.065, 0.095, 45, 0.35, [(1, [dental, anaesthesia])], isMorningWork: true),
    specialty("cardiology", 0.055, 0.07, 31, 0.25, [(0.97, [consult, ultrasound]), (0.03, [isolation, ultrasound])]),
    specialty("dermatology", 0.06, 0.07, 22.5, 0.25, [(0.97, [consult]), (0.03, [isolation])]),
    specialty("ophthalmology", 0.055, 0.06, 21, 0.3, [(0.95, [consult]), (0.05, [isolation])]),
    specialty("exotics", 0.05, 0.045, 23, 0.35, [(0.98, [consult]), (0.02, [isolation])]),
    specialty(
      "emergency", 0.055, 0.03, 28, 0.5,
      [(0.6, [consult]), (0.3, [consult, ultrasound]), (0.1, [consult, anaesthesia])]),
  ]

  private static func specialty(
    _ name: String, _ dayShare: Double, _ weekShare: Double, _ minutes: Double, _ sigma: Double,
    _ uses: [(share: Double, pools: [Int])], isMorningWork: Bool = false
  ) -> Specialty {
    Specialty(
      name: name, dayShare: dayShare, weekShare: weekShare, minutes: minutes, sigma: sigma,
      uses: uses, isMorningWork: isMorningWork)
  }

  /// Share of each complexity level, 1 to 5.
  static let complexityShares = [0.15, 0.32, 0.31, 0.145, 0.075]
  /// How much longer each level takes than the one below, as a share of level 1.
  static let minutesPerLevel = 0.11

  /// The least match at which a clinician may take a case of a complexity.
  static func leastMatch(complexity: Int) -> Double { [0.4, 0.4, 0.4, 0.5, 0.6][complexity - 1] }

  /// Working stretches of a day with their shares; those of 102 slots hold a break.
  static let shifts: [(share: Double, slots: Range<Int>)] = [
    (0.46, 12..<114), (0.22, 42..<144), (0.22, 0..<102), (0.03, 0..<60), (0.07, 78..<144),
  ]

  static func pools(vets: Int) -> [Instance.Pool] {
    func share(_ part: Double, atLeast least: Int = 1) -> Int { max(least, Int((Double(vets) * part).rounded())) }
    return [
      .init(id: "consult", capacity: share(0.62, atLeast: min(vets, 4)), cleaning: 1),
      .init(id: "surgery", capacity: share(0.17), cleaning: 3),
      .init(id: "imaging", capacity: share(0.12), cleaning: 1),
      .init(id: "dental", capacity: share(0.1), cleaning: 2),
      .init(id: "isolation", capacity: 1, cleaning: 6),
      .init(id: "ultrasound", capacity: share(0.15), cleaning: 0),
      .init(id: "endoscope", capacity: 1, cleaning: 2),
      .init(id: "anaesthesia", capacity: share(0.22, atLeast: 2), cleaning: 0),
    ]
  }
}
