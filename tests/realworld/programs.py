"""The real programs: what is run, with which input, and the Debian package that has it."""

import dataclasses

import clients
import inputs


@dataclasses.dataclass
class Program:
    words: list  # with {input}: a file with the input; {place}: the folder that has it; {sources}: that of this file;
                 # {programs}: that of programs that CMake builds; {built}: the program that `build` makes
    packages: str = ""  # of Debian; what is not installed is named
    make_input: object = None  # returns the content of {input}
    prepare: object = None  # makes files; is given {place}/input
    words_before: list = dataclasses.field(default_factory=list)  # the input is what this command makes of it
    build: list = dataclasses.field(default_factory=list)  # the words of a compiler, without its output
    reads: str = ""  # a file for standard input
    variables: dict = dataclasses.field(default_factory=dict)
    options: list = dataclasses.field(default_factory=list)  # of `heddle run`
    comparable: str = ""  # a shell command that makes of the output what does not depend on the schedule
    distinct: float = 0.5  # at least this share of the schedules differs from all before
    unrepeatable: str = ""  # what the summary says of it: the same seed need not give the same schedules
    client: tuple = ()  # of clients.py, with a server that listens at {place}/socket


def compressor(words, size, package):
    return Program([*words, "-c", "{input}"], package, make_input=lambda: inputs.text(size))


def decompressor(words, compress, size, package):
    return Program([*words, "-c", "{input}"], package, make_input=lambda: inputs.text(size),
                   words_before=[*compress, "-c", "{input}"])


def built(source, packages, *flags, compiler="g++", **others):
    return Program(["{built}"], packages,
                   build=[compiler, "-std=c++20", "-g", "-O1", "{sources}/" + source, "-pthread", *flags], **others)


def git(*words, **others):
    return Program(["git", *words], "git", prepare=inputs.repository, variables=inputs.GIT_VARIABLES, **others)


PIGZ = ["pigz", "-p", "4", "-b", "128", "-1"]
PBZIP2 = ["pbzip2", "-p4", "-b1", "-1", "-k"]
XZ = ["xz", "-T4", "-0", "--block-size=65536"]
REDIS = ["redis-server", "--port", "0", "--unixsocket", "{place}/socket", "--save", "", "--loglevel", "warning"]
SORT = "LC_ALL=C sort"  # the program writes its lines as they come
# Threads take work from each other, so that the schedule decides which objects become deltas of which.
UNPACK = ("at=$(mktemp -d) && git init -q $at && git -C $at unpack-objects -q && "
          "git -C $at cat-file --batch-all-objects --batch-check; rm -rf $at")
SPINS = "computes without coming to a scheduling point"
CONNECTED = "accepts a connection of another process"

