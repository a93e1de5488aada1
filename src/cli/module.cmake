# CLI11 is header-only and included by app.cc alone.
target_compile_definitions(wmap_cli PUBLIC WMAP_VERSION="${PROJECT_VERSION}")
# kubectl finds its plugins, and what completes their words, by name.
include(GNUInstallDirs)
install(TARGETS wmap RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(CODE "
  foreach(name kubectl-wmap kubectl_complete-wmap)
    file(CREATE_LINK wmap \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/\${name}\" SYMBOLIC)
  endforeach()")
