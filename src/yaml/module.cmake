wmap_find_library(WMAP_LIBYAML NAME yaml HEADER yaml.h)
target_link_libraries(wmap_yaml PRIVATE ${WMAP_LIBYAML})
