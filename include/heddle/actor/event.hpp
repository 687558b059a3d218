// Events are plain values of the program's types. Sending one moves it into a block, which goes from inbox to handler.
//
// The address of a TypeInfo identifies a type of event, state or monitor, at no cost. The first declaration that
// mentions the type gives it a number, so that a handler is found by an array access.
#pragma once

#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace heddle {

/// A machine was declared or used wrongly; `what()` names machine, state and event, and says what to do.
class ActorError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

namespace actor {

/// The name of a type as the compiler writes it, with its namespaces.
template <typename T>
constexpr std::string_view full_name() {
  constexpr std::string_view text = __PRETTY_FUNCTION__;
  constexpr std::size_t begin = text.find("T = ") + 4;
  constexpr std::size_t end = text.find(';', begin);
  return text.substr(begin, (end == text.npos ? text.rfind(']') : end) - begin);
}

/// The name without the namespaces and classes that the type is nested in.
constexpr std::string_view short_name(std::string_view full) {
  std::size_t depth = 0, begin = 0;
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (full[i] == '<' || full[i] == '(') ++depth;
    if (full[i] == '>' || full[i] == ')') --depth;
    if (full[i] == ':' && depth == 0) begin = i + 1;
  }
  return full.substr(begin);
}

constexpr std::uint64_t hash_of(std::string_view text) {  // FNV-1a
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325ull;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3ull;
  return hash;
}

struct TypeInfo {
  std::string_view name;
  std::uint64_t hash;                    // the same in every process
  std::atomic<std::uint32_t> number{0};  // from 1; set by the first declaration that mentions the type

  constexpr TypeInfo(std::string_view full) : name(short_name(full)), hash(hash_of(full)) {}
};

/// For a state or a monitor; the type may be incomplete.
template <typename T>
inline constinit TypeInfo type_info{full_name<T>()};

struct EventBox;

struct EventType : TypeInfo {
  void (*destroy)(EventBox&);                    // destroys the value, not the block
  EventBox* (*copy)(const EventBox&, void* to);  // null: the event cannot be copied
  std::size_t bytes;                             // of a block

  constexpr EventType(std::string_view full, void (*the_destroy)(EventBox&),
                      EventBox* (*the_copy)(const EventBox&, void*), std::size_t the_bytes)
      : TypeInfo(full), destroy(the_destroy), copy(the_copy), bytes(the_bytes) {}
};

/// An event on its way. The runtime's backend allocates and frees the block.
struct EventBox {
  std::atomic<EventBox*> next{nullptr};  // in an inbox
  const EventType* type;
  std::uint64_t identity;    // under test: what strategies that learn see of it, its type and its hash() if it has one;
                             // in production: the number of the machine that it is sent to
  std::uint32_t sender = 0;  // the number of the machine that sent it; 0: no machine did
  bool must_handle = false;
  std::uint16_t at_most = 0;  // of SendOptions, to be checked later

  EventBox(const EventType& the_type, std::uint64_t the_identity) : type(&the_type), identity(the_identity) {}
  void* value();
  const void* value() const;
};
inline constexpr std::size_t kValueAt = 32;  // offset of the value in its block
static_assert(sizeof(EventBox) == kValueAt);

inline void* EventBox::value() { return reinterpret_cast<char*>(this) + kValueAt; }
inline const void* EventBox::value() const { return reinterpret_cast<const char*>(this) + kValueAt; }

template <typename E>
concept HasHash = requires(const E& event) {
  { event.hash() } -> std::convertible_to<std::uint64_t>;
};

template <typename E>
std::uint64_t identity_of(const E& event);

template <typename E>
struct Boxed final : EventBox {
  alignas(std::max_align_t) E event;  // so that it begins at kValueAt

  template <typename From>
  explicit Boxed(From&& from);
};

template <typename E>
void destroy_boxed(EventBox& box) {
  static_cast<Boxed<E>&>(box).event.~E();
}

template <typename E>
EventBox* copy_boxed(const EventBox& box, void* to) {
  if constexpr (std::copy_constructible<E>)
    return new (to) Boxed<E>(static_cast<const Boxed<E>&>(box).event);
  else
    return nullptr;
}

template <typename E>
inline constinit EventType event_type{full_name<E>(), destroy_boxed<E>,
                                      std::copy_constructible<E> ? copy_boxed<E> : nullptr, sizeof(Boxed<E>)};

template <typename E>
std::uint64_t identity_of(const E& event) {
  if constexpr (HasHash<E>)
    return event_type<E>.hash ^ (static_cast<std::uint64_t>(event.hash()) * 0x9e37'79b9'7f4a'7c15ull);
  else
    return event_type<E>.hash;
}

template <typename E>
template <typename From>
Boxed<E>::Boxed(From&& from) : EventBox(event_type<E>, 0), event{std::forward<From>(from)} {
  identity = identity_of(event);
}

/// Each event has its own class, so that a line of a state names its event.
template <typename E>
constexpr void check_event() {
  static_assert(std::is_class_v<E> || std::is_union_v<E> || std::is_enum_v<E>,
                "heddle: an event is a value of a class of its own, as in struct Prepare { int value; }");
  static_assert(std::is_move_constructible_v<E>, "heddle: an event must be movable");
  static_assert(alignof(E) <= alignof(std::max_align_t), "heddle: an event must not be over-aligned");
}

class Address;
class MachineCore;
class Backend;

}  // namespace actor

/// Names a machine: a small value that can be copied, compared, hashed, printed and sent. It outlives the machine: an
/// event sent to a machine that has halted is dropped and counted.
class MachineId {
 public:
  MachineId() = default;  // names no machine

  /// From 1, in creation order; after four billion, from 1 again.
  std::uint32_t number() const { return number_; }
  explicit operator bool() const { return number_ != 0; }
  /// For example `Replica(3)`.
  std::string text() const;

  friend bool operator==(MachineId a, MachineId b) { return a.number_ == b.number_ && a.address_ == b.address_; }
  friend auto operator<=>(MachineId a, MachineId b) {
    return a.number_ != b.number_ ? a.number_ <=> b.number_ : std::compare_three_way()(a.address_, b.address_);
  }

 private:
  friend class actor::Address;
  MachineId(actor::Address* address, std::uint32_t number, const std::string_view* type)
      : address_(address), type_(type), number_(number) {}

  actor::Address* address_ = nullptr;
  const std::string_view* type_ = nullptr;
  std::uint32_t number_ = 0;
};

std::ostream& operator<<(std::ostream& out, MachineId id);

struct SendOptions {
  bool must_handle = false;   // it is a failure if the machine has halted, or halts with the event in its inbox
  std::uint32_t at_most = 0;  // it is a failure if the inbox has more of its type, including this one; 0: any number
};

/// The argument of an action for any event.
class AnyEvent {
 public:
  AnyEvent(const actor::EventType& type, const void* value) : type_(type), value_(value) {}

  std::string_view name() const { return type_.name; }
  template <typename E>
  bool is() const {
    return &type_ == &actor::event_type<E>;
  }
  /// Null if it is of another type.
  template <typename E>
  const E* as() const {
    return is<E>() ? static_cast<const E*>(value_) : nullptr;
  }

 private:
  const actor::EventType& type_;
  const void* value_;
};

}  // namespace heddle

template <>
struct std::hash<heddle::MachineId> {
  std::size_t operator()(heddle::MachineId id) const noexcept { return id.number(); }
};
