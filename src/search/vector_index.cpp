#include "search/vector_index.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <queue>
#include <sys/stat.h>
#include <unordered_set>

#include <fcntl.h>
#include <unistd.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
// Its prefetching reads past the end of link lists; the distance that matters is our own (below).
#define NO_MANUAL_VECTORIZATION
#include <hnswlib/hnswlib.h>
#pragma GCC diagnostic pop
#include <xxhash.h>

#include "base/log.h"
#include "search/bytes.h"

namespace holdfast::search {
namespace {

constexpr uint64_t kVectorMagic = 0x31434556'46444c48;  // "HLDFVEC1"
// Number, checksum, content; then the vector.
constexpr size_t kRecordHead = 24;
constexpr size_t kLinks = 16;
constexpr size_t kBuildWidth = 200;
constexpr size_t kSearchWidth = 100;

Error failure(const std::string& what) {
  return Error{.code = ErrorCode::kInternal,
               .message = "The vectors of this space cannot be kept.",
               .detail = what};
}

bool normalize(std::span<const float> vector, std::vector<float>& out) {
  double square = 0;
  for (const float value : vector) square += static_cast<double>(value) * value;
  if (!std::isfinite(square) || square <= 0) return false;
  const double scale = 1 / std::sqrt(square);
  out.clear();
  for (const float value : vector) out.push_back(static_cast<float>(value * scale));
  return true;
}

// 1 - the inner product, four lanes at a time whatever the machine's own vectors are.
float distance_of(const void* a, const void* b, const void* dimensions) {
  using Lanes __attribute__((vector_size(16))) = float;
  const size_t count = *static_cast<const size_t*>(dimensions);
  const auto* x = static_cast<const float*>(a);
  const auto* y = static_cast<const float*>(b);
  Lanes first = {};
  Lanes second = {};
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    first += load<Lanes>(x + i) * load<Lanes>(y + i);
    second += load<Lanes>(x + i + 4) * load<Lanes>(y + i + 4);
  }
  const Lanes both = first + second;
  float sum = both[0] + both[1] + both[2] + both[3];
  for (; i < count; ++i) sum += x[i] * y[i];
  return 1 - sum;
}

class InnerProduct : public hnswlib::SpaceInterface<float> {
 public:
  explicit InnerProduct(size_t dimensions) : dimensions_(dimensions) {}
  size_t get_data_size() override { return dimensions_ * sizeof(float); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return &distance_of; }
  void* get_dist_func_param() override { return &dimensions_; }

 private:
  size_t dimensions_;
};

// A base made before hnswlib's graph, which points to it.
struct Metric {
  InnerProduct inner_product;
};

// Of a record without its first two members.
uint64_t record_sum(const std::string& record, ObjectNumber number) {
  return XXH3_64bits_withSeed(record.data() + 16, record.size() - 16,
                              static_cast<uint64_t>(number));
}

bool write_all(int file, const std::string& bytes, size_t at) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written =
        ::pwrite(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += static_cast<size_t>(written);
  }
  return true;
}

}  // namespace

// hnswlib 0.6 has no filters; what it keeps is open to heirs, so the walk over the lowest layer is
// written again here with one. Nodes that may not be returned still lead on to others.
class VectorIndex::Graph : private Metric, private hnswlib::HierarchicalNSW<float> {
  using Base = hnswlib::HierarchicalNSW<float>;

 public:
  Graph(size_t dimensions, size_t capacity)
      : Metric{InnerProduct(dimensions)}, Base(&inner_product, capacity, kLinks, kBuildWidth) {}
  Graph(size_t dimensions, const std::string& path)
      : Metric{InnerProduct(dimensions)}, Base(&inner_product, path) {
    for (hnswlib::tableint node = 0; node < cur_element_count; ++node) {
      if (isMarkedDeleted(node)) dead_.insert(node);
    }
  }

  // In the place of a dead node where there is one, so that coming and going costs no memory.
  void add(ObjectNumber number, const float* vector) {
    const auto label = static_cast<hnswlib::labeltype>(number);
    auto node = label_lookup_.find(label);
    if (node == label_lookup_.end() && !dead_.empty()) {
      label_lookup_.erase(getExternalLabel(*dead_.begin()));
      setExternalLabel(*dead_.begin(), label);
      node = label_lookup_.emplace(label, *dead_.begin()).first;
    }
    if (node != label_lookup_.end()) dead_.erase(node->second);
    if (cur_element_count + 1 > max_elements_) resizeIndex(max_elements_ * 2);
    addPoint(vector, label);
  }
  void remove(ObjectNumber number) {
    const auto it = label_lookup_.find(static_cast<hnswlib::labeltype>(number));
    if (it == label_lookup_.end() || isMarkedDeleted(it->second)) return;
    markDeletedInternal(it->second);
    std::memset(getDataByInternalId(it->second), 0, data_size_);
    dead_.insert(it->second);
  }
  size_t living() const { return cur_element_count - num_deleted_; }
  bool mostly_dead() const { return num_deleted_ * 5 > cur_element_count; }
  bool has(ObjectNumber number) const {
    const auto it = label_lookup_.find(static_cast<hnswlib::labeltype>(number));
    return it != label_lookup_.end() && !isMarkedDeleted(it->second);
  }
  void save(const std::string& path) { saveIndex(path); }

