// MD5 and SHA-256 of libmd, under names that no other library uses.
#pragma once
#include <sys/types.h>
#include <md5.h>
#include <sha2.h>
typedef MD5_CTX scaleaudio_md5;
static inline void scaleaudio_md5_begin(scaleaudio_md5 *md5) { MD5Init(md5); }
static inline void scaleaudio_md5_add(scaleaudio_md5 *md5, const void *bytes, size_t count) {
  MD5Update(md5, bytes, count);
}
static inline void scaleaudio_md5_end(scaleaudio_md5 *md5, unsigned char *digest) {
  MD5Final(digest, md5);
}
typedef SHA2_CTX scaleaudio_sha256;
static inline void scaleaudio_sha256_begin(scaleaudio_sha256 *sha256) { SHA256Init(sha256); }
static inline void scaleaudio_sha256_add(
    scaleaudio_sha256 *sha256, const void *bytes, size_t count) {
  SHA256Update(sha256, (const uint8_t *)bytes, count);
}
static inline void scaleaudio_sha256_end(scaleaudio_sha256 *sha256, unsigned char *digest) {
  SHA256Final(digest, sha256);
}
