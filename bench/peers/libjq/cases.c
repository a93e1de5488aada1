// Compiles and runs programs with libjq: a peer of the workload `expr`. bench/macro/expr_cases.cc
// says what the arguments are, what is measured and what is printed.
//
// A shared object that run.py loads beside a libjq. libjq is declared here, because no headers come
// with a Python package; what is used is the same in 1.6 and 1.8.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  unsigned char kind_flags;
  unsigned char pad_;
  unsigned short offset;
  int size;
  union {
    void* pointer;
    double number;
  } u;
} jv;

typedef struct jq_state jq_state;
extern jq_state* jq_init(void);
extern void jq_set_error_cb(jq_state*, void (*)(void*, jv), void*);
extern int jq_compile(jq_state*, const char*);
extern void jq_start(jq_state*, jv, int);
extern jv jq_next(jq_state*);
extern void jq_teardown(jq_state**);
extern int jv_get_kind(jv);
extern jv jv_copy(jv);
extern void jv_free(jv);
extern jv jv_null(void);
extern jv jv_string(const char*);
extern const char* jv_string_value(jv);
extern int jv_array_length(jv);
extern jv jv_array_get(jv, int);
extern jv jv_object_get(jv, jv);
extern jv jv_parse_sized(const char*, int);
extern jv jv_dump_string(jv, int);
extern int jv_invalid_has_msg(jv);
extern jv jv_invalid_get_msg(jv);
enum { kInvalid = 0, kString = 5 };

typedef struct {
  jv program;
  jv input;
  jq_state* compiled;
  jv* results;
  int count;
  jv error;  // null when there is none
} Case;

static double CpuNs(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

static jv Get(jv object, const char* key) { return jv_object_get(jv_copy(object), jv_string(key)); }

static void Quiet(void* data, jv message) {
  (void)data;
  jv_free(message);
}

static void CompileAll(Case* cases, int count) {
  for (int i = 0; i < count; ++i) {
    Case* item = &cases[i];
    if (item->compiled != NULL) jq_teardown(&item->compiled);
    item->compiled = jq_init();
    jq_set_error_cb(item->compiled, Quiet, NULL);
    if (jq_compile(item->compiled, jv_string_value(item->program))) continue;
    jq_teardown(&item->compiled);
    jv_free(item->error);
    item->error = jv_string("compile: refused");
  }
}

// Keeps the results; returns what it took.
static double Answer(Case* item) {
  if (item->compiled == NULL) return 0;
  const double start = CpuNs();
  int room = 0;
  jq_start(item->compiled, jv_copy(item->input), 0);
  jv result;
  while (jv_get_kind(result = jq_next(item->compiled)) != kInvalid) {
    if (item->count == room) {
      room = room * 2 + 16;
      item->results = realloc(item->results, room * sizeof *item->results);
    }
    item->results[item->count++] = result;
  }
  const double took = CpuNs() - start;
  if (jv_invalid_has_msg(jv_copy(result))) {
    jv message = jv_invalid_get_msg(result);
    item->error = jv_get_kind(message) == kString ? message : jv_dump_string(message, 0);
  }
  return took;
}

static void Run(Case* item) {
  jq_start(item->compiled, jv_copy(item->input), 0);
  jv result;
  while (jv_get_kind(result = jq_next(item->compiled)) != kInvalid) jv_free(result);
  jv_free(result);
}

static double Repeat(double first, double seconds, Case* cases, int count, bool compile) {
  const double limit = seconds * 1e9, start = CpuNs();
  if (first > limit) return first;
  double passed = 0;
  long times = 0;
  for (; passed < limit; ++times, passed = CpuNs() - start) {
    if (compile) CompileAll(cases, count);
    for (int i = 0; !compile && i < count; ++i) Run(&cases[i]);
  }
  return passed / times;
}

static bool AnyFails(const Case* cases, int count) {
  for (int i = 0; i < count; ++i) {
    if (jv_get_kind(cases[i].error) == kString) return true;
  }
  return false;
}

static void PrintTime(Case* cases, int count, bool only_compile, double seconds) {
  double first = 0;
  CompileAll(cases, count);
  for (int i = 0; !only_compile && i < count; ++i) first += Answer(&cases[i]);
  if (AnyFails(cases, count))
    printf("null");
  else
    printf("%f", Repeat(first, seconds, cases, count, only_compile));
}

static void PrintJson(jv value) {
  jv text = jv_dump_string(value, 0);
  fputs(jv_string_value(text), stdout);
  jv_free(text);
}

static void PrintAnswers(Case* cases, int count) {
  for (int i = 0; i < count; ++i) {
    printf("%s{\"results\":[", i > 0 ? "," : "");
    for (int k = 0; k < cases[i].count; ++k) {
      if (k > 0) printf(",");
      PrintJson(cases[i].results[k]);
    }
    printf("],\"error\":");
    PrintJson(cases[i].error);
    printf("}");
  }
}

static jv ReadFile(const char* name) {
  FILE* file = fopen(name, "rb");
  if (file == NULL) exit(1);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  char* text = malloc(size);
  if (fread(text, 1, size, file) != (size_t)size) exit(1);
  jv value = jv_parse_sized(text, (int)size);
  if (jv_get_kind(value) == kInvalid) exit(1);
  return value;
}

int run_cases(const char* name, const char* mode, double seconds) {
  jv file = ReadFile(name);
  jv inputs = Get(file, "inputs"), list = Get(file, "cases");
  const int count = jv_array_length(jv_copy(list));
  Case* cases = calloc(count, sizeof *cases);
  for (int i = 0; i < count; ++i) {
    jv item = jv_array_get(jv_copy(list), i), input = Get(item, "input");
    cases[i].program = Get(item, "program");
    const bool named = jv_get_kind(input) == kString;
    cases[i].input = named ? Get(inputs, jv_string_value(input)) : jv_null();
    cases[i].error = jv_null();
  }
  printf("{\"cpu_ns\":");
  PrintTime(cases, count, strcmp(mode, "compile") == 0, seconds);
  printf(",\"answers\":[");
  PrintAnswers(cases, count);
  printf("]}\n");
  fflush(stdout);
  return 0;
}
