# Only its headers are needed: the library itself is loaded when a cluster is talked to (curl.h).
find_path(WMAP_CURL_HEADERS curl/curl.h)
if(NOT WMAP_CURL_HEADERS)
  message(FATAL_ERROR "curl/curl.h is missing: run ./dev setup build")
endif()
target_link_libraries(wmap_kube PRIVATE ${CMAKE_DL_LIBS})
