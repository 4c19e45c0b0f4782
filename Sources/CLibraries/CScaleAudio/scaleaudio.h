/* libscaleaudio: makes audio in memory longer or shorter, exact to the frame.

   Samples in, samples out; the library reads no files, starts no threads and prints nothing. Its output is that of the
   program scaleaudio, bit for bit, whatever the sizes of blocks. A frame is one sample of every channel. Floating-point
   samples have a full scale of 1; those that are NaN, infinite or at least 2^1000 count as silence.

     #include <scaleaudio.h>

     // Makes a mono signal of 16 kHz 1.25 times as fast, at the same pitch. Returns the frames made.
     int64_t faster(const float *input, int64_t frames, float *output, int64_t capacity)
     {
       scaleaudio_settings settings;
       scaleaudio_defaults(&settings, sizeof settings);
       settings.method = SCALEAUDIO_STRETCH;
       settings.sample_rate = 16000;
       settings.factor = 1 / 1.25;
       char message[256];
       int64_t made = scaleaudio_scale(&settings, input, frames, output, capacity, message, sizeof message);
       if (made < 0) fprintf(stderr, "%s\n", message);
       return made;
     }

   Blocks: create, then push and pull in turn; after the last push, end, and pull until it returns 0. One scaler belongs to
   one thread at a time; any number of scalers may work at the same time, also in processes after fork().

   Every argument is checked, except that a pointer that is not NULL must be valid for the frames that are announced with
   it. Functions return 0 or a count, or an error below 0: one of SCALEAUDIO_INVALID and so on. */

#ifndef SCALEAUDIO_H
#define SCALEAUDIO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version, and the number that changes when a program must be compiled again. */
#define SCALEAUDIO_VERSION "0.1.0"
#define SCALEAUDIO_ABI 0

/* Errors. */
enum {
  SCALEAUDIO_INVALID = -1,      /* a pointer is NULL, a count is negative, or settings have another size */
  SCALEAUDIO_OUT_OF_RANGE = -2, /* a setting or a length that the method does not support */
  SCALEAUDIO_WRONG_ORDER = -3,  /* a call at the wrong time, such as a push after the end */
  SCALEAUDIO_WRONG_LENGTH = -4, /* more or fewer frames than were announced, or too little room for the output */
  SCALEAUDIO_FAILED = -5        /* the library behind a method failed */
};

/* settings.method */
enum {
  SCALEAUDIO_SMOOTHSTEP = 0, /* interpolation eased by smoothstep; speed and pitch change together */
  SCALEAUDIO_LINEAR = 1,     /* linear interpolation; speed and pitch change together */
  SCALEAUDIO_SINC = 2,       /* band-limited interpolation, a resampler; speed and pitch change together */
  SCALEAUDIO_STRETCH = 3     /* keeps the pitch, or shifts it independently */
};

/* settings.quality, of SCALEAUDIO_SINC */
enum { SCALEAUDIO_FAST = 0, SCALEAUDIO_HIGH = 1, SCALEAUDIO_BEST = 2 };

/* settings.formants, of SCALEAUDIO_STRETCH: they move with the pitch, or stay in place */
enum { SCALEAUDIO_SHIFT = 0, SCALEAUDIO_PRESERVE = 1 };

/* settings.sample_type, of input and output */
enum { SCALEAUDIO_FLOAT32 = 0, SCALEAUDIO_FLOAT64 = 1, SCALEAUDIO_INT16 = 2 };

/* settings.layout, of input and output. Interleaved frames are an array of samples. Planar ones are an array of pointers,
   one for each channel: pass a `float *const *`. */
enum { SCALEAUDIO_INTERLEAVED = 0, SCALEAUDIO_PLANAR = 1 };

/* settings.dither, of SCALEAUDIO_INT16: noise when samples that were computed in floating point are rounded, by a formula
   that repeats; or rounding to nearest */
enum { SCALEAUDIO_DITHER = 0, SCALEAUDIO_ROUND = 1 };

