public import Clinical

extension ReplicatedRecords {
  /// An appointment as it would be with the contents of some fields, and its limits; nothing is written.
  ///
  /// - Throws: ``StoreError/Code/unknownRecord`` where a field refers to a record that isn't on file.
  public func appointment(
    _ name: RecordName, with fields: [String: FieldContent]
  ) throws(StoreError) -> (appointment: Appointment, limits: AppointmentOptions) {
    var appointment = Self.blankAppointment(name.id)
    var limits = AppointmentOptions()
    if let row = try ownRow(name), let current = try Appointment.recorded(row: row, in: connection) {
      appointment = current
      limits = try connection.appointments.options(row: row)
    }
    var inner = fields
    for (field, referred) in Self.references(of: .appointment) {
      if let content = inner[field] { inner[field] = try inward(content, to: referred) }
    }
    for field in Appointment.fields {
      guard let content = inner[field.name], !(field.isRequired && content == .none) else { continue }
      // What doesn't fit is of a later program.
      var changed = appointment
      if field.write(&changed, content) { appointment = changed }
    }
    if let content = fields["limits"] { limits = try self.limits(content) }
    return (appointment, limits)
  }
}
