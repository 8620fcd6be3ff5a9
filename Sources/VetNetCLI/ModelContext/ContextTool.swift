/// A tool that an assistant may call, as data: its parameters and the command that does it. Whoever calls it gets what the command prints
/// with `--json`, under the same permissions and on the same record.
struct ContextTool {
  enum Kind: String {
    case text = "string"
    case count = "integer"
    case number
    /// A text or a list of texts.
    case texts
  }

  struct Parameter {
    let name: String
    let kind: Kind
    let help: String
    var isRequired = false
    /// The option that takes it; nil where it stands by its place.
    var option: String?
    /// What is written behind the value.
    var unit = ""
  }

  let name: String
  let help: String
  let command: [String]
  let parameters: [Parameter]
  var writes = false

  struct Misuse: Error {
    let message: String
  }

  /// The words of the command line that a call means.
  ///
  /// Values stand behind `=` or `--`, so that none is taken for an option, and none for standard input.
  ///
  /// - Throws: ``Misuse`` for a parameter that isn't known, is missing or of another type.
  func words(_ arguments: [String: JSONValue]) throws -> [String] {
    for key in arguments.keys.sorted() where !parameters.contains(where: { $0.name == key }) {
      throw Misuse(
        message:
          "'\(name)' has no parameter '\(key.prefix(40))'; it has \(parameters.map(\.name).joined(separator: ", "))")
    }
    var options: [String] = []
    var places: [String] = []
    for parameter in parameters {
      guard let value = arguments[parameter.name], value != .null else {
        if parameter.isRequired { throw Misuse(message: "'\(name)' needs '\(parameter.name)': \(parameter.help)") }
        continue
      }
      for text in try texts(value, of: parameter) {
        if let option = parameter.option { options.append("\(option)=\(text)") } else { places.append(text) }
      }
    }
    return command + ["--json"] + options + (places.isEmpty ? [] : ["--"] + places)
  }

  private func texts(_ value: JSONValue, of parameter: Parameter) throws -> [String] {
    switch (parameter.kind, value) {
    case (.text, .string(let text)), (.texts, .string(let text)): return [try plain(text, parameter)]
    case (.texts, .array(let values)) where values.count <= 20:
      return try values.map {
        guard case .string(let text) = $0 else { throw wrong(parameter) }
        return try plain(text, parameter)
      }
    case (.count, .integer(let number)): return [String(number)]
    case (.number, .integer(let number)): return [String(number) + parameter.unit]
    case (.number, .number(let number)): return [String(number) + parameter.unit]
    default: throw wrong(parameter)
    }
  }

  private func plain(_ text: String, _ parameter: Parameter) throws -> String {
    guard text != "-", text.contains(where: { !$0.isWhitespace }), !text.utf8.contains(0) else {
      throw Misuse(message: "'\(parameter.name)' is empty")
    }
    return text
  }

  private func wrong(_ parameter: Parameter) -> Misuse {
    Misuse(
      message:
        "'\(parameter.name)' has to be \(parameter.kind == .texts ? "a string or a list of strings" : parameter.kind.rawValue)"
    )
  }

  /// As the protocol describes tools.
  var description: JSONValue {
    var properties: [String: JSONValue] = [:]
    for parameter in parameters {
      var schema: [String: JSONValue] = ["description": .string(parameter.help)]
      if parameter.kind == .texts {
        schema["type"] = .string("array")
        schema["items"] = .object(["type": .string("string")])
      } else {
        schema["type"] = .string(parameter.kind.rawValue)
      }
      properties[parameter.name] = .object(schema)
    }
    return .object([
      "name": .string(name), "description": .string(help),
      "inputSchema": .object([
        "type": .string("object"), "properties": .object(properties), "additionalProperties": .bool(false),
        "required": .array(parameters.filter(\.isRequired).map { .string($0.name) }),
      ]),
      "annotations": .object(["readOnlyHint": .bool(!writes), "openWorldHint": .bool(false)]),
    ])
  }

  private static let patient = Parameter(
    name: "patient", kind: .text, help: "an id, a microchip, or a name that fits one patient", option: "--patient")

