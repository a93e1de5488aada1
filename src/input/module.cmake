wmap_find_library(WMAP_ZLIB NAME z HEADER zlib.h)
target_link_libraries(wmap_input PRIVATE ${WMAP_ZLIB})
