# Makes the numbered SQL files of a storage adapter part of its library:
#   holdfast_embed_migrations(storage_sqlite storage/sqlite)
# The C++ is written at build time by this same file, run as a script.
if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB files ${DIRECTORY}/*.sql)
  list(SORT files)
  set(entries "")
  foreach(file ${files})
    get_filename_component(name ${file} NAME_WE)
    string(REGEX MATCH "^[0-9]+" number ${name})
    math(EXPR version "1${number} - 10000")
    file(READ ${file} sql)
    string(APPEND entries "      {.version = ${version}, .name = \"${name}\", .sql = R\"sql(${sql})sql\"},\n")
  endforeach()
  file(WRITE ${OUTPUT} "#include \"storage/sqlite/migrations.h\"\n\n"
    "namespace holdfast::storage::sqlite {\n\n"
    "const std::vector<Migration>& migrations() {\n"
    "  static const std::vector<Migration> all = {\n${entries}  };\n"
    "  return all;\n}\n\n}  // namespace holdfast::storage::sqlite\n")
  return()
endif()

set(HOLDFAST_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(holdfast_embed_migrations library path)
  set(directory ${CMAKE_SOURCE_DIR}/src/${path}/migrations)
  file(GLOB files CONFIGURE_DEPENDS ${directory}/*.sql)
  set(output ${CMAKE_BINARY_DIR}/generated/${path}/migrations.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DDIRECTORY=${directory} -DOUTPUT=${output} -P ${HOLDFAST_EMBED_SCRIPT}
    DEPENDS ${files} ${HOLDFAST_EMBED_SCRIPT})
  target_sources(holdfast_${library} PRIVATE ${output})
endfunction()
