// Initialisations of function-local statics.
#pragma once

namespace heddle::runtime {

/// At home: what the last execution left unfinished can be begun again.
void abandon_initialisations();

}  // namespace heddle::runtime
