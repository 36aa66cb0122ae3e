# A room is one folder under lib/, built as one static library `di_<room>`.
# USES names the rooms it may include; LIBS the third-party libraries it alone sees.

add_library(di_settings INTERFACE)
target_include_directories(di_settings INTERFACE ${CMAKE_SOURCE_DIR}/lib)
target_compile_options(di_settings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor
    # False alarms of an optimising g++ 12: the inside of an empty std::optional (GCC bug 80635), and
    # `"literal" + std::string` (GCC bug 105651).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-restrict>
    $<$<BOOL:${DI_DEVELOPER}>:-Werror>)
target_compile_definitions(di_settings INTERFACE
    $<$<BOOL:${DI_DEVELOPER}>:_GLIBCXX_ASSERTIONS>)
if(DI_SANITIZE)
    target_compile_options(di_settings INTERFACE
        -fsanitize=${DI_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all
        # RapidJSON 1.1.0 adds 0 to the null pointer of an empty stack (fixed in its master).
        $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=pointer-overflow>)
    target_link_options(di_settings INTERFACE -fsanitize=${DI_SANITIZE})
endif()
target_link_libraries(di_settings INTERFACE fmt::fmt)

add_library(rapidjson_headers INTERFACE)
target_include_directories(rapidjson_headers SYSTEM INTERFACE ${RAPIDJSON_INCLUDE})

add_library(wslay_library INTERFACE)
target_include_directories(wslay_library SYSTEM INTERFACE ${WSLAY_INCLUDE})
target_link_libraries(wslay_library INTERFACE ${WSLAY_LIBRARY})

function(di_room name)
    cmake_parse_arguments(ROOM "" "" "SOURCES;USES;LIBS" ${ARGN})
    add_library(di_${name} STATIC ${ROOM_SOURCES})
    target_link_libraries(di_${name} PUBLIC di_settings)
    foreach(used IN LISTS ROOM_USES)
        target_link_libraries(di_${name} PUBLIC di_${used})
    endforeach()
    target_link_libraries(di_${name} PRIVATE ${ROOM_LIBS})
endfunction()
