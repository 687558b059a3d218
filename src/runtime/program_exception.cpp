// A program that heddle was loaded into has two C++ libraries: the one that the program uses, and a hidden one of
// heddle, which knows nothing about the program's exceptions. So the program's library is asked, by the names of its
// ABI. A program that links it statically does not export these names: an uncaught exception then appears as the call
// of abort that it ends in.
#include "runtime/program_exception.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <typeinfo>

namespace heddle::runtime {
namespace {

template <typename T>
T* of_program(const char* name) {
  return reinterpret_cast<T*>(dlsym(RTLD_DEFAULT, name));
}

/// std::exception_ptr is one pointer, to the object, and is returned through memory.
void* current_object() {
  auto* const current_exception = of_program<void*(void**)>("_ZSt17current_exceptionv");
  void* object = nullptr;
  if (current_exception != nullptr) current_exception(&object);
  return object;  // never released: the program is about to end
}

/// The object as a std::exception; null if it is not one.
const std::exception* as_standard(const std::type_info& type, void* object) {
  const auto* const standard = of_program<const std::type_info>("_ZTISt9exception");
  if (standard == nullptr || object == nullptr || !standard->__do_catch(&type, &object, 1)) return nullptr;
  return static_cast<const std::exception*>(object);
}

}  // namespace

bool is_in_cpp_library(const void* address) {
  const void* const known = dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
  Dl_info caller{};
  Dl_info library{};
  return known != nullptr && dladdr(known, &library) != 0 && dladdr(address, &caller) != 0 &&
         caller.dli_fbase == library.dli_fbase;
}

void describe_program_exception(char* text, std::size_t size) {
  text[0] = '\0';
  auto* const current_type = of_program<std::type_info*()>("__cxa_current_exception_type");
  const std::type_info* const type = current_type != nullptr ? current_type() : nullptr;
  if (type == nullptr) return;
  int status = 0;
  char* const readable = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  const char* const name = status == 0 ? readable : type->name();
  if (const std::exception* standard = as_standard(*type, current_object()))
    std::snprintf(text, size, "uncaught exception %s: %s", name, standard->what());
  else
    std::snprintf(text, size, "uncaught exception %s", name);
  std::free(readable);
}

}  // namespace heddle::runtime