typedef struct scaleaudio_settings {
  size_t size;           /* set by scaleaudio_defaults */
  int32_t method;        /* default SCALEAUDIO_SMOOTHSTEP */
  int32_t quality;       /* default SCALEAUDIO_HIGH */
  int32_t formants;      /* default SCALEAUDIO_SHIFT */
  int32_t sample_type;   /* default SCALEAUDIO_FLOAT32 */
  int32_t layout;        /* default SCALEAUDIO_INTERLEAVED */
  int32_t dither;        /* default SCALEAUDIO_DITHER */
  int32_t channels;      /* 1 to 64; default 1 */
  int32_t sample_rate;   /* in Hz, 1000 to 768000; default 44100; only SCALEAUDIO_STRETCH uses it */
  double factor;         /* output length / input length: 0.01 to 100; stretch 0.05 to 100; sinc 1/65536 to 65536. 1 / speed
                            for a speed, new / old sample rate to resample. Default 1; 0 for output_frames / input_frames */
  double semitones;      /* shift of the pitch, -48 to 48, only with SCALEAUDIO_STRETCH; default 0 */
  int64_t input_frames;  /* frames that will be pushed, at most 2^40; default -1: as many as are pushed before the end */
  int64_t output_frames; /* frames to make; default -1: input frames times the factor, truncated */
  const double *map;     /* a factor that changes, only with SCALEAUDIO_STRETCH: pairs of a position in the input and one in
                            the output, in frames, rising from 0, 0 to the end of the input or beyond. It is copied, and
                            replaces factor and output_frames. Default NULL */
  int64_t map_points;    /* the number of pairs, at least 2 and at most 2^24; default 0 */
} scaleaudio_settings;

typedef struct scaleaudio_scaler scaleaudio_scaler;

/* SCALEAUDIO_ABI and SCALEAUDIO_VERSION of the library that is loaded. */
int32_t scaleaudio_abi(void);
const char *scaleaudio_version(void);

/* The meaning of an error, in a few words; the text stays. */
const char *scaleaudio_error_text(int64_t error);

/* Sets defaults; `size` is sizeof(scaleaudio_settings). */
int32_t scaleaudio_defaults(scaleaudio_settings *settings, size_t size);

/* The frames that settings make of a number of input frames. */
int64_t scaleaudio_output_frames(const scaleaudio_settings *settings, int64_t input_frames);

/* Scales a whole signal, and returns the frames made; input_frames in the settings is ignored. `capacity` is the room in
   `output`, in frames: at least scaleaudio_output_frames. Input and output must not overlap. After an error, `message`
   holds what is wrong, ended by 0 and cut to `message_size` bytes; it may be NULL. */
int64_t scaleaudio_scale(
  const scaleaudio_settings *settings, const void *input, int64_t frames, void *output, int64_t capacity, char *message,
  size_t message_size);

/* Makes a scaler, and stores it in `scaler`, or NULL after an error. */
int32_t scaleaudio_create(
  const scaleaudio_settings *settings, scaleaudio_scaler **scaler, char *message, size_t message_size);

/* Frees a scaler; NULL is left alone. */
void scaleaudio_destroy(scaleaudio_scaler *scaler);

/* Gives SCALEAUDIO_STRETCH, which must know the attacks of the whole input beforehand, the next frames of a first pass; the
   second pass pushes them. Needs input_frames. Without it, the scaler keeps the input in memory until the end.
   Other methods ignore it. */
int32_t scaleaudio_study(scaleaudio_scaler *scaler, const void *input, int64_t frames);

/* Gives the next frames of the input, all of which are taken: those that the scaler does not need at once are copied. */
int32_t scaleaudio_push(scaleaudio_scaler *scaler, const void *input, int64_t frames);

/* Declares the input complete. */
int32_t scaleaudio_end(scaleaudio_scaler *scaler);

/* Makes up to `capacity` frames, and returns how many; 0 if more input is needed, and after the end, when all were made.
   SCALEAUDIO_SINC, and every method that changes nothing, makes frames as input comes, SCALEAUDIO_SMOOTHSTEP and SCALEAUDIO_LINEAR if input_frames is known,
   SCALEAUDIO_STRETCH if it was studied; otherwise frames come after the end. */
int64_t scaleaudio_pull(scaleaudio_scaler *scaler, void *output, int64_t capacity);

/* Returns a scaler to the state of a new one. */
int32_t scaleaudio_reset(scaleaudio_scaler *scaler);

/* Resets a scaler, so that the next frame pulled is the output frame `frame`. Returns the first input frame to push: 0, or
   where the method can begin near it. The output is that of a run from the start; of SCALEAUDIO_SINC, within 2e-6 of full
   scale, with SCALEAUDIO_FAST within 2e-5, with SCALEAUDIO_BEST within 1e-8. Needs input_frames. */
int64_t scaleaudio_begin(scaleaudio_scaler *scaler, int64_t frame);

/* Writes the sentence of the last error of a scaler, ended by 0 and cut to `message_size` bytes; empty before the first. */
int32_t scaleaudio_message(const scaleaudio_scaler *scaler, char *message, size_t message_size);

#ifdef __cplusplus
}
#endif
#endif
