#pragma once

#include <stddef.h>

// POSIX.1-2017, wcwidth(): <wchar.h> shows it only to X/Open programs, which Swift's Glibc is not.
extern int wcwidth(wchar_t character);
