# Private: CHECK of enzyme_add_gradient. Macros: they are parts of that function, and share its variables.
include_guard(GLOBAL)

# Tests that compare the derivatives with finite differences, one for each function.
macro(_enzyme_add_check)
  set(shared "")
  if(needed)
    _enzyme_load_with(shared ${needed})
  endif()
  list(LENGTH arg_FUNCTION count)
  foreach(function IN LISTS arg_FUNCTION)
    _enzyme_function_name(name "${function}")
    _enzyme_wrt(wrt "${name}" ${arg_ARGS})
    set(test ${target}.check)
    if(count GREATER 1)
      string(APPEND test ".${name}")
    endif()
    add_test(NAME ${test}
      COMMAND ${command} check ${inputs} "--function=${function}" "--wrt=${wrt}" ${common} ${shared}
      COMMAND_EXPAND_LISTS)
  endforeach()
endmacro()

# The words for `check` that load the shared libraries among others: CMake links them, however they are named, to an empty
# module, with which they come. What static ones have belongs behind FROM.
macro(_enzyme_load_with result)
  set(empty needs.f90)
  set(text "subroutine enzyme_needs\nend\n")
  if("C" IN_LIST enabled OR "CXX" IN_LIST enabled)
    set(empty needs.cpp)
    set(text "")
  endif()
  if("C" IN_LIST enabled)
    set(empty needs.c)
  endif()
  file(CONFIGURE OUTPUT "${folder}/${empty}" CONTENT "${text}" @ONLY)
  add_library(${target}.needs MODULE "${folder}/${empty}")
  target_link_libraries(${target}.needs PRIVATE ${ARGN})
  target_link_options(${target}.needs PRIVATE "LINKER:--no-as-needed")
  set(${result} "--link-arg=-Wl,--no-as-needed" "--link-arg=$<TARGET_FILE:${target}.needs>")
endmacro()
