// Writers, readers, a snapshot and a compaction on one database of LevelDB, or of RocksDB if built with USE_ROCKSDB.
// The database lies in the current folder and is made anew each time.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#ifdef USE_ROCKSDB
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>
namespace store = rocksdb;
#else
#include <leveldb/db.h>
#include <leveldb/write_batch.h>
namespace store = leveldb;
#endif

namespace {

constexpr int kWriters = 2;
constexpr int kRowsEach = 4;
constexpr const char* kPath = "key_value.db";

void require(const store::Status& status, const char* what) {
  if (status.ok()) return;
  std::printf("%s: %s\n", what, status.ToString().c_str());
  std::fflush(stdout);
  std::_Exit(1);
}

std::string key(int writer, int row) { return "w" + std::to_string(writer) + "r" + std::to_string(row); }

void put_rows(store::DB& database, int writer) {
  for (int row = 0; row < kRowsEach; row += 2) {  // two rows at once: a reader sees both or none
    store::WriteBatch batch;
    batch.Put(key(writer, row), std::string(100, 'a'));
    batch.Put(key(writer, row + 1), std::string(100, 'b'));
    require(database.Write(store::WriteOptions(), &batch), "write");
  }
}

int count(store::DB& database) {
  int rows = 0;
  const std::unique_ptr<store::Iterator> iterator(database.NewIterator(store::ReadOptions()));
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) ++rows;
  require(iterator->status(), "iterate");
  return rows;
}

}  // namespace

int main() {
  store::Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
#ifdef USE_ROCKSDB
  // The part of a cache that a block goes to depends on a number that the kernel draws each time
  // (/proc/sys/kernel/random/uuid): here it has one part.
  store::BlockBasedTableOptions table;
  table.block_cache = store::NewLRUCache(1 << 20, 0);
  options.table_factory.reset(store::NewBlockBasedTableFactory(table));
#endif
  require(store::DestroyDB(kPath, options), "destroy");
  store::DB* opened = nullptr;
  require(store::DB::Open(options, kPath, &opened), "open");
  std::unique_ptr<store::DB> database(opened);
  std::vector<std::thread> threads;
  for (int writer = 0; writer < kWriters; ++writer) threads.emplace_back(put_rows, std::ref(*database), writer);
  bool halves = false;
  threads.emplace_back([&] { halves = count(*database) % 2 != 0; });
  threads.emplace_back([&] {
#ifdef USE_ROCKSDB
    require(database->CompactRange(store::CompactRangeOptions(), nullptr, nullptr), "compact");
#else
    database->CompactRange(nullptr, nullptr);
#endif
  });
  for (std::thread& thread : threads) thread.join();
  const int rows = count(*database);
  database.reset();
  require(store::DestroyDB(kPath, options), "destroy");
  std::printf("%d rows%s\n", rows, halves ? ", a batch was half there" : "");
}