  static let reading: [ContextTool] = [
    ContextTool(
      name: "ask",
      help: "Answers a question from the practice's records, each sentence cited; says so where they are silent.",
      command: ["ask"],
      parameters: [
        Parameter(name: "question", kind: .text, help: "in plain English words", isRequired: true), patient,
        Parameter(name: "asked_at", kind: .text, help: "a date: later notes do not exist yet", option: "--asked-at"),
      ]),
    ContextTool(
      name: "similar", help: "Past cases of the practice that resemble a text, and why.", command: ["similar"],
      parameters: [
        Parameter(name: "text", kind: .text, help: "the case in words", isRequired: true, option: "--text"),
        Parameter(name: "species", kind: .text, help: "only of this species", option: "--species"),
        Parameter(name: "limit", kind: .count, help: "how many", option: "--limit"),
      ]),
    ContextTool(
      name: "triage",
      help:
        "Urgency, ABCDE, complexity and minutes of a message about an animal. Decision support; a professional confirms.",
      command: ["triage"],
      parameters: [
        Parameter(name: "text", kind: .text, help: "what the owner says", isRequired: true, option: "--text"), patient,
        Parameter(name: "species", kind: .text, help: "where the patient isn't on file", option: "--species"),
        Parameter(name: "age", kind: .text, help: "such as 4y or 12 weeks", option: "--age"),
        Parameter(name: "sex", kind: .text, help: "MN, FS, M or F", option: "--sex"),
        Parameter(name: "weight_kg", kind: .number, help: "in kilograms", option: "--weight", unit: "kg"),
      ]),
    ContextTool(
      name: "brief", help: "Briefs before appointments: of a day, an appointment or a patient; one of the three.",
      command: ["brief"],
      parameters: [
        Parameter(name: "date", kind: .text, help: "2026-11-23, today or tomorrow", option: "--date"),
        Parameter(name: "appointment", kind: .text, help: "an appointment's id", option: "--appointment"), patient,
      ]),
    ContextTool(
      name: "drug", help: "What the formulary holds on a drug: class, cautions, interactions, monitoring; no doses.",
      command: ["drug"], parameters: [Parameter(name: "name", kind: .text, help: "generic or brand", isRequired: true)]),
    ContextTool(
      name: "patient", help: "A patient's signalment, owner, last visit and what is booked.",
      command: ["patient", "show"],
      parameters: [Parameter(name: "patient", kind: .text, help: patient.help, isRequired: true)]),
    ContextTool(
      name: "schedule_free", help: "Who and which rooms are free, at a moment or through a day.",
      command: ["schedule", "free"],
      parameters: [
        Parameter(name: "at", kind: .text, help: "15:00, 3pm, tomorrow 9:30; absent for a whole day", option: "--at"),
        Parameter(name: "date", kind: .text, help: "the day (default: today)", option: "--date"),
        Parameter(name: "with", kind: .texts, help: "only these members of staff, by id or name", option: "--with"),
        Parameter(name: "room", kind: .texts, help: "only these rooms or devices, by id or name", option: "--room"),
        Parameter(name: "minutes", kind: .count, help: "how long a visit has to fit", option: "--for"),
      ]),
    ContextTool(
      name: "schedule_propose", help: "The best free slots for a case in words, or a request on file. Books nothing.",
      command: ["schedule", "propose"],
      parameters: [
        Parameter(name: "text", kind: .text, help: "what it is for; or 'appointment'", option: "--text"),
        Parameter(name: "appointment", kind: .text, help: "a request on file", option: "--appointment"), patient,
        Parameter(name: "species", kind: .text, help: "where the patient isn't on file", option: "--species"),
        Parameter(name: "from", kind: .text, help: "not before this time", option: "--from"),
        Parameter(name: "days", kind: .count, help: "how far to look", option: "--days"),
        Parameter(name: "limit", kind: .count, help: "how many", option: "--limit"),
      ]),
  ]

  /// Only with `--allow-booking`.
  static let booking = ContextTool(
    name: "schedule_book", help: "Books an appointment. A slot that is taken is refused, and free ones are named.",
    command: ["schedule", "book"],
    parameters: [
      Parameter(name: "patient", kind: .text, help: patient.help, isRequired: true, option: "--patient"),
      Parameter(name: "at", kind: .text, help: "when it begins", isRequired: true, option: "--at"),
      Parameter(
        name: "with", kind: .text, help: "a member of staff, by id or name", isRequired: true, option: "--with"),
      Parameter(name: "minutes", kind: .count, help: "how long (default: predicted)", option: "--minutes"),
      Parameter(name: "room", kind: .texts, help: "rooms or devices, by id or name", option: "--resource"),
      Parameter(name: "visit_type", kind: .text, help: "such as recheck", option: "--visit-type"),
      Parameter(name: "reason", kind: .text, help: "in a few words", option: "--reason"),
    ], writes: true)
}
