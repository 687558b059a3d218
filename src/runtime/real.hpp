// The functions that heddle stands in for, as libc has them.
#pragma once

#include <dlfcn.h>

// Function types carry attributes that do not matter in a template argument.
#pragma GCC diagnostic ignored "-Wignored-attributes"

#include "base/check.hpp"

namespace heddle::runtime {

/// Looked up when first called, which may be before any constructor of ours has run.
class alignas(32) RealFunction {  // so that they stand without gaps
 public:
  constexpr RealFunction(const char* name, const char* version) : name_(name), version_(version) {}

  /// Of every one: forked copies of the program need not do it again, each for itself.
  static void find_all();

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

  template <typename... Arguments>
  auto operator()(Arguments... arguments) {
    return reinterpret_cast<Function*>(found())(arguments...);
  }
};

}  // namespace heddle::runtime

/// `HEDDLE_REAL(pthread_join)` defines `real_pthread_join`. They all stand side by side.
#define HEDDLE_REAL(function) HEDDLE_REAL_VERSION(function, nullptr)
#define HEDDLE_REAL_VERSION(function, version)                                                                     \
  [[gnu::section("heddle_real")]] static constinit ::heddle::runtime::Real<decltype(::function)> real_##function { \
#function, version                                                                                             \
  }

/// Seen by the whole process, in the place of libc's.
#define HEDDLE_EXPORT extern "C" __attribute__((visibility("default")))
