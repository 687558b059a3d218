# heddle_instrument(<target>): lets heddle see the memory accesses of your program or library.
#
# The C and C++ sources of the target are compiled with -fsanitize=thread. Heddle provides the functions this calls:
# those of libheddle.so if the target links it, directly or not, else those of libheddle_memory.so, which do nothing. A
# static or object library links neither; targets that link it are instrumented as well.
function(heddle_instrument target)
  # GCC instruments late: with -flto that would be when linking, where the option is not.
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=thread;-g;-fno-lto>")
  # It says that it does not support fences; heddle does.
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANG_AND_ID:C,GNU>:-Wno-tsan>"
                                           "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-tsan>")
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    # When all that the target links is known. Only what is evaluated now still has a value then.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL heddle_link_memory [[${target}]])")
  endif()
endfunction()

function(heddle_link_memory target)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  heddle_links_heddle(found "${libraries}" "")
  if(found)
    target_link_libraries(${target} PRIVATE heddle::heddle)  # before the other: its functions are those that count
  endif()
  target_link_libraries(${target} PRIVATE heddle::memory)
endfunction()

# Whether heddle::heddle is among the libraries or what they bring along; `seen` are those looked at already.
function(heddle_links_heddle result libraries seen)
  set(${result} FALSE PARENT_SCOPE)
  foreach(library IN LISTS libraries)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
    if(library MATCHES "^heddle$|heddle::heddle")
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
    if(NOT TARGET "${library}" OR library IN_LIST seen)
      continue()
    endif()
    get_target_property(brought ${library} INTERFACE_LINK_LIBRARIES)
    heddle_links_heddle(found "${brought}" "${seen};${library}")
    if(found)
      set(${result} TRUE PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
