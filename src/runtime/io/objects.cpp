#include "runtime/io/objects.hpp"

#include "runtime/front.hpp"
#include "runtime/tsan/order.hpp"

namespace heddle::runtime::io {
namespace {

using model::Does;
using model::Part;

constexpr std::uint32_t kAny = model::Descriptor::kAny;

// The depth of epolls that watch each other. The kernel does not allow more at a time, but they may have watched one
// after another.
constexpr int kDepthMost = 5;

void touch_part(std::uint32_t object, Does does) {
  front.scheduler().touch_part({Part::Of::descriptor, does, 1, object});
}

}  // namespace

Objects objects;

void Objects::begin() {
  objects_.clear();
  objects_.resize(model::Descriptor::kStandard + 1);
  for (Object& object : objects_) object = {};
  watchers_.clear();
  files_.clear();
  queued_.clear();
  has_lost_queued_ = false;
}

/// Which number comes next depends on what was made before.
std::uint32_t Objects::add() {
  front.scheduler().touch_part(model::Footprint::of(this, model::ResourceKind::descriptor, Does::writes));
  objects_.push_back({});
  return static_cast<std::uint32_t>(objects_.size() - 1);
}

std::uint32_t Objects::of_file(dev_t device, ino_t inode) {
  for (const File& file : files_)
    if (file.inode == inode && file.device == device) return file.object;
  files_.push_back({device, inode, add()});
  return files_.back().object;
}

void Objects::watch(std::uint32_t epoll, std::uint32_t object) {
  if (epoll == kAny || object == kAny) return;  // steps on an unknown object touch every object
  for (std::uint32_t at = objects_[object].watchers; at != 0; at = watchers_[at - 1].next)
    if (watchers_[at - 1].epoll == epoll) return;
  watchers_.push_back({epoll, objects_[object].watchers});
  objects_[object].watchers = static_cast<std::uint32_t>(watchers_.size());
}

void Objects::queue(std::uint32_t listener, std::uint32_t connection) {
  if (listener == kAny)
    has_lost_queued_ = true;
  else
    queued_.push_back({listener, connection});
}

std::uint32_t Objects::unqueue(std::uint32_t listener) {
  if (has_lost_queued_) return kAny;
  for (std::size_t i = 0; i < queued_.size(); ++i) {
    if (queued_[i].listener != listener) continue;
    const std::uint32_t connection = queued_[i].connection;
    queued_.erase(i);
    return connection;
  }
  return kAny;
}

void Objects::touch(std::uint32_t object, Does does, int depth) {
  touch_part(depth == kDepthMost ? kAny : object, does);
  if (only_looks(does) || depth == kDepthMost) return;
  for (std::uint32_t at = objects_[object].watchers; at != 0; at = watchers_[at - 1].next)
    touch(watchers_[at - 1].epoll, Does::writes, depth + 1);
}

// Of the clocks of kOutsideSync, the first covers writes to an unknown object, and the second covers writes to any.

void Objects::release(std::uint32_t object) {
  memory_order.release(front.self(), kOutsideSync, model::HappensBefore::kSecond);
  if (object == kAny)
    memory_order.release(front.self(), kOutsideSync);
  else
    release(object, 0);
}

void Objects::release(std::uint32_t object, int depth) {
  memory_order.release(front.self(), sync_of(objects_[object].sync));
  if (depth == kDepthMost) return;
  for (std::uint32_t at = objects_[object].watchers; at != 0; at = watchers_[at - 1].next)
    release(watchers_[at - 1].epoll, depth + 1);
}

void Objects::acquire(std::uint32_t object) {
  if (object == kAny) {
    memory_order.acquire(front.self(), kOutsideSync, model::HappensBefore::kSecond);
    return;
  }
  memory_order.acquire(front.self(), kOutsideSync);
  memory_order.acquire(front.self(), sync_of(objects_[object].sync));
}

}  // namespace heddle::runtime::io
