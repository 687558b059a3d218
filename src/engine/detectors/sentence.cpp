#include "engine/detectors/sentence.hpp"

#include <cstdarg>
#include <cstdio>

#include "trace/words.hpp"

namespace heddle::engine {

using model::ResourceKind;

const char* words_for(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::spin_lock:
      return "spin lock";
    case ResourceKind::read_write_lock:
      return "read-write lock";
    default:
      return name(kind).data();
  }
}

void Sentence::add(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = std::vsnprintf(text_ + length_, size_ - length_, format, arguments);
  va_end(arguments);
  if (written <= 0) return;
  length_ += static_cast<std::size_t>(written);
  if (length_ >= size_) length_ = size_ - 1;
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
    sentence.add("%s %s%u", words_for(resource.kind), letters(resource.kind).data(), ordinal(scheduler, id));
  return made;
}

}  // namespace heddle::engine
