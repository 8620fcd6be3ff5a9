/// A field that finds a patient while somebody types.
struct PatientPicker {
  let id: HTML
  let testID: HTML
  var label: HTML = "Patient"
  var isRequired = false
  /// Who is meant already.
  var chosen: (id: String, words: String)?

  var html: HTML {
    """
    <div class="field picker" data-picker>
    <label for="\(id)">\(label)</label>
    <input id="\(id)" type="text" role="combobox" aria-autocomplete="list" aria-expanded="false" aria-controls="\(id)-list" autocomplete="off" spellcheck="false" placeholder="Name, owner, microchip or id" data-testid="\(testID)" value="\(chosen?.words)"\(isRequired ? " required" : "" as HTML)>
    <input type="hidden" name="patient_id" value="\(chosen?.id)">
    <ul id="\(id)-list" role="listbox" aria-label="Patients found" hidden></ul>
    </div>
    """
  }
}
