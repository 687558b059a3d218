// Programs built with AddressSanitizer: an error that it finds becomes the verdict of the execution.
#pragma once

namespace heddle::preload {

/// Call before the first fork. Does nothing in a program without a sanitizer.
void watch_sanitizer();

}  // namespace heddle::preload
