/// Everything that can be asked for.
enum RouteTable {
  static let api: [Route] =
    BookRoutes.all + PlanRoutes.all + RecordRoutes.all + RegistrationRoutes.all + SessionRoutes.all + JobRoutes.all
    + FlowRoutes.all + SearchRoutes.all + PasskeyRoutes.all
    + SettingRoutes.all + PeopleRoutes.all + UserRoutes.all + ImportRoutes.all + AuditRoutes.all + InsightRoutes.all
    + InboxRoutes.all + SpecialistRoutes.all + FeedRoutes.all + PhotoRoutes.all + EncounterRoutes.all
    + OfflineRoutes.all + PresenceRoutes.all + BrowserDesk.all + DeviceRoutes.all + SyncRoutes.all + ConflictRoutes.all

  static let all: [Route] = api + PageRoutes.all + PhotosPage.routes + ManagePages.all + [description]

  private static let description = Route("GET", "/api/v1/openapi.json", .plain) { call in
    try .json(OpenAPI(routes: api, server: call.site.origin))
  }
}
