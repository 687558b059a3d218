// SHA-256 (FIPS 180-4) and the message authentication code made of it, HMAC-SHA-256 (RFC 2104).
//
// For the seals of traces (trace/seal.hpp). Written for clarity: some 200 MB a second.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::string_view text);
Digest hmac_sha256(std::string_view key, std::string_view text);

/// In lower-case hexadecimal.
std::string in_hex(const Digest& digest);

}  // namespace heddle
