public import Clinical

extension DurationLearner {
  /// Fewer finished visits say less than the priors.
  static let leastVisits = 20
  /// Longer texts are messages, not the reason of a visit as a diary has it.
  private static let longestReason = 12

  /// Whether it has seen enough visits to be asked.
  public var isTaught: Bool { visitCount >= Self.leastVisits }

  /// What of a text is like the reasons that visits have in a diary: all of a short one, nothing of a message.
  static func reason(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).count <= longestReason ? text : ""
  }

  /// A finished visit as the learner takes it. What was booked is left out: it is not known when a length is asked for.
  ///
  /// - Parameters:
  ///   - appointment: with its type, clinician and reason.
  ///   - patient: for species and age; nil where nobody knows.
  ///   - date: of the visit.
  /// - Returns: what was known before the visit.
  public static func input(_ appointment: Appointment, patient: Patient?, on date: CalendarDate) -> DurationInput {
    DurationInput(
      visitType: appointment.visitType?.rawValue, clinicianID: appointment.clinicianID,
      species: patient?.species.rawValue, ageYears: patient?.ageInDays(on: date).map { Double($0) / 365.25 },
      text: reason(appointment.reason ?? ""))
  }

  /// All that was learned, as bytes for ``init(model:parameters:snapshot:)``. Equal learners give equal bytes.
  public var snapshot: [UInt8] {
    var writer = SnapshotWriter()
    writer.add("durations 1")
    writer.add(visitCount)
    writer.add(places.count)
    for (name, place) in places.sorted(by: { $0.value < $1.value }) {
      writer.add(name)
      writer.add(place)
    }
    writer.add(wordCounts.count)
    for (word, count) in wordCounts.sorted(by: { $0.key < $1.key }) {
      writer.add(word)
      writer.add(count)
    }
    writer.add(noise.count)
    for (type, entry) in noise.sorted(by: { $0.key < $1.key }) {
      writer.add(type)
      writer.add(entry.weight)
      writer.add(entry.ratio)
    }
    residuals.write(to: &writer)
    state.write(to: &writer)
    return writer.bytes
  }

  /// A learner as it was when its snapshot was taken; nil when the bytes are of another form.
  ///
  /// - Parameters:
  ///   - model: of the same priors.
  ///   - parameters: the same ones.
  ///   - snapshot: from ``snapshot``.
  public init?(model: DurationModel, parameters: Parameters, snapshot: [UInt8]) {
    self.init(model: model, parameters: parameters)
    var reader = SnapshotReader(snapshot)
    guard reader.text() == "durations 1", let visits = reader.count(limit: .max),
      let effects = reader.count(limit: 10_000)
    else { return nil }
    visitCount = visits
    for _ in 0..<effects {
      guard let name = reader.text(), let place = reader.count(limit: effects - 1) else { return nil }
      places[name] = place
    }
    guard let words = reader.count(limit: 10_000_000) else { return nil }
    for _ in 0..<words {
      guard let word = reader.text(), let count = reader.integer() else { return nil }
      wordCounts[word] = count
    }
    guard let types = reader.count(limit: 100_000) else { return nil }
    for _ in 0..<types {
      guard let type = reader.text(), let weight = reader.number(), let ratio = reader.number() else { return nil }
      noise[type] = (weight, ratio)
    }
    guard let residuals = ResidualQuantiles(weight: parameters.quantileWeight, &reader),
      let state = KalmanState(&reader), state.count == effects, reader.isAtEnd
    else { return nil }
    self.residuals = residuals
    self.state = state
  }
}
