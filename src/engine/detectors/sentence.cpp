#include "engine/detectors/sentence.hpp"

#include <cstdarg>
#include <cstdio>

namespace heddle::engine {

using model::ResourceKind;

void Sentence::add(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = std::vsnprintf(text_ + length_, size_ - length_, format, arguments);
  va_end(arguments);
  if (written <= 0) return;
  length_ += static_cast<std::size_t>(written);
  if (length_ >= size_) length_ = size_ - 1;
}

Mention Sentence::mention(const Scheduler& scheduler, ResourceId id) {
  const std::size_t at = length_;
  add("%s", described(scheduler, id).text);
  return {id, static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(length_ - at)};
}

unsigned ordinal(const Scheduler& scheduler, ResourceId id) {
  unsigned count = 1;
  for (std::uint32_t i = 0; i < index(id); ++i)
    count += scheduler.resource(ResourceId{i}).kind == scheduler.resource(id).kind;
  return count;
}

Described described(const Scheduler& scheduler, ResourceId id) {
  Described made;
  Sentence sentence(made.text);
  const model::Resource& resource = scheduler.resource(id);
  if (resource.kind == ResourceKind::operation)
    sentence.add("T%u", index(resource.lifetime.of()));
  else
    sentence.add("%s %s%u", row(resource.kind).words.data(), row(resource.kind).letters.data(), ordinal(scheduler, id));
  return made;
}

}  // namespace heddle::engine
