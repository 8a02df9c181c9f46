# Graph algorithms; Debian's own package file names the library for no target.
find_path(LEMON_INCLUDE lemon/nagamochi_ibaraki.h REQUIRED)
find_library(LEMON_LIBRARY NAMES lemon emon REQUIRED)
add_library(reissue_lemon INTERFACE IMPORTED GLOBAL)
set_target_properties(reissue_lemon PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${LEMON_INCLUDE}"
  INTERFACE_LINK_LIBRARIES "${LEMON_LIBRARY}")
