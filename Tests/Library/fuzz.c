/* Calls libscaleaudio in any order with any arguments, for libFuzzer and the address sanitizer. Pointers are NULL or valid for
   the frames announced; everything else may be anything. */
#include <float.h>
#include <math.h>
#include <scaleaudio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 6000, MOST_MADE = 300000 };

typedef struct { const uint8_t *bytes; size_t left; } source;

static uint8_t byte(source *from)
{
  if (from->left == 0) return 0;
  from->left--;
  return *from->bytes++;
}

static int64_t number(source *from, int bytes)
{
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value = value << 8 | byte(from);
  return (int64_t)value;
}

static double real(source *from)
{
  static const double usual[] = {
    1, 0, -1, 0.5, 2, 1.5, 0.8, 1 / 3.0, 0.05, 100, 0.01, 1e-5, 65536, NAN, INFINITY, -INFINITY, DBL_MAX, DBL_MIN, 48, -48, 3.7, 1.1};
  uint8_t choice = byte(from);
  if (choice < 200) return usual[choice % (sizeof usual / sizeof *usual)];
  if (choice < 228) return (double)number(from, 2) / 1000;
  int64_t bits = number(from, 8);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static int32_t choice(source *from, int32_t count)
{
  uint8_t value = byte(from);
  if (value >= 252) return (int32_t)number(from, 4);
  return value % count;
}

static int64_t frames(source *from)
{
  static const int64_t odd[] = {-1, INT64_MIN, INT64_MAX, (int64_t)1 << 40, ((int64_t)1 << 40) + 1, (int64_t)1 << 62};
  uint8_t value = byte(from);
  if (value < 12) return odd[value % 6];
  if (value < 80) return value % 8;
  return number(from, 2) % MOST_FRAMES;
}

/* Memory for frames, with samples of all kinds; or a row of pointers to it. */
typedef struct { void *memory; void **rows; void *address; int64_t frames; } buffer;

static buffer make(source *from, const scaleaudio_settings *settings, int64_t count)
{
  static const size_t sizes[] = {4, 8, 2};
  buffer made = {0, 0, 0, count};
  size_t channels = settings->channels >= 1 && settings->channels <= 64 ? (size_t)settings->channels : 1;
  int32_t type = settings->sample_type >= 0 && settings->sample_type <= 2 ? settings->sample_type : 0;
  uint8_t kind = byte(from);
  if (kind % 16 == 0 || count < 0 || count > MOST_MADE) return made;
  size_t samples = channels * (size_t)count, size = sizes[type];
  made.memory = malloc(samples * size + 1);
  uint32_t state = (uint32_t)number(from, 2) + 1;
  for (size_t i = 0; i < samples; i++) {
    state = state * 1664525 + 1013904223;
    double value = kind % 16 == 1 ? 0 : (double)(int32_t)state / 2147483648.0;
    if (kind % 16 == 2 && state >> 24 < 20) value = state >> 16 & 1 ? NAN : INFINITY;
    if (kind % 16 == 3 && state >> 24 < 20) value *= type == 1 ? 1e300 : 3e38;
    if (kind % 16 == 4) value *= 1e-42;
    if (kind % 16 == 5) value = i % 100 == 0;
    if (type == 0) ((float *)made.memory)[i] = (float)value;
    else if (type == 1) ((double *)made.memory)[i] = value;
    else ((int16_t *)made.memory)[i] = (int16_t)(state >> 16);
  }
  made.address = made.memory;
  if (settings->layout == SCALEAUDIO_PLANAR) {
    made.rows = malloc(channels * sizeof(void *));
    for (size_t i = 0; i < channels; i++) made.rows[i] = (char *)made.memory + i * (size_t)count * size;
    if (kind % 16 == 6) made.rows[channels - 1] = 0;
    made.address = made.rows;
  }
  return made;
}

static void drop(buffer made) { free(made.memory); free(made.rows); }

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
  source from = {bytes, size};
  scaleaudio_settings settings;
  if (byte(&from) == 0) scaleaudio_defaults(0, sizeof settings);
  if (scaleaudio_defaults(&settings, sizeof settings)) abort();
  if (byte(&from) == 1) settings.size = (size_t)number(&from, 4);
  settings.method = choice(&from, 4);
  settings.quality = choice(&from, 3);
  settings.formants = choice(&from, 2);
  settings.sample_type = choice(&from, 3);
  settings.layout = choice(&from, 2);
  settings.dither = choice(&from, 2);
  settings.channels = byte(&from) < 230 ? 1 + byte(&from) % 3 : (int32_t)(int8_t)byte(&from);
  static const int32_t rates[] = {8000, 16000, 44100, 48000, 1000, 192000, 0, -1, 768000, INT32_MAX};
  uint8_t rate = byte(&from);
  settings.sample_rate = rate < 220 ? rates[rate % 10] : (int32_t)number(&from, 4);
  settings.factor = real(&from);
  settings.semitones = byte(&from) < 128 ? 0 : real(&from);
  settings.input_frames = byte(&from) < 128 ? -1 : frames(&from);
  settings.output_frames = byte(&from) < 200 ? -1 : frames(&from);
  double points[16];
  if (byte(&from) >= 170) {
    double place[2] = {0, 0};
    int count = byte(&from) % 8;
    for (int i = 0; i < count; i++) {
      for (int side = 0; side < 2; side++) {
        points[2 * i + side] = place[side];
        place[side] += byte(&from) < 240 ? (double)(number(&from, 2) & 4095) : real(&from);
      }
    }
    settings.map = points;
    settings.map_points = byte(&from) < 230 ? count : byte(&from) % 2 ? -count : 0;
  }
  const scaleaudio_settings *given = byte(&from) == 255 ? 0 : &settings;
  char message[64];
  size_t room = byte(&from) % 65;
  char *text = byte(&from) == 9 ? 0 : message;

  int64_t length = frames(&from);
  int64_t needed = scaleaudio_output_frames(given, length);
  if (length <= MOST_FRAMES && needed <= MOST_MADE) {
    buffer input = make(&from, &settings, length);
    buffer output = make(&from, &settings, byte(&from) < 200 ? needed : frames(&from));
    int64_t capacity = output.address ? output.frames : frames(&from) % 7;
    int64_t made = scaleaudio_scale(given, input.address, length, output.address, output.address ? capacity : 0, text, room);
    if (made >= 0 && made != needed) abort();
    if (made < SCALEAUDIO_FAILED) abort();
    drop(input);
    drop(output);
  }

  scaleaudio_scaler *scaler = 0;
  int32_t created = scaleaudio_create(given, byte(&from) == 7 ? 0 : &scaler, text, room);
  if ((created == 0) != (scaler != 0)) abort();
  int64_t pulled = 0;
  for (int turn = 0; turn < 60 && from.left > 0 && pulled < MOST_MADE; turn++) {
    scaleaudio_scaler *target = byte(&from) == 3 ? 0 : scaler;
    int64_t result = 0, count = frames(&from);
    buffer block = make(&from, &settings, count);
    if (!block.address && count > 0) count = byte(&from) % 2 ? 0 : count;
    switch (byte(&from) % 13) {
    case 0: case 1: case 2: case 3: result = scaleaudio_push(target, block.address, count); break;
    case 4: case 5: case 6: case 7:
      result = scaleaudio_pull(target, block.address, count);
      if (result > count && result > 0) abort();
      if (result > 0) pulled += result;
      break;
    case 8: result = scaleaudio_study(target, block.address, count); break;
    case 9: result = scaleaudio_end(target); break;
    case 10: result = scaleaudio_reset(target); break;
    case 11: result = scaleaudio_message(target, text, room); break;
    default: result = scaleaudio_begin(target, count); break;
    }
    if (result < SCALEAUDIO_FAILED) abort();
    if (result < 0 && !scaleaudio_error_text(result)[0]) abort();
    drop(block);
  }
  scaleaudio_destroy(scaler);
  return 0;
}
