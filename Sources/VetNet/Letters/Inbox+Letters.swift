import Clinical
import FoundationEssentials
import Interchange
import Store

extension Practice.Inbox {
  /// Reads letters and says whom they may be about, of when they are and who wrote them, by their own words; stores nothing.
  ///
  /// - Throws: ``PracticeError`` where the practice can't be read. A letter that can't be read is no error.
  func readLetters(_ paths: [String], now: Timestamp) throws -> LetterReadings {
    let words = try models.letterWords()
    let clients = try reporting { try connection.clients.list() }
    var letters: [LetterReading] = []
    var unread: [UnreadLetter] = []
    for path in paths {
      do throws(LetterError) {
        let bytes = try Self.letterBytes(path)
        let letter = try Self.read(bytes)
        do {
          letters.append(try reading { try self.reading(letter, bytes, path, words, clients, now: now) })
        } catch {
          throw LetterError("\(error)")
        }
      } catch {
        unread.append(UnreadLetter(file: path, reason: error.description))
      }
    }
    return LetterReadings(letters: letters, unread: unread)
  }

  private static func letterBytes(_ path: String) throws(LetterError) -> [UInt8] {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw LetterError("there is no such file")
    }
    guard !isFolder else { throw LetterError("is a folder", hint: "name the letters in it") }
    let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    guard size <= LetterFile.longestFile else {
      throw LetterError("the file has more than \(LetterFile.longestFile >> 20) MB", hint: "no letter is so long")
    }
    guard let data = FileManager.default.contents(atPath: path) else { throw LetterError("can't be read") }
    return Array(data)
  }

  private static func read(_ bytes: [UInt8]) throws(LetterError) -> LetterFile {
    do {
      return try LetterFile.read(bytes, pdfText: LetterPDF.text)
    } catch let error as LetterError {
      throw error
    } catch {
      throw LetterError("can't be read")
    }
  }

  private func reading(
    _ letter: LetterFile, _ bytes: [UInt8], _ path: String, _ words: LetterWords, _ clients: [Stored<Client>],
    now: Timestamp
  ) throws -> LetterReading {
    let scan = LetterScan(letter, words: words, order: practice.settings.dateOrder, today: timeZone.date(of: now))
    // A sender's address tells an owner, as one in the text does.
    let searched = [letter.sender, letter.text].compactMap { $0 }.joined(separator: "\n")
    let ranked = try LetterCandidates(connection, text: searched, subjects: scan.subjects, clients: clients).ranked()
    let candidates = ranked.map { entry in
      IncomingItem.Candidate(
        patientID: entry.found.patient.id, certainty: entry.certainty,
        evidence: IncomingItem.Candidate.Evidence.allCases.filter(entry.found.evidence.contains))
    }
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let when = letter.sentAt.flatMap { sent in
      scan.date.map { found in
        let offset = sent.offsetMinutes
        let sign = offset < 0 ? "-" : "+"
        let hours = abs(offset) / 60
        let minutes = abs(offset) % 60
        return
          "\(found.value)T\(sent.time):00\(sign)\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
      }
    }
    var details = IncomingItem.Details(title: letter.subject ?? file, author: scan.author?.value, noteKind: .referral)
    details.datedAt =
      when.flatMap { ISODateTime($0) }.map { PracticeTimeZone.utc.timestamp(of: $0) }
      ?? scan.date.map { timeZone.interval(of: $0.value).lowerBound }
    var item = IncomingItem(
      .letter,
      from: .init(source: "letters", id: "letter-\(Self.fingerprint(of: bytes))", receivedAt: now), text: letter.text,
      reason: Self.reason(ranked, isNamed: !scan.subjects.isEmpty), details: details, candidates: candidates)
    if letter.format != .text { item.original = .init(mediaType: letter.format.mediaType, bytes: bytes) }
    return LetterReading(
      file: file, format: letter.format.rawValue, subject: letter.subject, attachments: letter.attachments,
      candidates: ranked.map { entry in
        let patient = entry.found.patient
        return LetterReading.Candidate(
          id: patient.id, name: patient.name, species: patient.species.rawValue, owner: patient.ownerName,
          certainty: (entry.certainty * 100).rounded() / 100,
          evidence: IncomingItem.Candidate.Evidence.allCases.filter(entry.found.evidence.contains).map(\.rawValue),
          words: entry.found.words)
      },
      // A message's day is the practice's, as that of the note will be.
      date: scan.date.map { found in
        let day = letter.sentAt == nil ? found.value : details.datedAt.map(timeZone.date(of:)) ?? found.value
        return .init(value: "\(day)", words: found.words)
      }, isDayAmbiguous: scan.isDayAmbiguous,
      author: scan.author.map { .init(value: $0.value, words: $0.words) }, item: item)
  }

  /// Two that are as likely are several; one that stands out still has to be confirmed.
  static func reason(
    _ ranked: [(found: LetterCandidates.Found, certainty: Double)], isNamed: Bool
  ) -> IncomingItem.Reason {
    guard let first = ranked.first else { return isNamed ? .unknownPatient : .noPatient }
    if let second = ranked.dropFirst().first, first.certainty - second.certainty < 0.1 { return .severalPatients }
    return .unsurePatient
  }

  /// The same file is the same letter, wherever it lies.
  private static func fingerprint(of bytes: [UInt8]) -> String {
    ContentHash(of: bytes).bytes.prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
