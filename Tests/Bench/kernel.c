// Has the fastest kernel make frames of noise again and again, for scripts/bench; prints nanoseconds for an output frame,
// a line for each time.
//
//   main int16|int32|double CHANNELS FACTOR linear|smoothstep TIMES

#define _POSIX_C_SOURCE 199309L

#include "CKernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 4096, MOST_CHANNELS = 8, BLOCKS_AT_A_TIME = 2000 };

static union {
  int16_t int16[BLOCK * MOST_CHANNELS];
  int32_t int32[BLOCK * MOST_CHANNELS];
  double floating[BLOCK * MOST_CHANNELS];
} input;

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 6) return 64;
  const char *type = arguments[1];
  const int channels = atoi(arguments[2]);
  const double factor = atof(arguments[3]);
  if (channels < 1 || channels > MOST_CHANNELS || !(factor > 0 && factor <= 100)) return 64;

  uint32_t random = 1;
  for (int i = 0; i < BLOCK * channels; i++) {
    random = random * 1664525 + 1013904223;
    const int32_t value = (int32_t)random >> 17;
    if (strcmp(type, "int16") == 0) input.int16[i] = (int16_t)value;
    else if (strcmp(type, "int32") == 0) input.int32[i] = value << 8;
    else input.floating[i] = value / 32768.0;
  }
  struct scaleaudio_interpolation work = {
    .input = &input,
    .input_frames = BLOCK,
    .output_frames = (int64_t)((BLOCK - 3) * factor),
    .channels = channels,
    .is_eased = strcmp(arguments[4], "smoothstep") == 0 && factor > 1,
  };
  // A little off the factor, as lengths in whole frames are.
  work.spacing = work.is_eased ? factor * (1 + 1e-7) : 1 / factor * (1 - 1e-7);
  double *output = malloc((size_t)work.output_frames * (size_t)channels * sizeof(double));
  if (!output) return 71;
  work.output = output;
  const enum scaleaudio_kernel_sample sample = strcmp(type, "int16") == 0 ? SCALEAUDIO_KERNEL_INT16
    : strcmp(type, "int32") == 0                                          ? SCALEAUDIO_KERNEL_INT32
                                                                          : SCALEAUDIO_KERNEL_DOUBLE;
  for (int times = atoi(arguments[5]); times > 0; times--) {
    const double start = nanoseconds();
    for (int block = 0; block < BLOCKS_AT_A_TIME; block++)
      scaleaudio_interpolate(scaleaudio_kernel_best_level(), sample, &work);
    const double taken = nanoseconds() - start;
    printf("%.4f\n", taken / BLOCKS_AT_A_TIME / (double)work.output_frames);
  }
  free(output);
}
