public import Clinical

extension AppointmentOptions {
  /// In words; `brief` leaves out what a table shows beside them.
  public func words(in zone: PracticeTimeZone, brief: Bool = false) -> String {
    var parts: [String] = []
    if keepsTime { parts.append("keeps time") }
    if keepsClinician { parts.append("keeps vet") }
    if keepsRooms { parts.append("keeps room") }
    if let window {
      parts.append("owner \(zone.describe(window.lowerBound)) to \(zone.describe(window.upperBound))")
    }
    if let id = afterID {
      parts.append("after \(id)\(lagMinutes > 0 ? " + \(lagMinutes) min" : "")")
    }
    if travelBefore + travelAfter > 0 {
      parts.append("travel \(travelBefore) + \(travelAfter) min")
    }
    if let id = locationID { parts.append("at \(id)") }
    if let urgency, !brief { parts.append("triaged \(urgency.rawValue)") }
    return parts.isEmpty && !brief ? "no limits" : parts.joined(separator: ", ")
  }
}