  std::vector<NearVector> search(const float* query, size_t k,
                                 const std::function<bool(ObjectNumber)>& allowed) const {
    std::vector<NearVector> found;
    if (cur_element_count == 0) return found;
    auto best = walk(query, entry(query), std::max(k, kSearchWidth), allowed);
    for (; !best.empty(); best.pop()) {
      found.push_back(
          {static_cast<ObjectNumber>(getExternalLabel(best.top().second)), 1.0 - best.top().first});
    }
    std::ranges::sort(found, [](const NearVector& a, const NearVector& b) {
      return a.similarity != b.similarity ? a.similarity > b.similarity : a.number > b.number;
    });
    if (found.size() > k) found.resize(k);
    return found;
  }

 private:
  using Node = std::pair<float, hnswlib::tableint>;
  using Farthest = std::priority_queue<Node>;

  float distance(const float* query, hnswlib::tableint node) const {
    return fstdistfunc_(query, getDataByInternalId(node), dist_func_param_);
  }

  hnswlib::tableint entry(const float* query) const {
    hnswlib::tableint at = enterpoint_node_;
    float near = distance(query, at);
    for (int level = maxlevel_; level > 0; --level) {
      for (bool changed = true; changed;) {
        changed = false;
        const unsigned int* const links = get_linklist(at, level);
        const unsigned short count = getListCount(const_cast<unsigned int*>(links));
        for (unsigned short i = 1; i <= count; ++i) {
          const float here = distance(query, links[i]);
          if (here >= near) continue;
          near = here;
          at = links[i];
          changed = true;
        }
      }
    }
    return at;
  }

  Farthest walk(const float* query, hnswlib::tableint from, size_t width,
                const std::function<bool(ObjectNumber)>& allowed) const {
    Farthest best;
    std::priority_queue<Node, std::vector<Node>, std::greater<>> open;
    std::vector<bool> visited(cur_element_count);
    const auto take = [&](hnswlib::tableint node) {
      visited[node] = true;
      const float far = distance(query, node);
      if (best.size() >= width && far >= best.top().first) return;
      open.emplace(far, node);
      if (isMarkedDeleted(node) || !allowed(static_cast<ObjectNumber>(getExternalLabel(node))))
        return;
      best.emplace(far, node);
      if (best.size() > width) best.pop();
    };
    take(from);
    while (!open.empty()) {
      const auto [far, node] = open.top();
      if (best.size() >= width && far > best.top().first) break;
      open.pop();
      const unsigned int* const links = get_linklist0(node);
      const unsigned short count = getListCount(const_cast<unsigned int*>(links));
      for (unsigned short i = 1; i <= count; ++i) {
        if (!visited[links[i]]) take(links[i]);
      }
    }
    return best;
  }

  std::unordered_set<hnswlib::tableint> dead_;
};

VectorIndex::VectorIndex(VectorOptions options)
    : options_(std::move(options)), graph_(std::make_unique<Graph>(options_.dimensions, 1024)) {}

VectorIndex::~VectorIndex() {
  const WriterLock lock(mutex_);
  if (file_ >= 0) ::close(file_);
}

size_t VectorIndex::record_bytes() const {
  return kRecordHead + options_.dimensions * sizeof(float);
}

std::string VectorIndex::header() const {
  std::string bytes;
  put_fixed(bytes, kVectorMagic);
  put_fixed(bytes, static_cast<uint64_t>(options_.dimensions));
  put_fixed(bytes, XXH3_64bits(options_.model.data(), options_.model.size()));
  return bytes;
}

Status VectorIndex::open() {
  const WriterLock lock(mutex_);
  if (options_.folder.empty()) return {};
  std::error_code error;
  std::filesystem::create_directories(options_.folder, error);
  const std::string path = options_.folder + "/vectors";
  file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file_ < 0) return failure(path);
  const std::string graph_path = options_.folder + "/graph";
  // The graph is built of what read_vectors() found. A saved one saves that work if it knows the
  // same objects.
  std::unique_ptr<Graph> saved;
  try {
    if (std::filesystem::exists(graph_path))
      saved = std::make_unique<Graph>(options_.dimensions, graph_path);
  } catch (const std::exception& problem) {
    log::warn("vector_graph_unreadable", {{"detail", problem.what()}});
  }
  std::filesystem::remove(graph_path, error);
  HOLDFAST_CHECK_OK(read_vectors());
  const bool fits =
      saved && saved->living() == slots_.size() &&
      std::ranges::all_of(slots_, [&](const auto& slot) { return saved->has(slot.first); });
  if (fits) {
    graph_ = std::move(saved);
    return {};
  }
  std::vector<float> vector(options_.dimensions);
  for (const auto& [number, slot] : slots_) {
    const off_t at =
        static_cast<off_t>(header().size() + slot.place * record_bytes() + kRecordHead);
    const ssize_t got = ::pread(file_, vector.data(), vector.size() * sizeof(float), at);
    if (got == static_cast<ssize_t>(vector.size() * sizeof(float)))
      graph_->add(number, vector.data());
  }
  return {};
}

