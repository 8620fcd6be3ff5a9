import Clinical

/// Windows over a page: booking, an emergency, what stands behind a citation or an appointment.
enum Dialogs {
  static func head(_ title: HTML, id: HTML) -> HTML {
    "<div class=\"dialog-head\"><h2 id=\"\(id)-title\">\(title)</h2><button type=\"button\" class=\"quiet\" data-close aria-label=\"Close\">✕</button></div>"
  }

  /// The window that books; `clinicians` can be chosen, and it begins with `date`.
  static func booking(clinicians: [(id: String, name: String)], date: CalendarDate) -> HTML {
    let types = VisitType.builtIn.html { "<option value=\"\($0.rawValue)\">\($0.rawValue)</option>" }
    let levels = Urgency.allCases.sorted(by: >).html {
      "<option value=\"\($0.rawValue)\">\($0.rawValue)</option>"
    }
    let picker = PatientPicker(id: "booking-patient", testID: "booking_patient_input", isRequired: true)
    return """
      <dialog id="booking" aria-labelledby="booking-title">\(head("New appointment", id: "booking"))
      <form data-draft="booking" novalidate>
      \(picker.html)
      <div class="field"><label for="booking-reason">Reason, in the owner's words</label>
      <textarea id="booking-reason" name="reason" rows="3" data-testid="booking_reason_input"></textarea></div>
      <div class="fields">
      <div class="field"><label for="booking-start">Begins</label><input id="booking-start" name="start" type="datetime-local" step="300" value="\("\(date)")T09:00" data-testid="booking_start_input"></div>
      <div class="field"><label for="booking-vet">With</label><select id="booking-vet" name="clinician_id" data-testid="booking_clinician_picker">\(options(clinicians))</select></div>
      <div class="field"><label for="booking-type">Kind of visit</label><select id="booking-type" name="visit_type"><option value="">as the reason reads</option>\(types)</select></div>
      <div class="field"><label for="booking-minutes">Minutes</label><input id="booking-minutes" name="duration_minutes" type="number" inputmode="numeric" min="5" max="480" step="5" placeholder="as predicted"></div>
      <div class="field"><label for="booking-level">Level</label><select id="booking-level" name="urgency" data-testid="booking_level_picker"><option value="">as the reason reads</option>\(levels)</select></div>
      </div>
      <p class="problem" role="alert" hidden></p>
      <div class="proposals" data-proposals></div>
      <div class="actions"><button type="submit" class="primary" data-testid="appointment_save_button">Book</button>
      <button type="button" data-find-slots data-testid="find_slots_button">Find the best slots</button>
      <button type="button" class="quiet" data-close>Cancel</button></div>
      </form></dialog>
      """
  }

  static let emergency: HTML = """
    <dialog id="emergency" aria-labelledby="emergency-title">\(head("Emergency: make room now", id: "emergency"))
    <form data-draft="emergency" novalidate>
    \(PatientPicker(id: "emergency-patient", testID: "emergency_patient_input", isRequired: true).html)
    <div class="field"><label for="emergency-text">What is wrong</label><textarea id="emergency-text" name="text" rows="3" data-testid="emergency_symptoms_input" required></textarea></div>
    <div class="field"><label for="emergency-level">Level</label><select id="emergency-level" name="urgency"><option value="">as triage says</option><option value="red">red: now</option><option value="orange">orange: within 15 min</option></select></div>
    <p class="problem" role="alert" hidden></p>
    <div class="actions"><button type="submit" class="danger" data-testid="emergency_save_button">Make room and book</button>
    <button type="button" class="quiet" data-close>Cancel</button></div></form>
    <div data-outcome role="status"></div></dialog>
    """

  /// A better plan for the day, to be accepted or left.
  static let plan: HTML = """
    <dialog id="plan" class="wide" aria-labelledby="plan-title">\(head("A better plan for the day", id: "plan"))
    <div data-content role="status"></div></dialog>
    """

  /// Filled from the server when it opens.
  static let panel: HTML = """
    <dialog id="panel" class="panel" aria-label="Details"><div data-content></div></dialog>
    """

  static func options(_ clinicians: [(id: String, name: String)], chosen: String? = nil) -> HTML {
    clinicians.html {
      "<option value=\"\($0.id)\"\($0.id == chosen ? " selected" : "" as HTML)>\($0.name)</option>"
    }
  }
}
