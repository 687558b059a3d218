// The functions that heddle stands in for, as libc has them.
#pragma once

#include <dlfcn.h>

// Function types carry attributes that do not matter in a template argument.
#pragma GCC diagnostic ignored "-Wignored-attributes"

#include "base/check.hpp"

namespace heddle::runtime {

/// Looked up when first called, which may be before any constructor of ours has run.
template <typename Function>
class Real {
 public:
  constexpr explicit Real(const char* name, const char* version = nullptr) : name_(name), version_(version) {}

  template <typename... Arguments>
  auto operator()(Arguments... arguments) {
    if (function_ == nullptr) [[unlikely]]
      find();
    return function_(arguments...);
  }

 private:
  void find() {
    void* found = version_ ? dlvsym(RTLD_NEXT, name_, version_) : dlsym(RTLD_NEXT, name_);
    HEDDLE_CHECK(found != nullptr, name_);
    function_ = reinterpret_cast<Function*>(found);
  }

  const char* name_;
  const char* version_;
  Function* function_ = nullptr;
};

}  // namespace heddle::runtime

/// `HEDDLE_REAL(pthread_join)` defines `real_pthread_join`.
#define HEDDLE_REAL(function) \
  static constinit ::heddle::runtime::Real<decltype(::function)> real_##function { #function }
#define HEDDLE_REAL_VERSION(function, version) \
  static constinit ::heddle::runtime::Real<decltype(::function)> real_##function { #function, version }

/// Seen by the whole process, in the place of libc's.
#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))
