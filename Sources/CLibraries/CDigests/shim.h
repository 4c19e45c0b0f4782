// MD5 and SHA-256 under one set of names: libmd's on Linux, the system's own on macOS.
#pragma once
#ifdef __APPLE__
#include <CommonCrypto/CommonDigest.h>
typedef CC_MD5_CTX scaleaudio_md5;
static inline void scaleaudio_md5_begin(scaleaudio_md5 *md5) { CC_MD5_Init(md5); }
static inline void scaleaudio_md5_add(scaleaudio_md5 *md5, const void *bytes, size_t count) {
  CC_MD5_Update(md5, bytes, (CC_LONG)count);
}
static inline void scaleaudio_md5_end(scaleaudio_md5 *md5, unsigned char *digest) {
  CC_MD5_Final(digest, md5);
}
typedef CC_SHA256_CTX scaleaudio_sha256;
static inline void scaleaudio_sha256_begin(scaleaudio_sha256 *sha256) { CC_SHA256_Init(sha256); }
static inline void scaleaudio_sha256_add(
    scaleaudio_sha256 *sha256, const void *bytes, size_t count) {
  CC_SHA256_Update(sha256, bytes, (CC_LONG)count);
}
static inline void scaleaudio_sha256_end(scaleaudio_sha256 *sha256, unsigned char *digest) {
  CC_SHA256_Final(digest, sha256);
}
#else
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
#endif
