# Installs the program, the library with its headers, and a CMake package for consumers.
include(CMakePackageConfigHelpers)

install(TARGETS reissue EXPORT reissueTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS reissue_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

get_property(modules GLOBAL PROPERTY REISSUE_MODULE_PATHS)
foreach(module IN LISTS modules)
  file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${module}/*.h")
  install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/reissue/${module})
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/reissue)
install(EXPORT reissueTargets NAMESPACE reissue:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/reissueConfig.cmake.in
  ${PROJECT_BINARY_DIR}/reissueConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/reissueConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/reissueConfig.cmake ${PROJECT_BINARY_DIR}/reissueConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/Clp.cmake ${CMAKE_CURRENT_LIST_DIR}/Fplll.cmake ${CMAKE_CURRENT_LIST_DIR}/Lemon.cmake
  DESTINATION ${package_dir})
