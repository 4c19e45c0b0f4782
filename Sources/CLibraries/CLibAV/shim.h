// FFmpeg's libraries, and the constants that Swift does not import because they are macros.
#include "Functions.h"

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>

static const int scaleaudio_averror_eof = AVERROR_EOF;
static const int scaleaudio_averror_invaliddata = AVERROR_INVALIDDATA;
static const int scaleaudio_averror_patchwelcome = AVERROR_PATCHWELCOME;
static const int scaleaudio_averror_decoder_not_found = AVERROR_DECODER_NOT_FOUND;
static const int scaleaudio_averror_eagain = AVERROR(EAGAIN);
static const int scaleaudio_averror_invalid_data = AVERROR_INVALIDDATA;
static const int64_t scaleaudio_av_nopts_value = AV_NOPTS_VALUE;