Status VectorIndex::read_vectors() {
  const std::string wanted = header();
  std::string found(wanted.size(), '\0');
  const ssize_t got = ::pread(file_, found.data(), found.size(), 0);
  if (got != static_cast<ssize_t>(found.size()) || found != wanted) {
    if (got > 0) log::warn("vectors_discarded", {{"why", "another model or format"}});
    if (::ftruncate(file_, 0) != 0 || !write_all(file_, wanted, 0)) return failure(options_.folder);
    return {};
  }
  std::string record(record_bytes(), '\0');
  size_t damaged = 0;
  for (;; ++slot_count_) {
    const off_t at = static_cast<off_t>(wanted.size() + slot_count_ * record.size());
    if (::pread(file_, record.data(), record.size(), at) != static_cast<ssize_t>(record.size()))
      break;
    const auto number = load<int64_t>(record.data());
    const auto sum = load<uint64_t>(record.data() + 8);
    const bool sound = number > 0 && sum == record_sum(record, number);
    const Slot slot{slot_count_, load<uint64_t>(record.data() + 16)};
    if (sound && slots_.emplace(number, slot).second) continue;
    damaged += number != 0 ? 1 : 0;
    free_slots_.push_back(slot_count_);
  }
  if (damaged > 0) log::warn("vectors_damaged", {{"count", damaged}});
  return {};
}

Status VectorIndex::write_record(size_t slot, ObjectNumber number, uint64_t content,
                                 std::span<const float> vector) {
  if (file_ < 0) return {};
  std::string record;
  put_fixed(record, number);
  put_fixed(record, uint64_t{0});
  put_fixed(record, content);
  record.append(reinterpret_cast<const char*>(vector.data()), vector.size_bytes());
  const uint64_t sum = record_sum(record, number);
  std::memcpy(record.data() + 8, &sum, sizeof sum);
  if (number == 0) record.assign(record.size(), '\0');
  if (!write_all(file_, record, header().size() + slot * record_bytes()))
    return failure(options_.folder);
  return {};
}

Status VectorIndex::add(ObjectNumber number, uint64_t content, std::span<const float> vector) {
  std::vector<float> unit;
  if (vector.size() != options_.dimensions || !normalize(vector, unit)) {
    return invalid_argument("A vector has another length, or numbers that mean nothing.");
  }
  const WriterLock lock(mutex_);
  size_t slot = slot_count_;
  if (const auto known = slots_.find(number); known != slots_.end()) {
    slot = known->second.place;
  } else if (!free_slots_.empty()) {
    slot = free_slots_.back();
  }
  HOLDFAST_CHECK_OK(write_record(slot, number, content, unit));
  if (!free_slots_.empty() && slot == free_slots_.back()) free_slots_.pop_back();
  slot_count_ = std::max(slot_count_, slot + 1);
  slots_[number] = {slot, content};
  graph_->add(number, unit.data());
  return {};
}

Status VectorIndex::remove(ObjectNumber number) {
  const WriterLock lock(mutex_);
  const auto it = slots_.find(number);
  if (it == slots_.end()) return {};
  graph_->remove(number);
  const size_t slot = it->second.place;
  slots_.erase(it);
  free_slots_.push_back(slot);
  HOLDFAST_CHECK_OK(write_record(slot, 0, 0, std::vector<float>(options_.dimensions)));
  if (file_ >= 0 && ::fdatasync(file_) != 0) return failure(options_.folder);
  return {};
}

Status VectorIndex::prune(const std::function<bool(ObjectNumber, uint64_t content)>& keep) {
  std::vector<ObjectNumber> gone;
  {
    const ReaderLock lock(mutex_);
    for (const auto& [number, slot] : slots_) {
      if (!keep(number, slot.content)) gone.push_back(number);
    }
  }
  for (const ObjectNumber number : gone) HOLDFAST_CHECK_OK(remove(number));
  return {};
}

bool VectorIndex::has(ObjectNumber number) const {
  const ReaderLock lock(mutex_);
  return slots_.contains(number);
}

size_t VectorIndex::size() const {
  const ReaderLock lock(mutex_);
  return slots_.size();
}

std::vector<NearVector> VectorIndex::search(
    std::span<const float> vector, size_t k,
    const std::function<bool(ObjectNumber)>& allowed) const {
  std::vector<float> unit;
  if (vector.size() != options_.dimensions || !normalize(vector, unit) || k == 0) return {};
  const ReaderLock lock(mutex_);
  return graph_->search(unit.data(), k, allowed);
}

Status VectorIndex::close() {
  const WriterLock lock(mutex_);
  if (file_ < 0) return {};
  if (::fsync(file_) != 0) return failure(options_.folder);
  if (graph_->mostly_dead()) return {};  // the next open() makes a better one
  try {
    graph_->save(options_.folder + "/graph.tmp");
    std::filesystem::rename(options_.folder + "/graph.tmp", options_.folder + "/graph");
  } catch (const std::exception& problem) {
    return failure(problem.what());
  }
  return {};
}

}  // namespace holdfast::search
