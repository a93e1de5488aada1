wmap_find_library(WMAP_RE2 NAME re2 HEADER re2/re2.h)
target_link_libraries(wmap_regex PRIVATE ${WMAP_RE2})
