import Clinical
import Presentation
import VetNet

/// A patient's registration, to be corrected: each field is looked at as it is typed, by species and unit.
enum EditPage {
  static func page(_ call: Call) throws -> HTML {
    let registered = try call.perform(ShowRegistration(reference: call.value("id")))
    let patient = registered.patient
    let species = Species.allCases.html {
      "<option value=\"\($0.rawValue)\"\($0 == patient.species ? " selected" : "" as HTML)>\($0.rawValue)</option>"
    }
    let sexes = [
      ("unknown", "unknown"), ("MN", "male, neutered"), ("FS", "female, spayed"), ("M", "male"), ("F", "female"),
    ]
    .html {
      "<option value=\"\($0.0)\"\($0.0 == patient.sex.rawValue ? " selected" : "" as HTML)>\($0.1)</option>"
    }
    let doubts = registered.doubts.html { "<li>\($0)</li>" }
    let main: HTML = """
      <p><a href="\(Link.patient(patient.id))">‹ <bdi>\(patient.name)</bdi></a></p>
      <h1>Registration of <bdi>\(patient.name)</bdi> <span class="id">\(patient.id)</span></h1>
      <form id="edit" data-draft="edit-\(patient.id)" data-patient="\(patient.id)" data-revision="\(registered.revision)" novalidate>
      <div class="field"><label for="edit-name">Name</label><input id="edit-name" name="name" value="\(patient.name)" required maxlength="200" autocomplete="off" data-testid="edit_name_input"></div>
      <div class="fields">
      <div class="field"><label for="edit-species">Species</label><select id="edit-species" name="species" data-testid="edit_species_picker">\(species)</select></div>
      <div class="field"><label for="edit-breed">Breed</label><input id="edit-breed" name="breed" value="\(patient.breed)" maxlength="200" autocomplete="off"></div>
      <div class="field"><label for="edit-sex">Sex</label><select id="edit-sex" name="sex">\(sexes)</select></div>
      <div class="field"><label for="edit-birth">Born</label><input id="edit-birth" name="date_of_birth" type="date" max="\("\(call.today)")" value="\(patient.dateOfBirth.map { "\($0)" })"></div></div>
      <div class="fields">
      <div class="field"><label for="edit-weight">Weight</label><span class="with-unit"><input id="edit-weight" name="weight" inputmode="decimal" autocomplete="off" value="\(patient.weightKilograms.map { "\($0)" })" data-testid="edit_weight_input" aria-describedby="edit-doubts"><select id="edit-unit" name="unit" aria-label="Unit of the weight"><option>kg</option><option>g</option><option>lb</option></select></span></div>
      <div class="field"><label for="edit-chip">Microchip</label><input id="edit-chip" name="microchip" inputmode="numeric" autocomplete="off" maxlength="23" value="\(patient.microchip)"></div></div>
      <div id="edit-doubts" class="doubts" data-testid="edit_doubts" role="status"\(registered.doubts.isEmpty ? " hidden" : "" as HTML)><p>Unlikely:</p><ul>\(doubts)</ul><label class="chip"><input type="checkbox" id="edit-sure" data-testid="edit_sure_box"> I have looked: it is right</label></div>
      <div class="conflict" data-conflict data-testid="edit_conflict" role="alert" hidden></div>
      <p class="problem" role="alert" hidden></p>
      <div class="actions"><button type="submit" class="primary" data-testid="edit_save_button">Save</button><a class="button" href="\(Link.patient(patient.id))">Back to the record</a></div></form>
      """
    return Layout(title: "\(patient.name), registration", tab: .patients, script: "edit.js", main: main).page(call)
  }
}
