#include "reissue/core/parallel.h"

#include <system_error>
#include <utility>

namespace reissue {

ThreadPool::ThreadPool(std::size_t threads) {
  if (threads == 0) threads = std::thread::hardware_concurrency();
  if (threads > 1) workers_.reserve(threads - 1);
  try {
    for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { Work(); });
  } catch (const std::system_error&) {  // no room for its stack, or too many already
  } catch (const std::bad_alloc&) {
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::Run(std::size_t chunks, const std::function<void(std::size_t)>& work) {
  if (workers_.empty() || chunks <= 1) {
    for (std::size_t i = 0; i < chunks; ++i) work(i);
    return;
  }
  std::unique_lock lock(mutex_);
  work_ = &work;
  next_ = 0;
  chunks_ = chunks;
  wake_.notify_all();
  Drain(lock);
  done_.wait(lock, [this] { return running_ == 0; });
  work_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::Drain(std::unique_lock<std::mutex>& lock) {
  while (work_ != nullptr && next_ < chunks_) {
    const std::size_t chunk = next_++;
    const auto* work = work_;
    ++running_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      (*work)(chunk);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) {
      if (!failure_) failure_ = std::move(failure);
      next_ = chunks_;
    }
    if (--running_ == 0) done_.notify_all();
  }
}

void ThreadPool::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stop_ || (work_ != nullptr && next_ < chunks_); });
    if (stop_) return;
    Drain(lock);
  }
}

}  // namespace reissue