# Sizes are the smallest that make each program start all its threads.
PROGRAMS = {
    "pigz": compressor(PIGZ, 500_000, "pigz"),
    "pigz_input": Program(PIGZ, "pigz", make_input=lambda: inputs.text(500_000), reads="{input}"),
    "pigz_decompress": decompressor(["pigz", "-d", "-p", "4"], PIGZ, 300_000, "pigz"),
    "pbzip2": compressor(PBZIP2, 350_000, "pbzip2"),
    "pbzip2_decompress": decompressor(["pbzip2", "-d", "-p4"], PBZIP2, 350_000, "pbzip2"),
    "xz": compressor(XZ, 300_000, "xz-utils"),
    "xz_decompress": decompressor(["xz", "-d", "-T4"], XZ, 300_000, "xz-utils"),
    "zstd": compressor(["zstd", "-q", "-T4", "-B524288", "-1"], 2_000_000, "zstd"),
    "sort": Program(["sort", "--parallel=4", "{input}"], make_input=lambda: inputs.lines(270_000)),
    "gtest": Program(["{programs}/gtest_threads"]),
    "sqlite_file": Program(["{programs}/sqlite_connections", "file"]),
    "sqlite_memory": Program(["{programs}/sqlite_connections", "memory"]),
    "libevent": Program(["{programs}/libevent_echo"]),
    "asio": Program(["{programs}/asio_echo"]),
    "ripgrep": Program(["rg", "-j4", "-c", "ab.*c", "{input}"], "ripgrep", prepare=inputs.tree, comparable=SORT),
    "fd": Program(["fdfind", "-j4", "f.*3", "{input}"], "fd-find", prepare=inputs.tree, comparable=SORT),
    "git_grep": git("-C", "{input}", "grep", "--threads=4", "-c", "ab.*c"),
    "git_pack": git("-C", "{input}", "pack-objects", "--threads=4", "-q", "--window=5", "--no-reuse-delta", "--stdout",
                    reads="{place}/objects", comparable=UNPACK),
    "git_index": git("index-pack", "--threads=4", "-o", "{place}/all.idx", "{place}/all.pack"),
    "x264": Program(["x264", "--quiet", "--no-progress", "--threads", "4", "--input-res",
                     f"{inputs.FRAME_WIDTH}x{inputs.FRAME_HEIGHT}", "--fps", "25", "--demuxer", "raw", "--muxer", "raw",
                     "-o", "-", "{input}"], "x264", make_input=inputs.video),
    "cpython": Program(["/usr/bin/python3", "-I", "{sources}/cpython_threads.py"], "python3"),
    "jvm": Program(["java", "-cp", "{place}", "Threads"], "openjdk-17-jdk-headless",
                   build=["javac", "{sources}/Threads.java", "-d", "{place}"], options=["--max-steps", "5000000"]),
    "node": Program(["node", "{sources}/node_workers.js"], "nodejs"),
    # Its allocator looks pthread_create up, to start threads of its own.
    "redis": Program(REDIS, "redis-server", client=clients.REDIS, unrepeatable=CONNECTED),
    "memcached": Program(["memcached", "-u", "root", "-A", "-t", "2", "-s", "{place}/socket"], "memcached",
                         client=clients.MEMCACHED, unrepeatable=CONNECTED),
    "openmp_libgomp": built("openmp_primes.cpp", "g++", "-fopenmp"),
    "openmp_libomp": built("openmp_primes.cpp", "clang-14 libomp-14-dev", "-fopenmp=libomp", "-DWITHOUT_TASKS",
                           compiler="clang++-14"),
    # Its threads wait for the end of tasks, and fibers for locks, in loops that call nothing.
    "openmp_libomp_tasks": built("openmp_primes.cpp", "clang-14 libomp-14-dev", "-fopenmp=libomp", compiler="clang++-14",
                                 unrepeatable=SPINS),
    "boost_fiber": built("boost_fibers.cpp", "libboost-fiber-dev", "-lboost_fiber", "-lboost_context",
                         unrepeatable=SPINS),
    "boost_thread": built("boost_threads.cpp", "libboost-thread-dev", "-lboost_thread", "-lboost_system"),
    "tbb": built("tbb_words.cpp", "libtbb-dev", "-ltbb"),
    "abseil": built("abseil_sync.cpp", "libabsl-dev", "-labsl_synchronization", "-labsl_time", "-labsl_base"),
    "zeromq": built("zeromq_workers.cpp", "libzmq3-dev", "-lzmq"),
    "leveldb": built("key_value.cpp", "libleveldb-dev", "-lleveldb"),
    "rocksdb": built("key_value.cpp", "librocksdb-dev", "-DUSE_ROCKSDB", "-lrocksdb"),
    "libuv": built("libuv_pool.cpp", "libuv1-dev", "-luv"),
    "glib": built("glib_pool.cpp", "libglib2.0-dev", "-I/usr/include/glib-2.0",
                  "-I/usr/lib/x86_64-linux-gnu/glib-2.0/include", "-lglib-2.0"),
    "liburcu": built("urcu_list.cpp", "liburcu-dev", "-lurcu-memb", "-lurcu-common"),
    "jemalloc": built("allocator_threads.cpp", "libjemalloc-dev", "-ljemalloc"),
    "jemalloc_background": built("allocator_threads.cpp", "libjemalloc-dev", "-ljemalloc",
                                 variables={"MALLOC_CONF": "background_thread:true"}),
    "tcmalloc": built("allocator_threads.cpp", "libgoogle-perftools-dev", "-ltcmalloc"),
}
