public import Clinical

/// Counts by week, each by one pass over the file. Weeks are numbered by their place in what is asked for; they don't overlap.
public struct WeekCounts {
  let connection: Connection

  public init(connection: Connection) {
    self.connection = connection
  }

  /// What is booked with one clinician in one week.
  public struct Load: Sendable {
    public let week: Int
    /// A row of the staff.
    public let clinician: Int64
    public let visits: Int
    public let minutes: Int
  }

  /// The weeks as a table: SQLite knows no arrays, but JSON.
  private static let weeks = """
    WITH week (number, first, last) AS (
      SELECT key, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?)
    )
    """

  private static func json(_ spans: [Range<Timestamp>]) -> String {
    "[\(spans.map { "[\($0.lowerBound.seconds),\($0.upperBound.seconds)]" }.joined(separator: ","))]"
  }

  private static let within = "visit.start_at >= week.first AND visit.start_at < week.last"

  /// Visits that are to be or were, with the minutes that they take of their clinician.
  public func loads(in spans: [Range<Timestamp>]) throws(StoreError) -> [Load] {
    try connection.rows(
      """
      \(Self.weeks)
      SELECT week.number, visit.clinician_id, count(*), sum(visit.duration_minutes
        + ifnull(wish.travel_before_minutes, 0) + ifnull(wish.travel_after_minutes, 0))
      FROM week CROSS JOIN appointment AS visit ON \(Self.within)
      LEFT JOIN appointment_option AS wish ON wish.appointment_id = visit.id
      WHERE visit.clinician_id IS NOT NULL AND visit.status IN ('booked', 'arrived', 'in_progress', 'done')
      GROUP BY week.number, visit.clinician_id
      """, Self.json(spans)
    ) { Load(week: $0.int(0), clinician: $0.int64(1), visits: $0.int(2), minutes: $0.int(3)) }
  }

  /// Visits that are over, whose actual length was put down, against their planned one.
  public func overruns(in spans: [Range<Timestamp>]) throws(StoreError) -> [(
    week: Int, visits: Int, over: Int, minutesOver: Double, minutesDifference: Double
  )] {
    try connection.rows(
      """
      \(Self.weeks)
      SELECT week.number, count(*), sum(visit.actual_minutes > visit.duration_minutes),
        sum(max(0.0, visit.actual_minutes - visit.duration_minutes)),
        sum(visit.actual_minutes - visit.duration_minutes)
      FROM week CROSS JOIN appointment AS visit ON \(Self.within)
      WHERE visit.status = 'done' AND visit.actual_minutes > 0 AND visit.duration_minutes > 0
      GROUP BY week.number
      """, Self.json(spans)
    ) { ($0.int(0), $0.int(1), $0.int(2), $0.double(3), $0.double(4)) }
  }

  /// Levels with which visits were booked.
  public func bookedLevels(in spans: [Range<Timestamp>]) throws(StoreError) -> [(week: Int, level: String, count: Int)]
  {
    try connection.rows(
      """
      \(Self.weeks)
      SELECT week.number, wish.urgency, count(*)
      FROM week CROSS JOIN appointment AS visit ON \(Self.within)
      JOIN appointment_option AS wish ON wish.appointment_id = visit.id
      WHERE wish.urgency IS NOT NULL AND visit.status NOT IN ('cancelled', 'requested')
      GROUP BY week.number, wish.urgency
      """, Self.json(spans)
    ) { ($0.int(0), $0.text(1), $0.int(2)) }
  }

  /// Levels of assessments that were kept: the program's, or a person's where somebody gave one. Of an intake on file the last counts
  /// alone, a person's before the program's; others have nothing that says which are of one case.
  public func keptLevels(in spans: [Range<Timestamp>]) throws(StoreError) -> [(week: Int, level: String, count: Int)] {
    try connection.rows(
      """
      \(Self.weeks)
      SELECT number, level, count(*)
      FROM (
        SELECT week.number AS number, CASE kept.kind
          WHEN 'triage' THEN json_extract(kept.result, '$.urgency')
          ELSE json_extract(kept.result, '$.labels.urgency') END AS level
        FROM assessment AS kept CROSS JOIN week ON kept.created_at >= week.first AND kept.created_at < week.last
        WHERE kept.kind IN ('triage', 'triage override') AND NOT EXISTS (
          SELECT 1 FROM assessment AS other
          WHERE other.intake_id = kept.intake_id AND other.kind IN ('triage', 'triage override')
            AND (other.kind = 'triage override', other.created_at, other.id)
              > (kept.kind = 'triage override', kept.created_at, kept.id)))
      WHERE level IS NOT NULL
      GROUP BY number, level
      """, Self.json(spans)
    ) { ($0.int(0), $0.text(1), $0.int(2)) }
  }

  /// Appointments, and those that were called off or to which nobody came.
  public func attendance(in spans: [Range<Timestamp>]) throws(StoreError) -> [(
    week: Int, appointments: Int, noShows: Int, cancelled: Int
  )] {
    try connection.rows(
      """
      \(Self.weeks)
      SELECT week.number, count(*), sum(visit.status = 'no_show'), sum(visit.status = 'cancelled')
      FROM week CROSS JOIN appointment AS visit ON \(Self.within)
      WHERE visit.status <> 'requested' AND visit.patient_id IS NOT NULL
      GROUP BY week.number
      """, Self.json(spans)
    ) { ($0.int(0), $0.int(1), $0.int(2), $0.int(3)) }
  }
}
