#ifndef SCALEAUDIO_QUIET_MPG123_H
#define SCALEAUDIO_QUIET_MPG123_H

/// libmpg123's function, called by libsndfile. This one takes its place, and turns messages on standard error off.
void *mpg123_new(const char *decoder, int *error);

#endif
