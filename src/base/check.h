// WMAP_CHECK(condition): stops the program when an invariant of our own is broken. Never reached
// by user input, whatever it is: bad input is an Error.
#pragma once

#include <cstdio>
#include <cstdlib>

#define WMAP_CHECK(condition)                                                              \
  do {                                                                                     \
    if (!(condition)) [[unlikely]] {                                                       \
      ::std::fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition); \
      ::std::abort();                                                                      \
    }                                                                                      \
  } while (false)
