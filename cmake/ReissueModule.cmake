# One function makes a module: an object library with an include root of its own.
#
#   reissue_module(models/k/adversary
#     SOURCES attack.cc
#     TESTS   attack_test.cc
#     DEPENDS core taxonomy models/k/release      # modules whose headers it may include
#     LINK    fmt::fmt)                           # third-party targets
#
# COLD: nothing in it is hot, so it is compiled quickly. MILD: so it is where it is only checked (by
# sanitizers), and not where it is used. HOT_TESTS: its tests do much work themselves,
# so they are optimised; others compile quicker without.
#
# A module is compiled with the include roots of itself and of its declared dependencies and no
# others, so an undeclared include does not compile. All modules together make the library `reissue`.

add_library(reissue_flags INTERFACE)
target_compile_options(reissue_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                       -Woverloaded-virtual -Wimplicit-fallthrough)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # False alarms of GCC 12 on std::string (GCC bug 105651).
  target_compile_options(reissue_flags INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  # std::stable_sort of libstdc++ 12 uses what it deprecates itself.
  target_compile_options(reissue_flags INTERFACE -Wno-deprecated-declarations)
endif()
if(REISSUE_WERROR)
  target_compile_options(reissue_flags INTERFACE -Werror)
endif()
# Paths of the machine that builds stay out of what is built.
target_compile_options(reissue_flags INTERFACE -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(REISSUE_SANITIZE)
  target_compile_definitions(reissue_flags INTERFACE REISSUE_SANITIZED)
  target_compile_options(reissue_flags INTERFACE -fsanitize=${REISSUE_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(reissue_flags INTERFACE -fsanitize=${REISSUE_SANITIZE})
endif()
if(REISSUE_FUZZ)
  target_compile_options(reissue_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# What is shipped checks the bounds of its containers, its stack and its jumps; `tests/arch` looks for the
# traces of it in the program.
add_library(reissue_hardening INTERFACE)
if(REISSUE_HARDEN AND NOT REISSUE_SANITIZE)
  target_compile_options(reissue_hardening INTERFACE -fstack-protector-strong -D_GLIBCXX_ASSERTIONS
                         $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
  target_link_options(reissue_hardening INTERFACE LINKER:-z,relro,-z,now,-z,noexecstack)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(reissue_hardening INTERFACE -fcf-protection=full)
  endif()
endif()

function(reissue_target_name module out)
  string(REPLACE "/" "_" name "${module}")
  string(REPLACE "-" "_" name "${name}")
  set(${out} "reissue_${name}" PARENT_SCOPE)
endfunction()

# The directory that holds `reissue/<module>` and nothing else. The roots are the same for all build
# directories of a checkout, so that ccache recognises what another preset has compiled.
function(reissue_include_root module out)
  set(${out} "${PROJECT_SOURCE_DIR}/build/include-roots/${module}/root" PARENT_SCOPE)
endfunction()

# Lets a target include the headers of the named modules.
function(reissue_see target)
  foreach(module IN LISTS ARGN)
    reissue_include_root(${module} root)
    target_include_directories(${target} PRIVATE ${root})
  endforeach()
endfunction()

# The named modules and all that they depend on.
function(reissue_closure out)
  set(waiting ${ARGN})
  set(closure)
  while(waiting)
    list(POP_FRONT waiting module)
    if(module IN_LIST closure)
      continue()
    endif()
    list(APPEND closure ${module})
    get_property(depends GLOBAL PROPERTY REISSUE_DEPENDS_${module})
    list(APPEND waiting ${depends})
  endwhile()
  set(${out} ${closure} PARENT_SCOPE)
endfunction()

# Lets a front end include the headers of the named modules and of all that they depend on.
function(reissue_see_through target)
  reissue_closure(closure ${ARGN})
  reissue_see(${target} ${closure})
endfunction()

# Links a target with the named modules and all that they depend on, and nothing else: a test or a
# fuzz target needs no more of the library than it tests.
function(reissue_link target)
  reissue_closure(closure ${ARGN})
  foreach(module IN LISTS closure)
    reissue_target_name(${module} objects)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
  get_property(links GLOBAL PROPERTY REISSUE_LINK)
  list(REMOVE_DUPLICATES links)
  target_link_libraries(${target} PRIVATE Threads::Threads ${links})
endfunction()

function(reissue_module module)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD;MILD;HOT_TESTS" "" "SOURCES;TESTS;DEPENDS;LINK")
  reissue_target_name(${module} target)
  reissue_include_root(${module} root)
  get_filename_component(parent "${root}/reissue/${module}" DIRECTORY)
  file(MAKE_DIRECTORY "${parent}")
  file(GLOB within "${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt")
  if(within)
    # A folder with modules of its own: they are not to be seen through it.
    file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.h")
    file(REMOVE_RECURSE "${root}")
    file(MAKE_DIRECTORY "${root}/reissue/${module}")
    foreach(header IN LISTS headers)
      get_filename_component(name "${header}" NAME)
      file(CREATE_LINK "${header}" "${root}/reissue/${module}/${name}" SYMBOLIC)
    endforeach()
  elseif(NOT EXISTS "${root}/reissue/${module}")
    file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}" "${root}/reissue/${module}" SYMBOLIC)
  endif()

  add_library(${target} OBJECT ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE reissue_flags reissue_hardening ${arg_LINK})
  if(arg_COLD)
    target_compile_options(${target} PRIVATE $<IF:$<CONFIG:Release>,-O1,-O0>)
  elseif(arg_MILD)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O0>)
  endif()
  reissue_see(${target} ${module} ${arg_DEPENDS})
  set_property(GLOBAL PROPERTY REISSUE_DEPENDS_${module} ${arg_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY REISSUE_MODULES ${target})
  set_property(GLOBAL APPEND PROPERTY REISSUE_MODULE_PATHS ${module})
  set_property(GLOBAL APPEND PROPERTY REISSUE_LINK ${arg_LINK})

  if(REISSUE_TESTS AND arg_TESTS)
    set(hot)
    if(arg_HOT_TESTS)
      set(hot HOT)
    endif()
    reissue_test(${module} ${hot} SOURCES ${arg_TESTS} SEES ${module} ${arg_DEPENDS} LINK ${arg_LINK})
  endif()
endfunction()

# A GoogleTest program. SEES names the modules whose headers it may include.
# The headers of the test framework, compiled once for all tests.
if(REISSUE_TESTS)
  file(WRITE ${PROJECT_BINARY_DIR}/test_headers.cc "int main() {}\n")
  add_executable(reissue_test_headers EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/test_headers.cc)
  target_link_libraries(reissue_test_headers PRIVATE reissue_flags fmt::fmt GTest::gmock rapidcheck
                        Threads::Threads)
  target_compile_options(reissue_test_headers PRIVATE -O0)
  target_precompile_headers(reissue_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h>
                            <algorithm> <map> <optional> <string> <vector>)
endif()

# FAST: the test itself does much work, so it is optimised; others compile quicker without. HOT: a
# little.
function(reissue_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FAST;HOT" "" "SOURCES;SEES;LINK")
  reissue_target_name(${name} target)
  add_executable(${target}_test ${arg_SOURCES})
  if(arg_HOT)
    target_compile_options(${target}_test PRIVATE $<$<CONFIG:Release>:-O1>)
  elseif(NOT arg_FAST)
    target_compile_options(${target}_test PRIVATE -O0)
    target_precompile_headers(${target}_test REUSE_FROM reissue_test_headers)
  endif()
  reissue_see(${target}_test ${arg_SEES})
  target_include_directories(${target}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(${target}_test PRIVATE reissue_flags ${arg_LINK} fmt::fmt GTest::gmock_main rapidcheck)
  reissue_link(${target}_test ${arg_SEES})
  string(REPLACE "/" "." label "${name}")
  add_test(NAME ${label} COMMAND ${target}_test)
endfunction()
