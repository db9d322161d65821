# Language level, warnings, sanitisers, and whatever makes builds quick on this machine.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

set(HOLDFAST_SANITIZE "" CACHE STRING "comma-separated sanitisers, e.g. address,undefined")
option(HOLDFAST_UNITY "compile several files of a library at once: decision 32" OFF)
option(HOLDFAST_LINT "run clang-tidy on every source file" OFF)
option(HOLDFAST_FUZZ "build the libFuzzer targets (clang)" OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
# -Og keeps the debug build usable for the crash and load tests while it stays debuggable.
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g1")

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wswitch -Werror)
add_compile_definitions(BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION)

if(HOLDFAST_SANITIZE)
  add_compile_options(-fsanitize=${HOLDFAST_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HOLDFAST_SANITIZE})
  if(HOLDFAST_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
  if(HOLDFAST_SANITIZE MATCHES thread)
    # Asio fences are not understood by the sanitiser; its strands use mutexes, which are.
    add_compile_options(-Wno-tsan)
  endif()
endif()
if(HOLDFAST_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Paths are hashed relative to the tree, so that another clone or worktree of it hits the same cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  # What seldom or never runs after the start lies apart, as other linkers have it by default: 5 MB of code less in memory.
  add_link_options(-fuse-ld=mold -Wl,-z,keep-text-section-prefix)
endif()
if(HOLDFAST_LINT)
  set(CMAKE_CXX_FLAGS_DEBUG "-O0")  # what is compiled beside clang-tidy is never run
  find_program(CLANG_TIDY NAMES clang-tidy-14 REQUIRED)
  set(CMAKE_CXX_CLANG_TIDY ${CLANG_TIDY} --quiet)
endif()
