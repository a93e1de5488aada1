# The files of the catalog become a source of this module; their cases stand beside them.
file(GLOB catalog CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/catalog/*.yaml)
list(FILTER catalog EXCLUDE REGEX "\\.cases\\.yaml$")
set(catalog_data ${CMAKE_BINARY_DIR}/generated/catalog_data.cc)
set(embed ${CMAKE_SOURCE_DIR}/src/definition/embed_catalog.py)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
add_custom_command(OUTPUT ${catalog_data} COMMENT "Embedding the catalog"
  COMMAND ${WMAP_PYTHON} -B ${embed} ${catalog_data} ${catalog}
  DEPENDS ${embed} ${catalog})
target_sources(wmap_definition PRIVATE ${catalog_data})
# The standard asks compilers for 65,536 bytes; ours take literals of any length.
set_source_files_properties(${catalog_data} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
add_custom_target(wmap_catalog_data DEPENDS ${catalog_data})
add_dependencies(wmap_definition wmap_catalog_data)
add_dependencies(wmap_generated wmap_catalog_data)
