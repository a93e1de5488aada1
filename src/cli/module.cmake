# CLI11 is header-only and included by app.cc alone.
target_compile_definitions(wmap_cli PUBLIC WMAP_VERSION="${PROJECT_VERSION}")
