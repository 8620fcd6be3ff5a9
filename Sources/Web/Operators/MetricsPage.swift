import VetNet

/// What a server holds and does at one moment.
struct ServerStanding: Sendable {
  var isReady = false
  /// Practices by what they are: `open`, `closed`, `unusable`.
  var practices: [String: Int] = [:]
  /// How often one was opened, and how often nobody could be served for want of a place.
  var opened = 0
  var refused = 0
  var load = WorkerPool.Load()
  var streams = 0
  var jobs = 0
}

/// The figures in the text format that Prometheus reads (version 0.0.4): names of routes and states, and numbers; no ids, no people, no words.
struct MetricsPage {
  static let type = "text/plain; version=0.0.4; charset=utf-8"

  let counts: RequestMeter.Counts
  let standing: ServerStanding
  /// Seconds since 1970 at which the server began.
  let beganAt: Int64
  let droppedLines: Int

  var text: String {
    var page = Page()
    page.family("vetnet_build_info", "gauge", "The version of the program.") {
      $0.sample([("version", VetNetVersion.current)], "1")
    }
    page.single(
      "vetnet_ready", "gauge", "Whether the server takes work: 1, or 0 while it starts or stops, or can't write.",
      standing.isReady ? "1" : "0")
    requests(&page)
    page.family("vetnet_practices", "gauge", "Practice files by what they are.") { page in
      for (state, count) in standing.practices.sorted(by: { $0.key < $1.key }) {
        page.sample([("state", state)], "\(count)")
      }
    }
    page.single(
      "vetnet_practices_opened_total", "counter", "How often a practice file was opened.", "\(standing.opened)")
    page.single(
      "vetnet_practices_refused_total", "counter", "Requests that found every place for an open practice taken.",
      "\(standing.refused)")
    page.family("vetnet_queue_length", "gauge", "Requests that wait to be worked on.") { page in
      for (lane, count) in [
        ("preparing", standing.load.preparing), ("reading", standing.load.reading), ("writing", standing.load.writing),
      ] {
        page.sample([("lane", lane)], "\(count)")
      }
    }
    page.single("vetnet_workers_busy", "gauge", "Threads that work on a request.", "\(standing.load.busy)")
    page.single("vetnet_event_streams", "gauge", "Browsers that listen to changes.", "\(standing.streams)")
    page.single("vetnet_jobs_running", "gauge", "Long work that is under way.", "\(standing.jobs)")
    page.single(
      "vetnet_log_lines_dropped_total", "counter", "Lines of the log that nobody took in time.", "\(droppedLines)")
    page.single("process_resident_memory_bytes", "gauge", "Memory that is in use.", "\(ProcessUse.residentBytes)")
    page.single("process_open_fds", "gauge", "Descriptors that are open.", "\(ProcessUse.descriptors)")
    page.single(
      "process_cpu_seconds_total", "counter", "Seconds of processors that were used.", "\(ProcessUse.processorSeconds)")
    page.single("process_start_time_seconds", "gauge", "When the server began, in seconds since 1970.", "\(beganAt)")
    return page.text
  }

  private func requests(_ page: inout Page) {
    page.family("vetnet_http_requests_total", "counter", "Requests that were answered.") { page in
      let keys = counts.requests.sorted {
        ($0.key.route, $0.key.method, $0.key.status, $0.key.practice ?? "")
          < ($1.key.route, $1.key.method, $1.key.status, $1.key.practice ?? "")
      }
      for (key, count) in keys {
        let practice = key.practice.map { [("practice", $0)] } ?? []
        page.sample([("route", key.route), ("method", key.method), ("status", "\(key.status)")] + practice, "\(count)")
      }
    }
    page.single("vetnet_http_response_bytes_total", "counter", "Bytes of answers of a known length.", "\(counts.bytes)")
    page.family(
      "vetnet_http_request_duration_seconds", "histogram", "Seconds from a request that has arrived to its answer."
    ) { page in
      for (route, durations) in counts.durations.sorted(by: { $0.key < $1.key }) {
        var total: UInt64 = 0
        for (bound, count) in zip(RequestMeter.bounds, durations.counts) {
          total += count
          page.sample([("route", route), ("le", "\(bound)")], "\(total)", ending: "_bucket")
        }
        total += durations.counts.last ?? 0
        page.sample([("route", route), ("le", "+Inf")], "\(total)", ending: "_bucket")
        page.sample([("route", route)], "\(durations.sum)", ending: "_sum")
        page.sample([("route", route)], "\(total)", ending: "_count")
      }
    }
  }

  /// Lines, family by family.
  private struct Page {
    var text = ""
    private var name = ""

    mutating func family(_ name: String, _ type: String, _ help: String, _ samples: (inout Page) -> Void) {
      self.name = name
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
      samples(&self)
    }

    mutating func single(_ name: String, _ type: String, _ help: String, _ value: String) {
      family(name, type, help) { $0.sample([], value) }
    }

    mutating func sample(_ labels: [(name: String, value: String)], _ value: String, ending: String = "") {
      let shown = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
      text += "\(name)\(ending)\(labels.isEmpty ? "" : "{\(shown)}") \(value)\n"
    }

    private static func escaped(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
  }
}
