// A program that was built with AddressSanitizer: the error that it finds is the verdict of the execution.
#pragma once

namespace heddle::preload {

/// Before the first fork. Does nothing in a program without a sanitizer.
void watch_sanitizer();

}  // namespace heddle::preload
