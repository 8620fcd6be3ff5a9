#include "CIcal.h"

#include <dlfcn.h>
#include <pthread.h>

// Each function that is called: what it returns (GIVE) or that it returns nothing (PASS), its parameters, and how they are handed on.
#define FUNCTIONS \
  PASS(icalcomponent_add_component, (icalcomponent *a, icalcomponent *b), (a, b)) \
  PASS(icalcomponent_add_property, (icalcomponent *a, icalproperty *b), (a, b)) \
  GIVE(char *, icalcomponent_as_ical_string_r, (icalcomponent *a), (a)) \
  PASS(icalcomponent_free, (icalcomponent *a), (a)) \
  GIVE(const char *, icalcomponent_get_description, (icalcomponent *a), (a)) \
  GIVE(struct icaltimetype, icalcomponent_get_dtend, (icalcomponent *a), (a)) \
  GIVE(struct icaltimetype, icalcomponent_get_dtstart, (icalcomponent *a), (a)) \
  GIVE(icalcomponent *, icalcomponent_get_first_component, (icalcomponent *a, icalcomponent_kind b), (a, b)) \
  GIVE(icalproperty *, icalcomponent_get_first_property, (icalcomponent *a, icalproperty_kind b), (a, b)) \
  GIVE(const char *, icalcomponent_get_location, (icalcomponent *a), (a)) \
  GIVE(icalcomponent *, icalcomponent_get_next_component, (icalcomponent *a, icalcomponent_kind b), (a, b)) \
  GIVE(icalproperty *, icalcomponent_get_next_property, (icalcomponent *a, icalproperty_kind b), (a, b)) \
  GIVE(struct icaltimetype, icalcomponent_get_recurrenceid, (icalcomponent *a), (a)) \
  GIVE(int, icalcomponent_get_sequence, (icalcomponent *a), (a)) \
  GIVE(enum icalproperty_status, icalcomponent_get_status, (icalcomponent *a), (a)) \
  GIVE(const char *, icalcomponent_get_summary, (icalcomponent *a), (a)) \
  GIVE(const char *, icalcomponent_get_uid, (icalcomponent *a), (a)) \
  GIVE(icalcomponent_kind, icalcomponent_isa, (const icalcomponent *a), (a)) \
  GIVE(icalcomponent *, icalcomponent_new, (icalcomponent_kind a), (a)) \
  PASS(icalmemory_free_buffer, (void *a), (a)) \
  GIVE(icalparameter *, icalparameter_new_tzid, (const char *a), (a)) \
  GIVE(icalcomponent *, icalparser_parse_string, (const char *a), (a)) \
  PASS(icalproperty_add_parameter, (icalproperty *a, icalparameter *b), (a, b)) \
  GIVE(const char *, icalproperty_get_attendee, (const icalproperty *a), (a)) \
  GIVE(struct icaltimetype, icalproperty_get_datetime_with_component, (icalproperty *a, icalcomponent *b), (a, b)) \
  GIVE(struct icaltimetype, icalproperty_get_exdate, (const icalproperty *a), (a)) \
  GIVE(const char *, icalproperty_get_organizer, (const icalproperty *a), (a)) \
  GIVE(struct icaldatetimeperiodtype, icalproperty_get_rdate, (const icalproperty *a), (a)) \
  GIVE(struct icalrecurrencetype, icalproperty_get_rrule, (const icalproperty *a), (a)) \
  GIVE(enum icalproperty_transp, icalproperty_get_transp, (const icalproperty *a), (a)) \
  GIVE(const char *, icalproperty_get_x, (const icalproperty *a), (a)) \
  GIVE(const char *, icalproperty_get_x_name, (icalproperty *a), (a)) \
  GIVE(icalproperty *, icalproperty_new_calscale, (const char *a), (a)) \
  GIVE(icalproperty *, icalproperty_new_description, (const char *a), (a)) \
  GIVE(icalproperty *, icalproperty_new_dtend, (struct icaltimetype a), (a)) \
  GIVE(icalproperty *, icalproperty_new_dtstamp, (struct icaltimetype a), (a)) \
  GIVE(icalproperty *, icalproperty_new_dtstart, (struct icaltimetype a), (a)) \
  GIVE(icalproperty *, icalproperty_new_location, (const char *a), (a)) \
  GIVE(icalproperty *, icalproperty_new_method, (enum icalproperty_method a), (a)) \
  GIVE(icalproperty *, icalproperty_new_prodid, (const char *a), (a)) \
  GIVE(icalproperty *, icalproperty_new_sequence, (int a), (a)) \
  GIVE(icalproperty *, icalproperty_new_status, (enum icalproperty_status a), (a)) \
  GIVE(icalproperty *, icalproperty_new_summary, (const char *a), (a)) \
  GIVE(icalproperty *, icalproperty_new_tzid, (const char *a), (a)) \
  GIVE(icalproperty *, icalproperty_new_tzoffsetfrom, (int a), (a)) \
  GIVE(icalproperty *, icalproperty_new_tzoffsetto, (int a), (a)) \
  GIVE(icalproperty *, icalproperty_new_uid, (const char *a), (a)) \
  GIVE(icalproperty *, icalproperty_new_version, (const char *a), (a)) \
  GIVE(icalproperty *, icalproperty_new_x, (const char *a), (a)) \
  PASS(icalproperty_set_x_name, (icalproperty *a, const char *b), (a, b)) \
  PASS(icalrecur_iterator_free, (icalrecur_iterator *a), (a)) \
  GIVE(icalrecur_iterator *, icalrecur_iterator_new, (struct icalrecurrencetype a, struct icaltimetype b), (a, b)) \
  GIVE(struct icaltimetype, icalrecur_iterator_next, (icalrecur_iterator *a), (a)) \
  GIVE(time_t, icaltime_as_timet_with_zone, (struct icaltimetype a, const icaltimezone *b), (a, b)) \
  GIVE(int, icaltime_is_null_time, (struct icaltimetype a), (a)) \
  GIVE(int, icaltime_is_utc, (struct icaltimetype a), (a)) \
  GIVE(int, icaltime_is_valid_time, (struct icaltimetype a), (a)) \
  GIVE(struct icaltimetype, icaltime_null_time, (void), ()) \
  GIVE(const char *, icaltimezone_get_tzid, (icaltimezone *a), (a)) \
  GIVE(icaltimezone *, icaltimezone_get_utc_timezone, (void), ())

// Where each was found.
#define GIVE(result, name, parameters, arguments) static __typeof__(&name) found_##name;
#define PASS(name, parameters, arguments) static __typeof__(&name) found_##name;
FUNCTIONS
#undef GIVE
#undef PASS

static _Bool is_loaded;

static void load(void) {
  void *library = dlopen("libical.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define GIVE(result, name, parameters, arguments) \
  found_##name = (__typeof__(&name))dlsym(library, #name); \
  if (!found_##name) return;
#define PASS(name, parameters, arguments) GIVE(void, name, parameters, arguments)
  FUNCTIONS
#undef GIVE
#undef PASS
  is_loaded = 1;
}

_Bool vetnet_ical_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

#define GIVE(result, name, parameters, arguments) \
  result name parameters { return found_##name arguments; }
#define PASS(name, parameters, arguments) \
  void name parameters { found_##name arguments; }
FUNCTIONS
