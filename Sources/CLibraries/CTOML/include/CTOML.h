// A C interface to toml++: the values of a TOML document with their places. No C++ exception leaves these functions.
#ifndef CTOML_H
#define CTOML_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CTOML_TABLE,
  CTOML_ARRAY,
  CTOML_STRING,
  CTOML_INTEGER,
  CTOML_FLOAT,
  CTOML_BOOLEAN,
  /// A date or a time.
  CTOML_TIME,
} ctoml_kind;

/// A parsed document, which owns its nodes.
typedef struct ctoml_document ctoml_document;
/// A value of a document.
typedef struct ctoml_node ctoml_node;

/// Why a document could not be parsed.
typedef struct {
  /// UTF-8, cut where it is longer.
  char reason[256];
  /// From 1; 0 if it is not known.
  unsigned line;
} ctoml_failure;

/// Parses a document, or returns null and fills in `failure`.
ctoml_document *ctoml_parse(const char *bytes, size_t count, ctoml_failure *failure);
void ctoml_free(ctoml_document *document);

/// The table of the whole document.
const ctoml_node *ctoml_root(const ctoml_document *document);
ctoml_kind ctoml_kind_of(const ctoml_node *node);
/// The number of values in a table or an array; 0 for other nodes.
size_t ctoml_count(const ctoml_node *node);
/// A value in a table or an array; the order of a table is that of its keys. Null if there is none.
const ctoml_node *ctoml_child(const ctoml_node *node, size_t index);
/// The key of a value in a table, in UTF-8 without a terminator, and its line, from 1.
const char *ctoml_key(const ctoml_node *table, size_t index, size_t *count, unsigned *line);
/// The text of a string, in UTF-8 without a terminator.
const char *ctoml_string(const ctoml_node *node, size_t *count);
long long ctoml_integer(const ctoml_node *node);
double ctoml_float(const ctoml_node *node);
bool ctoml_boolean(const ctoml_node *node);

#ifdef __cplusplus
}
#endif

#endif
