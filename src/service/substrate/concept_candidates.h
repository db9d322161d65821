// Terms that look like concepts worth remembering, found in evidence and in knowledge. Advice only:
// nothing here writes. The rules (what counts as a term, what is noise, how candidates are scored)
// are those of the published memory-substrate interface.
//
//   ConceptDiscovery discovery;
//   for (const Segment& s : source.segments) discovery.add_segment({...});
//   const ConceptReport report = discovery.report({.limit = 5, .taken = is_known_concept});
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace holdfast::service::substrate {

// One segment of a source, as far as terms are concerned.
struct SegmentText {
  std::string source_id = {};
  std::string source_title = {};
  std::string segment_id = {};
  std::string excerpt = {};
  std::vector<std::string> heading_path = {};
  int64_t line_start = 0;  // 0: not known
  Value locator = {};
  std::string scope_ref = {};  // the node of the repository or document, else the source
};

// One piece of knowledge that is no concept itself. Scopes: its scope_refs, else its subject_refs,
// else its own id.
struct KnowledgeText {
  std::string id = {};
  std::string title = {};
  std::string summary = {};
  std::vector<std::string> scope_refs = {};
};

struct CandidateEvidence {
  std::string source_id = {};
  std::string segment_id = {};
  Value locator = {};
};

// Strings that a contract fixes are strings here too.
struct ConceptCandidate {
  std::string candidate_type = {};  // concept, procedure, decision, tool_library, ...
  std::string suggested_kind = {};  // the knowledge kind to remember it as
  std::string title = {};
  std::string normalized_key = {};
  double score = 0;  // 0 to 1, three decimals
  double confidence = 0;
  int64_t occurrences = 0;
  int64_t source_count = 0;
  int64_t support_count = 0;                     // evidence and objects
  std::vector<CandidateEvidence> evidence = {};  // at most kMaxRefs, in the order found
  int64_t evidence_count = 0;
  std::vector<std::string> object_refs = {};  // at most kMaxRefs
  int64_t object_count = 0;
  std::vector<std::string> scope_refs = {};
  std::vector<std::string> reasons = {};  // sorted: heading_path, knowledge_text, source_excerpt
  std::vector<std::string> bonuses = {};
  std::vector<std::string> penalties = {};
  double score_adjustment = 0;

  static constexpr size_t kMaxRefs = 5;
};

// How much a reader should care, derived from a candidate.
struct CandidateAdvice {
  std::string priority = {};  // high, medium, low
  bool recommended = false;
  std::string action = {};
  std::vector<std::string> why = {};  // at most 6
};
CandidateAdvice advice_for(const ConceptCandidate& candidate);

struct SkippedTerm {
  std::string title = {};
  std::string normalized_key = {};
  std::string reason = {};
  int64_t occurrences = 0;
};

struct NoiseClass {
  std::string reason = {};
  int64_t count = 0;
  std::vector<std::string> examples = {};  // at most 5
};

struct CandidateDiagnostics {
  std::vector<SkippedTerm> skipped = {};  // most occurrences first, at most kMaxSkipped
  std::vector<NoiseClass> noise_classes = {};
  int64_t skipped_count = 0;
  int64_t eligible_count = 0;
  int64_t returned_count = 0;

  static constexpr size_t kMaxSkipped = 20;
};

struct ConceptReport {
  std::vector<ConceptCandidate> candidates = {};  // best first
  CandidateDiagnostics diagnostics = {};
};

struct ConceptQuestion {
  size_t limit = 10;
  // True for a key that a stored concept already has (concept_key, concept_terms.h, of its title,
  // name or an alias).
  // Asked only for eligible keys, in order of key.
  std::function<bool(const std::string& key)> taken = {};
};

// Collects terms and judges them. Not thread-safe: one belongs to one request. Holds at most
// kMaxKeys different terms; further new ones are not counted.
class ConceptDiscovery {
 public:
  static constexpr size_t kMaxKeys = 20000;

  void add_segment(const SegmentText& segment);
  void add_knowledge(const KnowledgeText& knowledge);
  ConceptReport report(const ConceptQuestion& question) const;

 private:
  struct Found {
    std::string title = {};  // as first met
    int64_t occurrences = 0;
    std::vector<CandidateEvidence> evidence = {};
    std::set<std::string> evidence_keys = {};
    std::set<std::string> sources = {};
    std::vector<std::string> objects = {};
    std::vector<std::string> scopes = {};  // in the order found
    std::set<std::string> scope_keys = {};
    std::set<std::string> reasons = {};

    void add_scope(const std::string& scope);
  };

  Found* note(std::string_view term, std::string_view reason);
  void note_evidence(std::string_view term, std::string_view reason, const SegmentText& segment);
  static ConceptCandidate judge(const std::string& key, const Found& found);
  static bool eligible(const Found& found);

  std::map<std::string, Found> found_;
};

}  // namespace holdfast::service::substrate
