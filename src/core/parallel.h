#pragma once
// A fixed pool of threads. Work is given as numbered chunks whose boundaries do not depend on the
// number of threads, so that results combined in chunk order are the same for any pool size.

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace reissue {

class ThreadPool {
 public:
  // `threads` = 0: as many as the machine has. 1: everything runs in the caller. Threads that the
  // machine does not give are done without.
  explicit ThreadPool(std::size_t threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t threads() const { return workers_.size() + 1; }

  // Calls work(0) … work(chunks − 1), each once, on any thread (the caller's included), and returns
  // when all are done. `work` must not call Run of the same pool. What it throws (there is not
  // enough memory) is thrown here once nothing runs any more; chunks not begun by then are left
  // out.
  void Run(std::size_t chunks, const std::function<void(std::size_t)>& work);

 private:
  void Work();
  void Drain(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t next_ = 0;
  std::size_t chunks_ = 0;
  std::size_t running_ = 0;
  bool stop_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> workers_;
};

}  // namespace reissue
