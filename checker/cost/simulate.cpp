// SPDX-License-Identifier: GPL-2.0-or-later
#include "checker/cost/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>

#include "model/check.hpp"

namespace iomc::check::cost {

namespace {

/// Steele, Lea and Flood's SplitMix64; the standard library's distributions differ between implementations.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double exponential(double mean) {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    const double u = (static_cast<double>(z >> 11) + 0.5) * 0x1p-53;
    return -mean * std::log(u);
  }

 private:
  std::uint64_t state_;
};

/// Means of batches. When there are twice as many as wanted, neighbours are put together: batches grow with the run,
/// and so does their independence.
class Batches {
 public:
  static constexpr std::size_t wanted = 20;

  void add(double time, double rounds, double response_sum) {
    times_.push_back(time);
    rounds_.push_back(rounds);
    sums_.push_back(response_sum);
    if (times_.size() < 2 * wanted) return;
    for (auto* all : {&times_, &rounds_, &sums_}) {
      for (std::size_t i = 0; i < wanted; ++i) (*all)[i] = (*all)[2 * i] + (*all)[2 * i + 1];
      all->resize(wanted);
    }
    doubled_ = true;
  }
  bool doubled() {
    const bool out = doubled_;
    doubled_ = false;
    return out;
  }
  std::size_t size() const { return times_.size(); }
  Estimate throughput() const { return ratio(rounds_, times_); }
  Estimate response() const { return ratio(sums_, rounds_); }

 private:
  /// Of a ratio of sums, with the interval of its linearisation.
  static Estimate ratio(const std::vector<double>& over, const std::vector<double>& under) {
    double a = 0;
    double b = 0;
    for (std::size_t i = 0; i < over.size(); ++i) a += over[i], b += under[i];
    if (b == 0) return {};
    const double mean = a / b;
    double squares = 0;
    for (std::size_t i = 0; i < over.size(); ++i) squares += std::pow(over[i] - mean * under[i], 2);
    const double n = static_cast<double>(over.size());
    constexpr double student_19 = 2.093;  // 95%, at the fewest batches that are judged
    return {mean, student_19 * std::sqrt(squares / (n - 1) / n) / (b / n)};
  }

  std::vector<double> times_, rounds_, sums_;
  bool doubled_ = false;
};

struct Customer {
  unsigned kind = 0;
  unsigned visit = 0;
  double since = 0;
};

class Simulation {
 public:
  Simulation(const Network& network, const SimulationOptions& options)
      : net_(network),
        options_(options),
        random_(options.seed),
        free_(network.stations.size()),
        waiting_(network.stations.size()),
        busy_(network.stations.size(), 0),
        batches_(network.classes.size()),
        rounds_(network.classes.size(), 0),
        sums_(network.classes.size(), 0) {
    for (std::size_t s = 0; s < free_.size(); ++s) free_[s] = net_.stations[s].servers;
  }

  SimulationResult run() {
    for (unsigned c = 0; c < net_.classes.size(); ++c) {
      const Class& kind = net_.classes[c];
      IOMC_PRE(!kind.visits.empty());
      for (unsigned i = 0; i < kind.customers; ++i) arrive(make(c));
      if (kind.customers == 0) schedule_arrival(c);
    }
    constexpr std::uint64_t warm_up = 20'000;
    std::uint64_t batch = 2'000;
    std::uint64_t next = warm_up;
    bool warm = false;
    double from = 0;
    SimulationResult out;
    while (!events_.empty()) {
      step();
      if (done_ < next) continue;
      if (warm)
        for (std::size_t c = 0; c < batches_.size(); ++c)
          batches_[c].add(now_ - from, static_cast<double>(rounds_[c]), sums_[c]);
      else
        std::fill(busy_.begin(), busy_.end(), 0), begin_ = now_;
      warm = true;
      from = now_;
      std::fill(rounds_.begin(), rounds_.end(), 0);
      std::fill(sums_.begin(), sums_.end(), 0);
      if (batches_.front().doubled()) {
        batch *= 2;
        for (auto& b : batches_) b.doubled();
      }
      next = done_ + batch;
      if (batches_.front().size() >= Batches::wanted && precise()) {
        out.precise = true;
        break;
      }
      if (done_ >= options_.most || (options_.interrupted != nullptr && *options_.interrupted)) break;
    }
    for (const auto& b : batches_) out.classes.push_back({b.throughput(), b.response()});
    for (std::size_t s = 0; s < busy_.size(); ++s)
      out.utilisation.push_back(net_.stations[s].servers == 0 ? 0
                                                              : busy_[s] / (now_ - begin_) / net_.stations[s].servers);
    out.completions = done_;
    return out;
  }

