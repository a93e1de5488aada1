# Build rules shared by all modules. A module is a folder under src/: its *.cc files become the
# library wmap_<module>, its *_test.cc files the test program wmap_<module>_test.

set(WMAP_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast)
# GCC 12 sees overruns in std::string and std::vector that are not there once it has inlined enough
# (its bugs 105329, 105651, 107852); the sanitizers watch the real ones.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND WMAP_WARNINGS -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
    -Wno-stringop-overread -Wno-maybe-uninitialized -Wno-free-nonheap-object)
else()
  # Clang takes the C++ library's own std::stable_sort for a use of something deprecated of ours.
  list(APPEND WMAP_WARNINGS -Wno-deprecated-declarations)
endif()

add_library(wmap_flags INTERFACE)
target_compile_options(wmap_flags INTERFACE ${WMAP_WARNINGS})
target_include_directories(wmap_flags INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
# What is built does not depend on where it is built.
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(WMAP_STRICT)
  target_compile_options(wmap_flags INTERFACE -Werror)
endif()
if(WMAP_SANITIZE)
  target_compile_options(wmap_flags INTERFACE
    -fsanitize=${WMAP_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # This check needs type information, which the library's classes have none of.
    -fno-sanitize=vptr)
  target_link_options(wmap_flags INTERFACE -fsanitize=${WMAP_SANITIZE})
endif()
if(WMAP_FUZZ)
  target_compile_options(wmap_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(WMAP_HARDEN)
  # Measured with the JSON reader: 2 % in all, of which the assertions of the C++ library cost nothing.
  target_compile_options(wmap_flags INTERFACE
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fcf-protection
    -ffunction-sections -fdata-sections)
  target_link_options(wmap_flags INTERFACE -Wl,-z,relro,-z,now -Wl,--gc-sections)
endif()
if(WMAP_HARDEN OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(wmap_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()

# A short process spends its time in the dynamic loader, so archives are preferred where the
# distribution has them; sanitizer run times want the shared C++ library.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
if(NOT WMAP_SANITIZE)
  set(WMAP_PROGRAM_LINK_OPTIONS -static-libstdc++ -static-libgcc)
endif()

find_program(WMAP_CCACHE ccache)
if(WMAP_CCACHE)
  # Precompiled headers are only cached with this sloppiness; the base folder lets a fresh clone
  # profit from the objects of another.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    ${WMAP_CCACHE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()
find_program(WMAP_MOLD mold)
if(WMAP_MOLD)
  target_link_options(wmap_flags INTERFACE -fuse-ld=mold)
endif()

# The library modules neither throw nor use run-time type information, so that they also build for
# WebAssembly.
set(WMAP_LIBRARY_FLAGS -fno-exceptions -fno-rtti)
# What tests spend their time in is optimized; their own text is not worth the minutes that it takes
# the compiler.
set(WMAP_TEST_FLAGS ${WMAP_LIBRARY_FLAGS} $<$<CONFIG:Release>:-O1>)

# What tools/lint must build before it can read the sources; a module with generated sources adds
# their target to it with add_dependencies().
add_custom_target(wmap_generated)

# The distribution's Python: the scripts need its PyYAML, which another python3 on the PATH may lack.
find_program(WMAP_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(NOT WMAP_PYTHON)
  find_program(WMAP_PYTHON python3 REQUIRED)
endif()

# wmap_find_library(<variable> NAME <library> HEADER <header>): the path of a C or C++ library of
# the distribution, an archive where there is one; stops with a hint when it is missing.
function(wmap_find_library variable)
  cmake_parse_arguments(ARG "" "NAME;HEADER" "" ${ARGN})
  find_path(${variable}_HEADER ${ARG_HEADER})
  find_library(${variable} NAMES ${ARG_NAME})
  if(NOT ${variable} OR NOT ${variable}_HEADER)
    message(FATAL_ERROR "lib${ARG_NAME} with ${ARG_HEADER} is missing: run ./dev setup build")
  endif()
endfunction()

# Results of all tests, one JUnit file per ctest entry; tools/count_tests sums them.
set(WMAP_RESULTS ${CMAKE_BINARY_DIR}/results)

if(WMAP_TESTS)
  find_package(GTest REQUIRED)
  # Compiles the test framework's headers once for all test programs.
  file(GLOB support CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/support/*.cc)
  list(FILTER support EXCLUDE REGEX "_test\\.cc$")
  add_library(wmap_test_main STATIC ${CMAKE_SOURCE_DIR}/tests/main.cc ${support})
  target_link_libraries(wmap_test_main PUBLIC wmap_flags GTest::gmock)
  target_include_directories(wmap_test_main PUBLIC ${CMAKE_SOURCE_DIR})
  set_source_files_properties(${CMAKE_SOURCE_DIR}/tests/support/shared_data.cc PROPERTIES
    COMPILE_DEFINITIONS WMAP_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_compile_options(wmap_test_main PRIVATE ${WMAP_TEST_FLAGS})
  target_precompile_headers(wmap_test_main PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
  add_custom_target(wmap_thread_tests)
endif()

# wmap_test(<name> SOURCES <files> USES <libraries> [FLAGS <options>])
# One process per test program: starting one per test case would cost more than the tests. Test
# suites named *Threads share objects between threads; they are the entry <name>.threads, which is
# all that the TSan build makes (target wmap_thread_tests) and runs (label threads).
function(wmap_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;USES;FLAGS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE wmap_test_main ${ARG_USES})
  target_compile_options(${name} PRIVATE ${WMAP_TEST_FLAGS} ${ARG_FLAGS})
  target_precompile_headers(${name} REUSE_FROM wmap_test_main)
  wmap_test_entry(${name} ${name} -*Threads.* unit)
  foreach(source ${ARG_SOURCES})
    file(STRINGS ${source} threads REGEX "^TEST(_F|_P)?\\([A-Za-z0-9]*Threads,")
    if(threads)
      wmap_test_entry(${name}.threads ${name} *Threads.* threads)
      add_dependencies(wmap_thread_tests ${name})
      break()
    endif()
  endforeach()
endfunction()

# A ctest entry: the suites of `program` that `filter` selects.
function(wmap_test_entry name program filter label)
  add_test(NAME ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} COMMAND ${program} --gtest_brief=1
    --gtest_filter=${filter} --gtest_output=xml:${WMAP_RESULTS}/${name}.xml)
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 300)
endfunction()

# wmap_module(<folder> USES <modules>)
function(wmap_module module)
  cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${module}/*.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_(test|fuzzer)\\.cc$")
  list(TRANSFORM ARG_USES PREPEND wmap_)
  set(library wmap_${module})
  if(sources)
    add_library(${library} STATIC ${sources})
    target_link_libraries(${library} PUBLIC wmap_flags ${ARG_USES})
    target_compile_options(${library} PRIVATE ${WMAP_LIBRARY_FLAGS})
  else()
    add_library(${library} INTERFACE)
    target_link_libraries(${library} INTERFACE wmap_flags ${ARG_USES})
  endif()
  set(rules ${CMAKE_SOURCE_DIR}/src/${module}/module.cmake)
  if(sources AND EXISTS ${rules})
    include(${rules})
  endif()
  if(WMAP_TESTS AND tests)
    wmap_test(${library}_test SOURCES ${tests} USES ${library})
  endif()
endfunction()

# wmap_program(<folder> USES <modules>): as wmap_module, and main.cc becomes the program `wmap`.
# Programs may throw: the third-party libraries that they use do.
function(wmap_program module)
  cmake_parse_arguments(ARG "" "" "USES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${module}/*.cc)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "_(test|fuzzer)\\.cc$|/main\\.cc$")
  list(TRANSFORM ARG_USES PREPEND wmap_)
  if(NOT sources)
    return()
  endif()
  add_library(wmap_${module} STATIC ${sources})
  target_link_libraries(wmap_${module} PUBLIC wmap_flags ${ARG_USES})
  add_executable(wmap ${CMAKE_SOURCE_DIR}/src/${module}/main.cc)
  target_link_libraries(wmap PRIVATE wmap_${module})
  target_link_options(wmap PRIVATE ${WMAP_PROGRAM_LINK_OPTIONS})
  set(rules ${CMAKE_SOURCE_DIR}/src/${module}/module.cmake)
  if(EXISTS ${rules})
    include(${rules})
  endif()
  if(WMAP_TESTS AND tests)
    wmap_test(wmap_${module}_test SOURCES ${tests} USES wmap_${module})
  endif()
endfunction()
