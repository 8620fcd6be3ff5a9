#include "CAssets.h"

// Standard in C23; the toolchain knows it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char access_js[] = {
#embed "../Web/Assets/access.js"
};
static const unsigned char account_js[] = {
#embed "../Web/Assets/account.js"
};
static const unsigned char app_js[] = {
#embed "../Web/Assets/app.js"
};
static const unsigned char base_js[] = {
#embed "../Web/Assets/base.js"
};
static const unsigned char conflicts_js[] = {
#embed "../Web/Assets/conflicts.js"
};
static const unsigned char day_js[] = {
#embed "../Web/Assets/day.js"
};
static const unsigned char device_js[] = {
#embed "../Web/Assets/device.js"
};
static const unsigned char dialogs_js[] = {
#embed "../Web/Assets/dialogs.js"
};
static const unsigned char drafts_js[] = {
#embed "../Web/Assets/drafts.js"
};
static const unsigned char edit_js[] = {
#embed "../Web/Assets/edit.js"
};
static const unsigned char encounter_js[] = {
#embed "../Web/Assets/encounter.js"
};
static const unsigned char events_js[] = {
#embed "../Web/Assets/events.js"
};
static const unsigned char flow_js[] = {
#embed "../Web/Assets/flow.js"
};
static const unsigned char icon_192_png[] = {
#embed "../Web/Assets/icon-192.png"
};
static const unsigned char icon_512_png[] = {
#embed "../Web/Assets/icon-512.png"
};
static const unsigned char icon_maskable_png[] = {
#embed "../Web/Assets/icon-maskable.png"
};
static const unsigned char icon_svg[] = {
#embed "../Web/Assets/icon.svg"
};
static const unsigned char inbox_js[] = {
#embed "../Web/Assets/inbox.js"
};
static const unsigned char jobs_js[] = {
#embed "../Web/Assets/jobs.js"
};
static const unsigned char keep_js[] = {
#embed "../Web/Assets/keep.js"
};
static const unsigned char login_js[] = {
#embed "../Web/Assets/login.js"
};
static const unsigned char manage_js[] = {
#embed "../Web/Assets/manage.js"
};
static const unsigned char offline_forms_js[] = {
#embed "../Web/Assets/offline-forms.js"
};
static const unsigned char offline_work_js[] = {
#embed "../Web/Assets/offline-work.js"
};
static const unsigned char offline_js[] = {
#embed "../Web/Assets/offline.js"
};
static const unsigned char outbox_js[] = {
#embed "../Web/Assets/outbox.js"
};
static const unsigned char passkey_js[] = {
#embed "../Web/Assets/passkey.js"
};
static const unsigned char photos_js[] = {
#embed "../Web/Assets/photos.js"
};
static const unsigned char presence_js[] = {
#embed "../Web/Assets/presence.js"
};
static const unsigned char record_js[] = {
#embed "../Web/Assets/record.js"
};
static const unsigned char replay_js[] = {
#embed "../Web/Assets/replay.js"
};
static const unsigned char rules_js[] = {
#embed "../Web/Assets/rules.js"
};
static const unsigned char search_js[] = {
#embed "../Web/Assets/search.js"
};
static const unsigned char specialists_js[] = {
#embed "../Web/Assets/specialists.js"
};
static const unsigned char style_css[] = {
#embed "../Web/Assets/style.css"
};
static const unsigned char sw_js[] = {
#embed "../Web/Assets/sw.js"
};
static const unsigned char theme_js[] = {
#embed "../Web/Assets/theme.js"
};
static const unsigned char triage_js[] = {
#embed "../Web/Assets/triage.js"
};
static const unsigned char vault_js[] = {
#embed "../Web/Assets/vault.js"
};
static const unsigned char waiting_js[] = {
#embed "../Web/Assets/waiting.js"
};

#define ASSET(name, bytes) {name, bytes, sizeof bytes}
static const vetnet_asset assets[] = {
    ASSET("access.js", access_js),
    ASSET("account.js", account_js),
    ASSET("app.js", app_js),
    ASSET("base.js", base_js),
    ASSET("conflicts.js", conflicts_js),
    ASSET("day.js", day_js),
    ASSET("device.js", device_js),
    ASSET("dialogs.js", dialogs_js),
    ASSET("drafts.js", drafts_js),
    ASSET("edit.js", edit_js),
    ASSET("encounter.js", encounter_js),
    ASSET("events.js", events_js),
    ASSET("flow.js", flow_js),
    ASSET("icon-192.png", icon_192_png),
    ASSET("icon-512.png", icon_512_png),
    ASSET("icon-maskable.png", icon_maskable_png),
    ASSET("icon.svg", icon_svg),
    ASSET("inbox.js", inbox_js),
    ASSET("jobs.js", jobs_js),
    ASSET("keep.js", keep_js),
    ASSET("login.js", login_js),
    ASSET("manage.js", manage_js),
    ASSET("offline-forms.js", offline_forms_js),
    ASSET("offline-work.js", offline_work_js),
    ASSET("offline.js", offline_js),
    ASSET("outbox.js", outbox_js),
    ASSET("passkey.js", passkey_js),
    ASSET("photos.js", photos_js),
    ASSET("presence.js", presence_js),
    ASSET("record.js", record_js),
    ASSET("replay.js", replay_js),
    ASSET("rules.js", rules_js),
    ASSET("search.js", search_js),
    ASSET("specialists.js", specialists_js),
    ASSET("style.css", style_css),
    ASSET("sw.js", sw_js),
    ASSET("theme.js", theme_js),
    ASSET("triage.js", triage_js),
    ASSET("vault.js", vault_js),
    ASSET("waiting.js", waiting_js),
};

const vetnet_asset *vetnet_assets(size_t *count) {
  *count = sizeof assets / sizeof *assets;
  return assets;
}
