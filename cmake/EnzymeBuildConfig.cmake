# What find_package(EnzymeBuild CONFIG) and add_subdirectory() read: finds the command, defines the functions.
#
# The command is the one of the installation that this file belongs to, never another one that happens to be in PATH.
# EnzymeBuild_COMMAND (a list) overrides the search.

if(CMAKE_VERSION VERSION_LESS 3.25)
  set(EnzymeBuild_FOUND FALSE)
  set(EnzymeBuild_NOT_FOUND_MESSAGE
    "CMake 3.25 or newer is needed, and this is ${CMAKE_VERSION} (${CMAKE_COMMAND})\nInstall one: pip install cmake")
  return()
endif()

cmake_policy(PUSH)
cmake_policy(VERSION 3.25...4.0)

include("${CMAKE_CURRENT_LIST_DIR}/EnzymeBitcode.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/EnzymeArguments.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/EnzymeAddGradient.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/EnzymeCheck.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/EnzymeTarget.cmake")

_enzyme_find_command("${CMAKE_CURRENT_LIST_DIR}" _enzyme_problem)
if(_enzyme_problem STREQUAL "" AND EnzymeBuild_FIND_COMPONENTS)
  _enzyme_find_components("${EnzymeBuild_FIND_COMPONENTS}" _enzyme_problem)
endif()
if(_enzyme_problem STREQUAL "")
  set(EnzymeBuild_FOUND TRUE)
else()
  set(EnzymeBuild_FOUND FALSE)
  set(EnzymeBuild_NOT_FOUND_MESSAGE "${_enzyme_problem}")
endif()
unset(_enzyme_problem)

cmake_policy(POP)
