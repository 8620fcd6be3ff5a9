/// What reads something that comes from elsewhere, and so may be anything.
public enum FuzzTarget: String, CaseIterable, Codable, Sendable {
  case csv, tables, jsonLines = "json-lines", frontMatter = "front-matter", fhir, fhirLines = "fhir-lines", calendar
  case rejects
  case question, bookQuestion = "book-question", triage, note
  case vectors, instance
  case letter, word, mapping

  /// The name of a file for an importer to find; nil for what is no file of an import.
  ///
  /// The first byte says which kind of record it is to hold.
  func fileName(_ first: UInt8) -> String? {
    let kinds = ["notes", "patients", "clients", "staff", "resources", "appointments", "intakes"]
    let kind = kinds[Int(first) % kinds.count]
    return switch self {
    case .csv: "\(kind).csv"
    case .tables: "export.csv"
    case .jsonLines: "\(kind).jsonl"
    case .frontMatter: "note.md"
    case .fhir: "bundle.json"
    case .fhirLines: "resources.ndjson"
    case .calendar: "book.ics"
    case .rejects: "p.vetnet.rejects.jsonl"
    default: nil
    }
  }

  /// Whether the first byte of an input says what the rest is to be read as.
  var hasSelector: Bool { self == .csv || self == .jsonLines }

  /// Pieces that such an input is made of, so that chance finds them sooner.
  public var words: [String] {
    switch self {
    case .csv, .tables:
      [
        ",", ";", "\t", "\"", "\"\"", "\r\n", "id,patient_id,recorded_at,text\n", "date_of_birth", "weight_kg", "31,2",
        "24/11/2026",
      ]
    case .jsonLines, .rejects:
      [
        "{\"id\":\"", "\"patient_id\":\"", "\"recorded_at\":\"2026-11-20T10:00\"", "\"text\":\"", "\\u0000", "\\ud83d",
        "null", "1e999", "[[", "{\"a\":", "\"row\":",
        "\"working_hours\":[{\"weekday\":1,\"start\":\"09:00\",\"end\":\"17:30\"}]",
        "\"versions\":[", "\"limits\":{",
      ]
    case .frontMatter: ["---\n", "patient: ", "date: ", "kind: ", "|\n", ">\n", "- ", "\t", "# "]
    case .fhir, .fhirLines:
      [
        "\"resourceType\":\"", "Bundle", "Patient", "Observation", "Appointment", "\"entry\":[{\"resource\":{",
        "\"reference\":\"urn:uuid:", "\"contained\":[", "\"extension\":[{\"url\":\"", "\"valueQuantity\":{\"value\":",
        "\"fullUrl\":", "\"subject\":{",
      ]
    case .calendar:
      [
        "BEGIN:VCALENDAR\r\n", "BEGIN:VEVENT\r\n", "END:VEVENT\r\n", "END:VCALENDAR\r\n", "DTSTART:20261124T090000Z",
        "RRULE:FREQ=SECONDLY", "DTSTART;TZID=Europe/London:", "DURATION:PT30M", "UID:", "\r\n ", "EXDATE:", "RDATE:",
        "BEGIN:VTIMEZONE", "X-VETNET-PATIENT:",
      ]
    case .question:
      [
        "why was ", "meloxicam", " stopped?", "when ", "weight", "since ", "how often ", "before the ", "was ", "ever ",
        "last ", "2026", "mg/kg", "Bella",
      ]
    case .bookQuestion:
      ["who is free ", "at 3pm", "tomorrow", "mon 10am", "24/11", "in 2 weeks", "for 20 minutes", "which room"]
    case .triage, .note:
      [
        "not breathing", "no ", "vomiting", "since ", "12.4 kg", "39.8 °C", "mg/kg", " BID", "?", "Dx: ", "r/o ",
        "hx of ",
        "denies ", "\n- ", "owner reports ", "declined",
      ]
    case .vectors: ["\u{8}\0\0\0"]
    case .instance:
      [
        "\"schema\":\"vetnet-sched-1\"", "\"jobs\":[", "\"vets\":[", "\"avail\":[[", "\"cand\":[[", "\"after\":0",
        "\"pin\":[0,1,2]",
        "-1", "1e18", "9223372036854775807",
      ]
    case .letter:
      [
        "{\\rtf1\\ansi", "\\par ", "\\u-10179 ?", "\\'e4", "{\\*\\", "\\bin", "From: ",
        "\nDate: Mon, 23 Nov 2026 09:30:00 +0100",
        "\nSubject: Re: ", "\nMIME-Version: 1.0", "\nContent-Type: multipart/mixed; boundary=b", "\n--b\n",
        "text/html; charset=",
        "\nContent-Transfer-Encoding: base64\n\n", "quoted-printable", "=?utf-8?q?", "?=", "filename*=utf-8''%C3",
        "&#x", "<!--",
        "Dated 03/04/2026", "Yours sincerely,\n", "Dr ", "iso-2022-jp", "utf-16", "utf-7", "PK\u{3}\u{4}",
      ]
    case .word:
      [
        "<w:p>", "</w:p>", "<w:r><w:t>", "</w:t></w:r>", "<w:tab/>", "<w:br/>", "<w:tc>", "</w:tc>", "<!DOCTYPE d [",
        "&#x", "<![CDATA[",
      ]
    case .mapping:
      [
        "format = \"vetnet-map-1\"\n", "[[table]]\n", "file = \"*.csv\"\n", "kind = \"", "patients", "appointments",
        "[table.columns]\n",
        "[table.values.species]\n", "[table.units]\n", "[table.always]\n", "[\"", "\\u0000", "\0",
        "delimiter = \"\\t\"\n", "encoding = \"",
        "date_order = \"", "weight_kg = \"", "12st 4lb", "1e999",
      ]
    }
  }

  /// The words as libFuzzer's `-dict` reads them: one in quotes a line, what is neither a letter nor a digit as `\xNN`.
  public var libFuzzerDictionary: String {
    words.map { word in
      let bytes = word.utf8.map { byte in
        let letter = Character(UnicodeScalar(byte))
        let isPlain = letter.isASCII && (letter.isLetter || letter.isNumber)
        return isPlain ? String(letter) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return "\"\(bytes.joined())\"\n"
    }.joined()
  }
}
