# The linear programming solver. Only what is used: the .pc file also names archivers and linear algebra that CLP needs itself.
find_path(CLP_INCLUDE ClpSimplex.hpp PATH_SUFFIXES coin REQUIRED)
find_library(CLP_LIBRARY Clp REQUIRED)
find_library(COINUTILS_LIBRARY CoinUtils REQUIRED)
add_library(reissue_clp INTERFACE IMPORTED GLOBAL)
set_target_properties(reissue_clp PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${CLP_INCLUDE}"
  INTERFACE_LINK_LIBRARIES "${CLP_LIBRARY};${COINUTILS_LIBRARY}")
