// State machines that exchange events: explored under heddle::explore, and run on a thread pool in production.
//
//   class Server : public heddle::Machine {
//    public:
//     struct Ready;
//     static void declare(heddle::Declaration<Server>& is) {
//       is.state<Ready>().start().on<Request>(&Server::answer);
//     }
//    private:
//     void answer(Request&& request) { send(request.client, Reply{request.number}); }
//   };
//
//   heddle::explore([] {
//     heddle::Runtime runtime;
//     auto server = runtime.create<Server>();
//     runtime.create<Client>(server);
//   });  // the destructor of the runtime waits until no machine has anything left to do
//
// Outside an exploration the same machines run on a thread pool.
#pragma once

#include "heddle/actor/coverage.hpp"
#include "heddle/actor/declaration.hpp"
#include "heddle/actor/diagram.hpp"
#include "heddle/actor/environment.hpp"
#include "heddle/actor/event.hpp"
#include "heddle/actor/machine.hpp"
#include "heddle/actor/monitor.hpp"
#include "heddle/actor/runtime.hpp"
#include "heddle/actor/task.hpp"
#include "heddle/actor/test_kit.hpp"
