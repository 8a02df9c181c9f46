# Builds the page of the studio with npm, and writes built_page.cc, which puts it into the program.
# Where that is not possible the program has no page, and says so when it is asked for it.
#   cmake -DSOURCE=DIR -DSHARED=DIR -DREADY=DIR -DNPM=FILE -DOUT=DIR -P StudioPage.cmake

set(files index.html app.js app.css)

# Runs npm in the copy; FALSE in `done` where it fails.
function(run_npm done)
  execute_process(COMMAND ${NPM} ${ARGN} WORKING_DIRECTORY ${SHARED}/source RESULT_VARIABLE status
                  OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(status EQUAL 0)
    set(${done} TRUE PARENT_SCOPE)
  else()
    message(WARNING "npm ${ARGN} failed: the program is built without the page of the studio\n${said}")
    set(${done} FALSE PARENT_SCOPE)
  endif()
endfunction()

function(build_page dist)
  set(${dist} "" PARENT_SCOPE)
  if(READY)
    set(${dist} ${READY} PARENT_SCOPE)
    return()
  endif()
  if(NOT NPM OR NOT EXISTS ${SOURCE}/package.json OR NOT EXISTS ${SOURCE}/package-lock.json)
    return()
  endif()
  file(MAKE_DIRECTORY ${SHARED}/source)
  file(LOCK ${SHARED}/lock GUARD FUNCTION TIMEOUT 600 RESULT_VARIABLE locked)
  # What npm has brought stays; all else is as it is now.
  file(GLOB old ${SHARED}/source/*)
  foreach(each IN LISTS old)
    get_filename_component(name ${each} NAME)
    if(NOT name STREQUAL node_modules)
      file(REMOVE_RECURSE ${each})
    endif()
  endforeach()
  file(GLOB tops ${SOURCE}/*)
  foreach(each IN LISTS tops)
    get_filename_component(name ${each} NAME)
    if(NOT name MATCHES "^(node_modules|dist)$")
      file(COPY ${each} DESTINATION ${SHARED}/source)
    endif()
  endforeach()
  file(SHA256 ${SOURCE}/package-lock.json wanted)
  set(brought "")
  if(EXISTS ${SHARED}/brought AND EXISTS ${SHARED}/source/node_modules)
    file(READ ${SHARED}/brought brought)
  endif()
  if(NOT brought STREQUAL wanted)
    run_npm(done ci --no-audit --no-fund --ignore-scripts)
    if(NOT done)
      return()
    endif()
    file(WRITE ${SHARED}/brought ${wanted})
  endif()
  run_npm(done run build)
  if(done)
    # Other presets may build anew while this one compiles.
    foreach(file IN LISTS files)
      file(COPY ${SHARED}/source/dist/${file} DESTINATION ${OUT}/page)
    endforeach()
    set(${dist} ${OUT}/page PARENT_SCOPE)
  endif()
endfunction()

build_page(dist)
set(text "// Made by cmake/StudioPage.cmake.\n#include \"cli/studio/page.h\"\n")
foreach(file IN LISTS files)
  if(dist AND NOT EXISTS ${dist}/${file})
    message(WARNING "the page of the studio has no ${file}: the program is built without it")
    set(dist "")
  endif()
endforeach()
if(dist)
  foreach(file IN LISTS files)
    file(SHA256 ${dist}/${file} digest)  # so that what is compiled changes with it
    string(MAKE_C_IDENTIFIER ${file} name)
    string(APPEND text "// ${digest}\n"
      "asm(\".pushsection .rodata\\n.balign 16\\nreissue_page_${name}:\\n.incbin \\\"${dist}/${file}\\\"\\n\"\n"
      "    \"reissue_page_${name}_end:\\n.byte 0\\n.popsection\\n\");\n"
      "extern const char reissue_page_${name}[] __attribute__((visibility(\"hidden\")));\n"
      "extern const char reissue_page_${name}_end[] __attribute__((visibility(\"hidden\")));\n")
  endforeach()
  string(APPEND text "namespace reissue::cli::studio {\nBuiltPage PageOfTheBuild() {\n"
    "  const auto between = [](const char* begin, const char* end) {\n"
    "    return std::string_view(begin, static_cast<std::size_t>(end - begin));\n  };\n"
    "  return {between(reissue_page_index_html, reissue_page_index_html_end),\n"
    "          between(reissue_page_app_js, reissue_page_app_js_end),\n"
    "          between(reissue_page_app_css, reissue_page_app_css_end)};\n}\n}\n")
else()
  string(APPEND text "namespace reissue::cli::studio {\nBuiltPage PageOfTheBuild() { return {}; }\n}\n")
endif()
file(WRITE ${OUT}/built_page.cc "${text}")
