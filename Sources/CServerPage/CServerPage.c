#include "CServerPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// Every file of the folder Page needs an array here and a row below; a test compares both with the folder.

static const unsigned char index_html[] = {
#embed "Page/index.html"
};

#define PAGE_FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct scaleaudio_page_file files[] = {
    PAGE_FILE("index.html", index_html),
};

const struct scaleaudio_page_file *scaleaudio_page_file_at(size_t number) {
  return number < sizeof files / sizeof files[0] ? &files[number] : NULL;
}