 private:
  struct Event {
    double at;
    std::uint64_t number;  ///< ties go to the one that was scheduled first
    std::uint32_t customer;
    bool arrival;
    bool operator>(const Event& o) const { return at != o.at ? at > o.at : number > o.number; }
  };

  std::uint32_t make(unsigned kind) {
    if (!unused_.empty()) {
      const std::uint32_t id = unused_.back();
      unused_.pop_back();
      customers_[id] = {kind, 0, now_};
      return id;
    }
    customers_.push_back({kind, 0, now_});
    return static_cast<std::uint32_t>(customers_.size() - 1);
  }
  void schedule_arrival(unsigned kind) {
    events_.push({now_ + random_.exponential(1 / net_.classes[kind].arrivals), ++number_, kind, true});
  }
  const Visit& visit(std::uint32_t id) const {
    const Customer& c = customers_[id];
    return net_.classes[c.kind].visits[c.visit];
  }
  void arrive(std::uint32_t id) {
    const unsigned s = visit(id).station;
    if (net_.stations[s].servers != 0 && free_[s] == 0) {
      waiting_[s].push_back(id);
      return;
    }
    serve(id);
  }
  void serve(std::uint32_t id) {
    const Visit& v = visit(id);
    const double time = v.law == Service::fixed ? v.mean : random_.exponential(v.mean);
    if (net_.stations[v.station].servers != 0) --free_[v.station];
    busy_[v.station] += time;
    events_.push({now_ + time, ++number_, id, false});
  }
  void step() {
    const Event e = events_.top();
    events_.pop();
    now_ = e.at;
    if (e.arrival) {
      schedule_arrival(e.customer);
      arrive(make(e.customer));
      return;
    }
    const unsigned s = visit(e.customer).station;
    if (net_.stations[s].servers != 0) {
      ++free_[s];
      if (!waiting_[s].empty()) {
        const std::uint32_t first = waiting_[s].front();
        waiting_[s].pop_front();
        serve(first);
      }
    }
    Customer& c = customers_[e.customer];
    if (++c.visit < net_.classes[c.kind].visits.size()) {
      arrive(e.customer);
      return;
    }
    ++done_;
    ++rounds_[c.kind];
    sums_[c.kind] += now_ - c.since;
    if (net_.classes[c.kind].customers == 0) {
      unused_.push_back(e.customer);
      return;
    }
    c.visit = 0;
    c.since = now_;
    arrive(e.customer);
  }
  bool precise() const {
    return std::all_of(batches_.begin(), batches_.end(), [&](const Batches& b) {
      const auto good = [&](const Estimate& e) { return e.half_width <= options_.precision * e.mean; };
      return good(b.throughput()) && good(b.response());
    });
  }

  const Network& net_;
  const SimulationOptions& options_;
  Random random_;
  std::vector<Customer> customers_;
  std::vector<std::uint32_t> unused_;
  std::vector<unsigned> free_;
  std::vector<std::deque<std::uint32_t>> waiting_;
  std::vector<double> busy_;
  std::vector<Batches> batches_;
  std::vector<std::uint64_t> rounds_;
  std::vector<double> sums_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t number_ = 0;
  std::uint64_t done_ = 0;
  double now_ = 0;
  double begin_ = 0;
};

}  // namespace

SimulationResult simulate(const Network& network, const SimulationOptions& options) {
  return Simulation(network, options).run();
}

}  // namespace iomc::check::cost
