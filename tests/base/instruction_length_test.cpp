#include "base/arch/x86_64/instruction_length.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/arch/x86_64/special_instruction.hpp"

namespace heddle {
namespace {

using Bytes = std::vector<unsigned char>;

std::size_t length(Bytes bytes) {
  bytes.resize(bytes.size() + 16, 0x90);
  return instruction_length(bytes);
}

TEST(InstructionLength, CountsPrefixesAddressesAndConstants) {
  EXPECT_EQ(length({0x90}), 1u);                                          // nop
  EXPECT_EQ(length({0x0f, 0x05}), 2u);                                    // syscall
  EXPECT_EQ(length({0x48, 0x89, 0xe5}), 3u);                              // mov %rsp,%rbp
  EXPECT_EQ(length({0x8b, 0x05, 1, 2, 3, 4}), 6u);                        // mov 0x4030201(%rip),%eax
  EXPECT_EQ(length({0x8b, 0x44, 0x24, 8}), 4u);                           // mov 8(%rsp),%eax
  EXPECT_EQ(length({0x8b, 0x04, 0x25, 1, 2, 3, 4}), 7u);                  // mov 0x4030201,%eax
  EXPECT_EQ(length({0x66, 0xb8, 1, 2}), 4u);                              // mov $0x201,%ax
  EXPECT_EQ(length({0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}), 10u);           // movabs
  EXPECT_EQ(length({0xf6, 0xc0, 1}), 3u);                                 // test $1,%al
  EXPECT_EQ(length({0xf6, 0xd0}), 2u);                                    // not %al
  EXPECT_EQ(length({0x0f, 0x84, 1, 2, 3, 4}), 6u);                        // je
  EXPECT_EQ(length({0xc5, 0xf8, 0x77}), 3u);                              // vzeroupper
  EXPECT_EQ(length({0xc4, 0xe3, 0x7d, 0x39, 0xc1, 1}), 6u);               // vextracti128
  EXPECT_EQ(length({0x62, 0xf1, 0x7c, 0x48, 0x10, 0x45, 0}), 7u);         // vmovups, 64 bytes
  EXPECT_EQ(length({0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}), 10u);  // nopw
}

TEST(InstructionLength, RefusesWhatIsNoInstruction) {
  EXPECT_EQ(length({0x06}), 0u);
  EXPECT_EQ(instruction_length(Bytes{0xe8, 1, 2}), 0u) << "cut off";
  EXPECT_EQ(instruction_length(Bytes{}), 0u);
}

/// One line of objdump: `address:\tbytes\ttext`.
bool read_line(const std::string& line, Bytes& bytes, std::string& text) {
  const std::size_t colon = line.find(":\t");
  if (colon == std::string::npos) return false;
  const std::size_t end = line.find('\t', colon + 2);
  std::istringstream words(line.substr(colon + 2, end - colon - 2));
  text = end == std::string::npos ? "" : line.substr(end + 1);
  bytes.clear();
  for (unsigned byte = 0; words >> std::hex >> byte;) bytes.push_back(static_cast<unsigned char>(byte));
  return !bytes.empty() && text.find("(bad)") == std::string::npos;
}

// objdump writes `fwait` and the instruction behind it as one.
TEST(InstructionLength, AgreesWithObjdumpOnItsOwnProgram) {
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen("objdump -d -w -z /proc/$PPID/exe", "r"), pclose);
  ASSERT_NE(output, nullptr);
  std::size_t compared = 0;
  char line[512];
  Bytes bytes;
  std::string text;
  while (std::fgets(line, sizeof line, output.get()) != nullptr) {
    if (!read_line(line, bytes, text) || bytes[0] == 0x9b) continue;
    ++compared;
    const std::size_t wanted = bytes.size();
    ASSERT_EQ(length(bytes), wanted) << line;
  }
  EXPECT_GT(compared, 10'000u);
}

TEST(SpecialInstruction, IsKnownByItsBytes) {
  EXPECT_EQ(special_instruction(Bytes{0x0f, 0x05}), SpecialInstruction::system_call);
  EXPECT_EQ(special_instruction(Bytes{0xcd, 0x80}), SpecialInstruction::old_system_call);
  EXPECT_EQ(special_instruction(Bytes{0x0f, 0x34}), SpecialInstruction::old_system_call);
  EXPECT_EQ(special_instruction(Bytes{0x0f, 0x31}), SpecialInstruction::read_clock);
  EXPECT_EQ(special_instruction(Bytes{0x0f, 0x01, 0xf9}), SpecialInstruction::read_clock);
  EXPECT_EQ(special_instruction(Bytes{0x0f, 0xc7, 0xf0}), SpecialInstruction::random);
  EXPECT_EQ(special_instruction(Bytes{0x0f, 0xc7, 0xf8}), SpecialInstruction::random);
  EXPECT_EQ(special_instruction(Bytes{0x0f, 0xc7, 0x0f}), SpecialInstruction::none) << "cmpxchg8b";
  EXPECT_EQ(special_instruction(Bytes{0x0f, 0x01, 0xf8}), SpecialInstruction::none);
  EXPECT_EQ(special_instruction(Bytes{0x0f}), SpecialInstruction::none);
}

}  // namespace
}  // namespace heddle
