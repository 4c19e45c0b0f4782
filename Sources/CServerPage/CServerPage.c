#include "CServerPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Every file of the folder Page needs an array here and a row below; a test compares both with the folder. The
// style sheets are one, which is there sooner.

static const unsigned char batch_js[] = {
#embed "Page/batch.js"
};
static const unsigned char bend_view_js[] = {
#embed "Page/bend-view.js"
};
static const unsigned char bend_js[] = {
#embed "Page/bend.js"
};
static const unsigned char details_js[] = {
#embed "Page/details.js"
};
static const unsigned char dom_js[] = {
#embed "Page/dom.js"
};
static const unsigned char drag_js[] = {
#embed "Page/drag.js"
};
static const unsigned char element_player_js[] = {
#embed "Page/element-player.js"
};
static const unsigned char folder_js[] = {
#embed "Page/folder.js"
};
static const unsigned char index_html[] = {
#embed "Page/index.html"
};
static const unsigned char items_js[] = {
#embed "Page/items.js"
};
static const unsigned char jobs_js[] = {
#embed "Page/jobs.js"
};
static const unsigned char keys_js[] = {
#embed "Page/keys.js"
};
static const unsigned char list_js[] = {
#embed "Page/list.js"
};
static const unsigned char logo_svg[] = {
#embed "Page/logo.svg"
};
static const unsigned char look_js[] = {
#embed "Page/look.js"
};
static const unsigned char main_js[] = {
#embed "Page/main.js"
};
static const unsigned char marks_js[] = {
#embed "Page/marks.js"
};
static const unsigned char meters_js[] = {
#embed "Page/meters.js"
};
static const unsigned char model_js[] = {
#embed "Page/model.js"
};
static const unsigned char notes_js[] = {
#embed "Page/notes.js"
};
static const unsigned char panel_js[] = {
#embed "Page/panel.js"
};
static const unsigned char peaks_js[] = {
#embed "Page/peaks.js"
};
static const unsigned char player_js[] = {
#embed "Page/player.js"
};
static const unsigned char practice_js[] = {
#embed "Page/practice.js"
};
static const unsigned char queue_worklet_js[] = {
#embed "Page/queue-worklet.js"
};
static const unsigned char server_js[] = {
#embed "Page/server.js"
};
static const unsigned char shortcuts_js[] = {
#embed "Page/shortcuts.js"
};
static const unsigned char silence_flac[] = {
#embed "Page/silence.flac"
};
static const unsigned char sound_js[] = {
#embed "Page/sound.js"
};
static const unsigned char speed_js[] = {
#embed "Page/speed.js"
};
static const unsigned char store_js[] = {
#embed "Page/store.js"
};
static const unsigned char style_css[] = {
#embed "Page/style.css"
    ,
#embed "Page/parts.css"
};
static const unsigned char system_js[] = {
#embed "Page/system.js"
};
static const unsigned char time_js[] = {
#embed "Page/time.js"
};
static const unsigned char transport_js[] = {
#embed "Page/transport.js"
};
static const unsigned char view_js[] = {
#embed "Page/view.js"
};
static const unsigned char wav_js[] = {
#embed "Page/wav.js"
};
static const unsigned char waveform_js[] = {
#embed "Page/waveform.js"
};
static const unsigned char way_js[] = {
#embed "Page/way.js"
};
static const unsigned char zoom_js[] = {
#embed "Page/zoom.js"
};

#define PAGE_FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct scaleaudio_page_file files[] = {
    PAGE_FILE("batch.js", batch_js),
    PAGE_FILE("bend-view.js", bend_view_js),
    PAGE_FILE("bend.js", bend_js),
    PAGE_FILE("details.js", details_js),
    PAGE_FILE("dom.js", dom_js),
    PAGE_FILE("drag.js", drag_js),
    PAGE_FILE("element-player.js", element_player_js),
    PAGE_FILE("folder.js", folder_js),
    PAGE_FILE("index.html", index_html),
    PAGE_FILE("items.js", items_js),
    PAGE_FILE("jobs.js", jobs_js),
    PAGE_FILE("keys.js", keys_js),
    PAGE_FILE("list.js", list_js),
    PAGE_FILE("logo.svg", logo_svg),
    PAGE_FILE("look.js", look_js),
    PAGE_FILE("main.js", main_js),
    PAGE_FILE("marks.js", marks_js),
    PAGE_FILE("meters.js", meters_js),
    PAGE_FILE("model.js", model_js),
    PAGE_FILE("notes.js", notes_js),
    PAGE_FILE("panel.js", panel_js),
    PAGE_FILE("peaks.js", peaks_js),
    PAGE_FILE("player.js", player_js),
    PAGE_FILE("practice.js", practice_js),
    PAGE_FILE("queue-worklet.js", queue_worklet_js),
    PAGE_FILE("server.js", server_js),
    PAGE_FILE("shortcuts.js", shortcuts_js),
    PAGE_FILE("silence.flac", silence_flac),
    PAGE_FILE("sound.js", sound_js),
    PAGE_FILE("speed.js", speed_js),
    PAGE_FILE("store.js", store_js),
    PAGE_FILE("style.css", style_css),
    PAGE_FILE("system.js", system_js),
    PAGE_FILE("time.js", time_js),
    PAGE_FILE("transport.js", transport_js),
    PAGE_FILE("view.js", view_js),
    PAGE_FILE("wav.js", wav_js),
    PAGE_FILE("waveform.js", waveform_js),
    PAGE_FILE("way.js", way_js),
    PAGE_FILE("zoom.js", zoom_js),
};

const struct scaleaudio_page_file *scaleaudio_page_file_at(size_t number) {
  return number < sizeof files / sizeof files[0] ? &files[number] : NULL;
}
