import CMicroHTTPD

/// libmicrohttpd, loaded when a server starts.
enum HTTPLibrary {
  /// Addresses of functions, which every thread may call; nil where the library isn't installed.
  nonisolated(unsafe) static let loaded: vetnet_httpd? = {
    var library = vetnet_httpd()
    return vetnet_httpd_load(&library) ? library : nil
  }()
}
