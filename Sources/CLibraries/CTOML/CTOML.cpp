#define TOML_HEADER_ONLY 0
#define TOML_ENABLE_FORMATTERS 0
#include "CTOML.h"

#include <cstdio>
#include <iterator>
#include <new>
#include <string_view>

#include <toml++/toml.h>

struct ctoml_document {
  toml::table root;
};

namespace {

const toml::node *node_of(const ctoml_node *node) {
  return reinterpret_cast<const toml::node *>(node);
}

const ctoml_node *view(const toml::node *node) {
  return reinterpret_cast<const ctoml_node *>(node);
}

void fill(ctoml_failure *failure, std::string_view reason, unsigned line) {
  std::snprintf(
    failure->reason, sizeof failure->reason, "%.*s", static_cast<int>(reason.size()),
    reason.data());
  failure->line = line;
}

}  // namespace

ctoml_document *ctoml_parse(const char *bytes, size_t count, ctoml_failure *failure) {
  try {
    return new ctoml_document{toml::parse(std::string_view(bytes, count))};
  } catch (const toml::parse_error &error) {
    fill(failure, error.description(), error.source().begin.line);
  } catch (const std::exception &error) {
    fill(failure, error.what(), 0);
  } catch (...) {
    fill(failure, "the parser failed", 0);
  }
  return nullptr;
}

void ctoml_free(ctoml_document *document) { delete document; }

const ctoml_node *ctoml_root(const ctoml_document *document) {
  return view(static_cast<const toml::node *>(&document->root));
}

ctoml_kind ctoml_kind_of(const ctoml_node *node) {
  switch (node_of(node)->type()) {
    case toml::node_type::table: return CTOML_TABLE;
    case toml::node_type::array: return CTOML_ARRAY;
    case toml::node_type::string: return CTOML_STRING;
    case toml::node_type::integer: return CTOML_INTEGER;
    case toml::node_type::floating_point: return CTOML_FLOAT;
    case toml::node_type::boolean: return CTOML_BOOLEAN;
    default: return CTOML_TIME;
  }
}

size_t ctoml_count(const ctoml_node *node) {
  if (const toml::table *table = node_of(node)->as_table()) return table->size();
  if (const toml::array *array = node_of(node)->as_array()) return array->size();
  return 0;
}

const ctoml_node *ctoml_child(const ctoml_node *node, size_t index) {
  if (index >= ctoml_count(node)) return nullptr;
  if (const toml::table *table = node_of(node)->as_table()) {
    return view(&std::next(table->begin(), static_cast<std::ptrdiff_t>(index))->second);
  }
  return view(&(*node_of(node)->as_array())[index]);
}

const char *ctoml_key(const ctoml_node *node, size_t index, size_t *count, unsigned *line) {
  const toml::table *table = node_of(node)->as_table();
  if (!table || index >= table->size()) return nullptr;
  const toml::key &key = std::next(table->begin(), static_cast<std::ptrdiff_t>(index))->first;
  *count = key.str().size();
  *line = key.source().begin.line;
  return key.str().data();
}

const char *ctoml_string(const ctoml_node *node, size_t *count) {
  const toml::value<std::string> *text = node_of(node)->as_string();
  if (!text) return nullptr;
  *count = text->get().size();
  return text->get().data();
}

long long ctoml_integer(const ctoml_node *node) {
  const toml::value<int64_t> *value = node_of(node)->as_integer();
  return value ? value->get() : 0;
}

double ctoml_float(const ctoml_node *node) {
  const toml::value<double> *value = node_of(node)->as_floating_point();
  return value ? value->get() : 0;
}

bool ctoml_boolean(const ctoml_node *node) {
  const toml::value<bool> *value = node_of(node)->as_boolean();
  return value && value->get();
}
