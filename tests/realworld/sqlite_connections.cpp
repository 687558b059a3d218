// Several connections to one SQLite database, each in a thread of its own. Writers meet SQLITE_BUSY, which the busy
// handler of the library answers by sleeping and trying again.
//
//   sqlite_connections file|memory     a file with a write-ahead log, or a cache shared by the connections
#include <sqlite3.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int kWriters = 3;
constexpr int kRowsEach = 4;

[[noreturn]] void fail(sqlite3* database, const char* what) {
  std::printf("%s: %s\n", what, sqlite3_errmsg(database));
  std::fflush(stdout);
  std::_Exit(1);
}

class Connection {
 public:
  explicit Connection(const std::string& name) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
    if (sqlite3_open_v2(name.c_str(), &database_, flags, nullptr) != SQLITE_OK) fail(database_, "open");
    sqlite3_busy_timeout(database_, 3'600'000);
  }
  ~Connection() { sqlite3_close(database_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// A shared cache answers SQLITE_LOCKED, for which there is no busy handler: try again when others had a turn.
  void run(const std::string& statement) {
    int result;
    while ((result = sqlite3_exec(database_, statement.c_str(), nullptr, nullptr, nullptr)) == SQLITE_LOCKED)
      std::this_thread::yield();
    if (result != SQLITE_OK) fail(database_, statement.c_str());
  }

  long long number(const char* query) {
    for (;;) {
      sqlite3_stmt* statement = nullptr;
      int result = sqlite3_prepare_v2(database_, query, -1, &statement, nullptr);
      if (result == SQLITE_OK) result = sqlite3_step(statement);
      const long long value = result == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
      sqlite3_finalize(statement);
      if (result == SQLITE_ROW) return value;
      if ((result & 0xff) != SQLITE_LOCKED) fail(database_, query);
      std::this_thread::yield();
    }
  }

 private:
  sqlite3* database_ = nullptr;
};

void write_rows(const std::string& name, int writer) {
  Connection connection(name);
  for (int i = 0; i < kRowsEach; ++i) {
    connection.run("BEGIN IMMEDIATE");
    connection.run("INSERT INTO rows VALUES (" + std::to_string(writer) + ", " + std::to_string(i) + ")");
    connection.run("UPDATE total SET value = value + " + std::to_string(writer * 100 + i));
    connection.run("COMMIT");
  }
}

/// A reader never sees half of a transaction: both numbers come from one statement.
void read_rows(const std::string& name) {
  Connection connection(name);
  for (int i = 0; i < 3; ++i)
    if (connection.number("SELECT (SELECT value FROM total) - (SELECT TOTAL(writer * 100 + number) FROM rows)") != 0)
      fail(nullptr, "half a transaction was seen");
}

void use_database(const std::string& name, bool in_file) {
  Connection first(name);
  if (in_file) first.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  first.run("CREATE TABLE rows (writer INTEGER, number INTEGER); CREATE TABLE total (value INTEGER)");
  first.run("INSERT INTO total VALUES (0)");
  std::vector<std::thread> threads;
  for (int writer = 1; writer <= kWriters; ++writer) threads.emplace_back(write_rows, name, writer);
  threads.emplace_back(read_rows, name);
  for (std::thread& thread : threads) thread.join();
  std::printf("%lld rows, total %lld\n", first.number("SELECT COUNT(*) FROM rows"),
              first.number("SELECT value FROM total"));
}

}  // namespace

int main(int count, char** words) {
  if (count == 2 && std::string(words[1]) == "memory") {
    use_database("file:shared?mode=memory&cache=shared", false);
    return 0;
  }
  char folder[] = "/tmp/sqlite_connections.XXXXXX";
  if (mkdtemp(folder) == nullptr) return 1;
  const std::string path = std::string(folder) + "/database";
  use_database(path, true);
  for (const char* suffix : {"", "-wal", "-shm"}) unlink((path + suffix).c_str());
  rmdir(folder);
}
