# The schemas of the kinds of Kubernetes, that of definitions, and the words that operators write
# become a source of this module.
set(schemas ${CMAKE_SOURCE_DIR}/catalog/schemas/kubernetes.json
  ${CMAKE_SOURCE_DIR}/docs/definition.schema.json ${CMAKE_SOURCE_DIR}/catalog/schemas/words.json)
set(schemas_data ${CMAKE_BINARY_DIR}/generated/schemas_data.cc)
set(embed_schemas ${CMAKE_SOURCE_DIR}/src/schema/embed_schemas.py)
add_custom_command(OUTPUT ${schemas_data} COMMENT "Embedding schemas"
  COMMAND ${WMAP_PYTHON} -B ${embed_schemas} ${schemas_data} ${schemas}
  DEPENDS ${embed_schemas} ${schemas})
target_sources(wmap_schema PRIVATE ${schemas_data})
# The standard asks compilers for 65,536 bytes; ours take literals of any length.
set_source_files_properties(${schemas_data} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
add_custom_target(wmap_schemas_data DEPENDS ${schemas_data})
add_dependencies(wmap_schema wmap_schemas_data)
add_dependencies(wmap_generated wmap_schemas_data)
