import Clinical

/// Who has which slot: the only code that writes the tables `clinician_slot` and `resource_slot`.
///
/// To be used under the write lock: it looks first, so that it can say who is in the way, and then writes. Were the
/// lock missing, the tables' keys would still refuse the second of two.
struct SlotLedger {
  let connection: Connection

  struct Claim {
    var appointment: Int64
    var clinician: Int64?
    /// Without repetitions.
    var resources: [Int64]
    var start: Timestamp
    var minutes: Int
  }

  /// Gives an appointment all the slots it needs, or none.
  ///
  /// - Returns: what is in the way; nil when it has its slots now.
  func take(_ claim: Claim) throws(StoreError) -> SlotTaken? {
    let slots = try slotsWithTravel(claim.appointment, claim.start, claim.minutes)
    if let clinician = claim.clinician, let taken = try clinicianTaken(clinician, slots) { return taken }
    var units: [(resource: Int64, unit: Int64, slots: Range<Int64>)] = []
    for resource in claim.resources {
      let slots = try slotsWithCleaning(resource, claim.start, claim.minutes)
      guard let unit = try freeUnit(of: resource, slots) else { return try resourceTaken(resource, slots) }
      units.append((resource, unit, slots))
    }

    if let clinician = claim.clinician {
      for slot in slots {
        try connection.execute(
          "INSERT INTO clinician_slot (clinician_id, slot, appointment_id) VALUES (?, ?, ?)",
          clinician, slot, claim.appointment)
      }
    }
    for (resource, unit, slots) in units {
      try connection.execute(
        "INSERT INTO appointment_resource (appointment_id, resource_id, unit) VALUES (?, ?, ?)",
        claim.appointment, resource, unit)
      for slot in slots {
        try connection.execute(
          "INSERT INTO resource_slot (resource_id, unit, slot, appointment_id) VALUES (?, ?, ?, ?)",
          resource, unit, slot, claim.appointment)
      }
    }
    return nil
  }

  /// Notes which resources an appointment is meant to have, without giving it any.
  func list(_ resources: [Int64], for appointment: Int64) throws(StoreError) {
    for resource in resources {
      try connection.execute(
        "INSERT INTO appointment_resource (appointment_id, resource_id) VALUES (?, ?)", appointment, resource)
    }
  }

  /// Takes everything away from an appointment: slots, resources, and the note that it is in conflict.
  func release(_ appointment: Int64) throws(StoreError) {
    for table in ["clinician_slot", "resource_slot", "appointment_resource", "appointment_conflict"] {
      try connection.execute("DELETE FROM \(table) WHERE appointment_id = ?", appointment)
    }
  }

  /// What a clinician is occupied for: the appointment, and the way there and back.
  func slotsWithTravel(_ appointment: Int64, _ start: Timestamp, _ minutes: Int) throws(StoreError) -> Range<Int64> {
    let travel = try connection.first(
      "SELECT travel_before_minutes, travel_after_minutes FROM appointment_option WHERE appointment_id = ?",
      appointment, read: { (before: $0.int(0), after: $0.int(1)) })
    guard let travel, minutes > 0 else { return TimeSlots.slots(from: start, minutes: minutes) }
    return TimeSlots.slots(
      from: start.adding(minutes: -travel.before), minutes: travel.before + minutes + travel.after)
  }

  /// What a resource is occupied for: the appointment and the cleaning after it.
  func slotsWithCleaning(_ resource: Int64, _ start: Timestamp, _ minutes: Int) throws(StoreError) -> Range<Int64> {
    let cleaning = try connection.number("SELECT cleaning_minutes FROM resource WHERE id = ?", resource)
    return TimeSlots.slots(from: start, minutes: minutes == 0 ? 0 : minutes + Int(cleaning))
  }

  /// The first unit of a resource that is free in all the slots.
  ///
  /// - Complexity: O(capacity × log booked slots).
  func freeUnit(of resource: Int64, _ slots: Range<Int64>) throws(StoreError) -> Int64? {
    let capacity = try connection.number("SELECT capacity FROM resource WHERE id = ?", resource)
    for unit in stride(from: 1, through: capacity, by: 1) {
      let isTaken = try connection.exists(
        "SELECT 1 FROM resource_slot WHERE resource_id = ? AND unit = ? AND slot >= ? AND slot < ?",
        resource, unit, slots.lowerBound, slots.upperBound)
      if !isTaken { return unit }
    }
    return nil
  }

  func clinicianTaken(_ clinician: Int64, _ slots: Range<Int64>) throws(StoreError) -> SlotTaken? {
    let taken = try connection.first(
      """
      SELECT slot, appointment_id FROM clinician_slot
      WHERE clinician_id = ? AND slot >= ? AND slot < ? ORDER BY slot LIMIT 1
      """, clinician, slots.lowerBound, slots.upperBound, read: { (slot: $0.int64(0), appointment: $0.int64(1)) })
    guard let taken else { return nil }
    return SlotTaken(
      part: .clinician(try connection.recordIDs.shown(.staff, clinician) ?? ""), slot: taken.slot,
      appointmentID: try connection.recordIDs.shown(.appointment, taken.appointment))
  }

  private func resourceTaken(_ resource: Int64, _ slots: Range<Int64>) throws(StoreError) -> SlotTaken {
    let taken = try connection.first(
      """
      SELECT slot, appointment_id FROM resource_slot
      WHERE resource_id = ? AND unit = 1 AND slot >= ? AND slot < ? ORDER BY slot LIMIT 1
      """, resource, slots.lowerBound, slots.upperBound, read: { (slot: $0.int64(0), appointment: $0.int64(1)) })
    var holder: String?
    if let taken { holder = try connection.recordIDs.shown(.appointment, taken.appointment) }
    return SlotTaken(
      part: .resource(try connection.recordIDs.shown(.resource, resource) ?? ""), slot: taken?.slot ?? slots.lowerBound,
      appointmentID: holder)
  }
}
