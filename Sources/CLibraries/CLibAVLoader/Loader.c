// FFmpeg's libraries depend on about a hundred others, so they are loaded only when a file needs them.
#include "CLibAVLoader.h"

#include "../CLibAV/Functions.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>

#include "Loading.h"

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)

// The major version is part of the file name: another major version has other structures.
LIBRARY(
    "libavformat.so." NUMBER(LIBAVFORMAT_VERSION_MAJOR), LIBAV_FUNCTIONS, scaleaudio_libav_failure)

BEGIN_FORWARDING

F2(int, av_channel_layout_copy, AVChannelLayout *, const AVChannelLayout *)
F2(void, av_channel_layout_default, AVChannelLayout *, int)
F3(int, av_channel_layout_describe, const AVChannelLayout *, char *, size_t)
F2(int, av_channel_layout_from_mask, AVChannelLayout *, uint64_t)
F1(void, av_dict_free, AVDictionary **)
F4(AVDictionaryEntry *, av_dict_get, const AVDictionary *, const char *, const AVDictionaryEntry *, int)
F4(int, av_dict_set, AVDictionary **, const char *, const char *, int)
F1(const AVInputFormat *, av_find_input_format, const char *)
F0(AVFrame *, av_frame_alloc)
F1(void, av_frame_free, AVFrame **)
F2(int, av_frame_get_buffer, AVFrame *, int)
F1(int, av_frame_make_writable, AVFrame *)
F1(void, av_frame_unref, AVFrame *)
F1(void, av_free, void *)
F1(int, av_get_exact_bits_per_sample, enum AVCodecID)
F1(void, av_log_set_level, int)
F1(void *, av_malloc, size_t)
F1(void *, av_mallocz, size_t)
F1(void, av_max_alloc, size_t)
F4(int, av_opt_set, void *, const char *, const char *, int)
F0(AVPacket *, av_packet_alloc)
F1(void, av_packet_free, AVPacket **)
F2(int, av_packet_ref, AVPacket *, const AVPacket *)
F1(void, av_packet_unref, AVPacket *)
F3(const AVInputFormat *, av_probe_input_format3, const AVProbeData *, int, int *)
F2(int, av_read_frame, AVFormatContext *, AVPacket *)
F1(int, av_sample_fmt_is_planar, enum AVSampleFormat)
F4(int, av_seek_frame, AVFormatContext *, int, int64_t, int)
F3(int, av_strerror, int, char *, size_t)
F1(AVCodecContext *, avcodec_alloc_context3, const AVCodec *)
F1(const AVCodecDescriptor *, avcodec_descriptor_get, enum AVCodecID)
F1(const AVCodec *, avcodec_find_decoder, enum AVCodecID)
F1(const AVCodec *, avcodec_find_encoder_by_name, const char *)
F1(void, avcodec_free_context, AVCodecContext **)
F1(const char *, avcodec_get_name, enum AVCodecID)
F3(int, avcodec_open2, AVCodecContext *, const AVCodec *, AVDictionary **)
F2(int, avcodec_parameters_to_context, AVCodecContext *, const AVCodecParameters *)
F2(int, avcodec_receive_frame, AVCodecContext *, AVFrame *)
F2(int, avcodec_receive_packet, AVCodecContext *, AVPacket *)
F2(int, avcodec_send_frame, AVCodecContext *, const AVFrame *)
F2(int, avcodec_send_packet, AVCodecContext *, const AVPacket *)
F0(AVFormatContext *, avformat_alloc_context)
F1(void, avformat_close_input, AVFormatContext **)
F2(int, avformat_find_stream_info, AVFormatContext *, AVDictionary **)
F1(int, avformat_index_get_entries_count, const AVStream *)
F2(const AVIndexEntry *, avformat_index_get_entry, AVStream *, int)
F4(int, avformat_open_input, AVFormatContext **, const char *, const AVInputFormat *, AVDictionary **)
F1(void, avio_context_free, AVIOContext **)

AVIOContext *avio_alloc_context(
    unsigned char *buffer, int size, int is_writable, void *opaque,
    int (*read)(void *, uint8_t *, int), int (*write)(void *, uint8_t *, int),
    int64_t (*seek)(void *, int64_t, int)) {
  return p_avio_alloc_context(buffer, size, is_writable, opaque, read, write, seek);
}

END_FORWARDING
