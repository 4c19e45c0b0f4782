// The functions of FFmpeg's libraries that are called here. CLibAVLoader defines them, and has them call the
// library once it is loaded. Their symbols have names of their own: those of the library stay free for a program that
// links both. Include this before the library's headers.
#pragma once

#define LIBAV_FUNCTIONS(X)                                                                           \
  X(av_channel_layout_copy) X(av_channel_layout_default) X(av_channel_layout_describe)               \
  X(av_channel_layout_from_mask) X(av_dict_free) X(av_dict_get) X(av_dict_set)                       \
  X(av_find_input_format) X(av_frame_alloc) X(av_frame_free) X(av_frame_get_buffer)                  \
  X(av_frame_make_writable) X(av_free) X(av_get_exact_bits_per_sample) X(av_log_set_level)           \
  X(av_malloc) X(av_mallocz) X(av_max_alloc) X(av_opt_set) X(av_packet_alloc) X(av_packet_free)      \
  X(av_packet_ref) X(av_packet_unref) X(av_probe_input_format3) X(av_read_frame)                     \
  X(av_frame_unref) X(av_sample_fmt_is_planar) X(av_seek_frame) X(av_strerror) X(avcodec_alloc_context3) X(avcodec_descriptor_get)      \
  X(avcodec_find_decoder)                                                                            \
  X(avcodec_find_encoder_by_name) X(avcodec_free_context) X(avcodec_get_name) X(avcodec_open2)       \
  X(avcodec_parameters_to_context) X(avcodec_receive_frame) X(avcodec_receive_packet)                \
  X(avcodec_send_frame) X(avcodec_send_packet) X(avformat_alloc_context) X(avformat_close_input)     \
  X(avformat_find_stream_info) X(avformat_index_get_entries_count) X(avformat_index_get_entry)       \
  X(avformat_open_input) X(avio_alloc_context) X(avio_context_free)

#define SCALEAUDIO_PRAGMA(text) _Pragma(#text)
#define SCALEAUDIO_RENAME(name) SCALEAUDIO_PRAGMA(redefine_extname name scaleaudio_##name)
LIBAV_FUNCTIONS(SCALEAUDIO_RENAME)
