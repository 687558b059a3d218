// The functions that heddle replaces, as libc defines them.
#pragma once

#include <dlfcn.h>

#include <string_view>

// Function types carry attributes that do not matter in a template argument.
#pragma GCC diagnostic ignored "-Wignored-attributes"

#include "base/check.hpp"

namespace heddle::runtime {

/// Looked up at the first call, which may come before any of our constructors has run.
class alignas(32) RealFunction {  // so that the array has no gaps
 public:
  constexpr RealFunction(const char* name, const char* version) : name_(name), version_(version) {}

  /// Looks up all of them, so that forked copies of the program need not repeat it.
  static void find_all();
  /// What the function of this name stands for; null if heddle replaces none of this name.
  static void* behind(std::string_view name);

  void* address_of_code() { return found(); }

 protected:
  void* found() {
    if (function_ == nullptr) [[unlikely]]
      find();
    return function_;
  }

 private:
  void look_up() { function_ = version_ ? dlvsym(RTLD_NEXT, name_, version_) : dlsym(RTLD_NEXT, name_); }
  void find() {
    look_up();
    HEDDLE_CHECK(function_ != nullptr, name_);
  }

  const char* name_;
  const char* version_;
  void* function_ = nullptr;
};

template <typename Function>
class Real : public RealFunction {
 public:
  using RealFunction::RealFunction;

  Function* address() { return reinterpret_cast<Function*>(found()); }

  template <typename... Arguments>
  auto operator()(Arguments... arguments) {
    return address()(arguments...);
  }
};

}  // namespace heddle::runtime

/// `HEDDLE_REAL(pthread_join)` defines `real_pthread_join`. All of them are adjacent in one section.
#define HEDDLE_REAL(function) HEDDLE_REAL_VERSION(function, nullptr)
#define HEDDLE_REAL_VERSION(function, version)                                                                     \
  [[gnu::section("heddle_real")]] static constinit ::heddle::runtime::Real<decltype(::function)> real_##function { \
#function, version                                                                                             \
  }

/// Visible to the whole process, in place of libc's function.
#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))

// GCC wants an alias to have the attributes of its function. Clang has no such attribute, and no such wish.
#if __has_attribute(copy)
#define HEDDLE_ATTRIBUTES_OF(function) copy(::function),
#else
#define HEDDLE_ATTRIBUTES_OF(function)
#endif

/// Another name under which libc has the same function; after its definition, in the same file. Headers may have given
/// the name another meaning, so it is one for the linker alone.
#define HEDDLE_ALIAS(name, function)                              \
  extern "C" decltype(::function) heddle_as_##name __asm__(#name) \
      __attribute__((visibility("default"), HEDDLE_ATTRIBUTES_OF(function) alias(#function)))
