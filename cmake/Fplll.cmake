# Lattice reduction, and the whole numbers of any size that it works with.
find_path(FPLLL_INCLUDE fplll.h REQUIRED)
find_library(FPLLL_LIBRARY fplll REQUIRED)
find_library(MPFR_LIBRARY mpfr REQUIRED)
find_library(GMP_LIBRARY gmp REQUIRED)
add_library(reissue_fplll INTERFACE IMPORTED GLOBAL)
set_target_properties(reissue_fplll PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${FPLLL_INCLUDE}"
  INTERFACE_LINK_LIBRARIES "${FPLLL_LIBRARY};${MPFR_LIBRARY};${GMP_LIBRARY}")
