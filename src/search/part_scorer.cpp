#include "search/part_scorer.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/prefetch.h"
#include "search/posting_bits.h"
#include "text/query.h"

namespace holdfast::search {
namespace {

constexpr uint32_t kBreak = UINT32_MAX;
// An estimate: beyond it, marking should cost more than reading the documents around some dozens of
// matches.
constexpr size_t kMostMarked = 32'768;

constexpr size_t kTokensAtOnce = 16;

uint64_t bit_of(uint32_t stem) { return uint64_t{1} << (stem & 63); }

}  // namespace

double sum_groups(const Plan& plan, const std::vector<uint32_t>& tf, uint32_t length) {
  double sum = 0;
  double best = 0;
  uint32_t group = 0;
  for (size_t i = 0; i < plan.alternatives.size(); ++i) {
    const Plan::Alternative& alternative = plan.alternatives[i];
    if (alternative.group != group) {
      sum += best;
      best = 0;
      group = alternative.group;
    }
    if (tf[i] > 0) best = std::max(best, plan.contribution(alternative, tf[i], length));
  }
  return sum + best;
}

uint64_t groups_of(const Plan& plan, const std::vector<uint32_t>& tf) {
  static_assert(text::kMaxQueryTerms <= 64);
  uint64_t groups = 0;
  for (size_t i = 0; i < tf.size(); ++i)
    groups |= uint64_t{tf[i] > 0 ? 1U : 0U} << plan.alternatives[i].group;
  return groups;
}

PartScorer::PartScorer(const Plan& plan, const Part& part, uint32_t index)
    : plan_(plan), part_(part), tf_(plan.alternatives.size()) {
  for (uint32_t i = 0; i < plan.alternatives.size(); ++i) {
    const uint32_t stem = plan.alternatives[i].stems[index];
    if (stem == kNoStem) continue;
    wanted_.push_back({stem, i});
    wanted_bits_ |= bit_of(stem);
  }
  const auto local = [&](const Plan::Phrase& phrase) {
    std::vector<uint32_t> stems;
    for (const std::string& stem : phrase) {
      const auto id = part.find_stem(stem);
      if (!id) return std::vector<uint32_t>();
      stems.push_back(*id);
    }
    return stems;
  };
  for (const Plan::Phrase& phrase : plan.phrases) {
    phrases_.push_back(local(phrase));
    impossible_ = impossible_ || phrases_.back().empty();
  }
  for (const Plan::Phrase& phrase : plan.excluded) {
    auto stems = local(phrase);
    if (!stems.empty()) excluded_.push_back(std::move(stems));
  }
}

void PartScorer::expect_many() {
  if (wanted_.empty() || !with_term_.empty()) return;
  size_t postings = part_.columns().count / 64;
  for (const Wanted& wanted : wanted_) postings += part_.stem_postings(wanted.stem).count;
  if (postings > kMostMarked) return;
  with_term_.resize((size_t{part_.columns().count} + 63) / 64);
  for (const Wanted& wanted : wanted_) mark_documents(part_.stem_postings(wanted.stem), with_term_);
}

template <typename Use>
void PartScorer::for_each_wanted(uint32_t doc, uint32_t frequency, Use&& use) const {
  const uint32_t* const stems = part_.columns().form_stem;
  uint32_t seen = 0;
  // Their stems lie anywhere in memory, and are asked for some tokens before they are looked at.
  std::array<uint32_t, kTokensAtOnce> forms;
  size_t waiting = 0;
  size_t at_field = 0;
  // False once all were seen.
  const auto look = [&] {
    for (const uint32_t form : std::span(forms).first(std::exchange(waiting, 0))) {
      const uint32_t stem = stems[form];
      if ((wanted_bits_ & bit_of(stem)) == 0) continue;  // most words of most texts
      for (const Wanted& wanted : wanted_) {
        if (wanted.stem != stem) continue;
        use(at_field, wanted.alternative);
        seen += kFieldWeights[at_field];
      }
      if (frequency != 0 && seen >= frequency) return false;
    }
    return true;
  };
  using Choice = BlobReader::FieldChoice;
  const auto choose = [&](size_t field) {
    if (!look()) return Choice::kStop;
    at_field = field;
    // Where one word would weigh more than all that are left, there is none.
    const bool may_have = frequency == 0 || kFieldWeights[field] <= frequency - seen;
    return may_have ? Choice::kRead : Choice::kPass;
  };
  part_.blob(doc).each_token_while(choose, [&](size_t, uint32_t code) {
    if (code == kBoundaryToken) return true;
    forms[waiting++] = token_form(code);
    prefetch(stems + forms[waiting - 1]);
    return waiting < forms.size() || look();
  });
  look();
}

void PartScorer::count(uint32_t doc) {
  std::ranges::fill(tf_, 0U);
  for_each_wanted(doc, 0, [&](size_t field, uint32_t alternative) {
    tf_[alternative] += kFieldWeights[field];
  });
  for (uint32_t& tf : tf_) tf = std::min(tf, kMaxCount);
}

double PartScorer::lexical(uint32_t doc) {
  groups_ = 0;
  if (wanted_.empty()) return 0;
  if (!with_term_.empty() && (with_term_[doc >> 6] >> (doc & 63) & 1) == 0) return 0;
  count(doc);
  groups_ = groups_of(plan_, tf_);
  return sum_groups(plan_, tf_, part_.columns().length[doc]);
}

std::vector<uint32_t> PartScorer::plain_sequence(uint32_t doc) const {
  std::vector<uint32_t> sequence;
  size_t last_field = 0;
  part_.blob(doc).for_each_token([&](size_t field, uint32_t code) {
    if (field != last_field || code == kBoundaryToken) sequence.push_back(kBreak);
    last_field = field;
    if (code != kBoundaryToken && !token_is_overlay(code)) {
      sequence.push_back(part_.columns().form_stem[token_form(code)]);
    }
  });
  return sequence;
}

bool PartScorer::has_phrase(const std::vector<uint32_t>& sequence,
                            const std::vector<uint32_t>& phrase) const {
  return std::search(sequence.begin(), sequence.end(), phrase.begin(), phrase.end()) !=
         sequence.end();
}

bool PartScorer::passes_phrases(uint32_t doc) const {
  if (impossible_) return false;
  if (!has_phrases()) return true;
  const std::vector<uint32_t> sequence = plain_sequence(doc);
  for (const auto& phrase : phrases_) {
    if (!has_phrase(sequence, phrase)) return false;
  }
  for (const auto& phrase : excluded_) {
    if (has_phrase(sequence, phrase)) return false;
  }
  return true;
}

template <typename Use>
void PartScorer::for_each_best(uint32_t doc, uint32_t frequency, Use&& use) {
  field_tf_.assign(plan_.alternatives.size(), {});
  for_each_wanted(doc, frequency,
                  [&](size_t field, uint32_t alternative) { ++field_tf_[alternative][field]; });
  const uint32_t length = part_.columns().length[doc];
  size_t best = 0;
  double most = 0;
  // Alternatives lie group by group.
  for (size_t i = 0; i < tf_.size(); ++i) {
    uint32_t tf = 0;
    for (size_t field = 0; field < kFieldCount; ++field)
      tf += field_tf_[i][field] * kFieldWeights[field];
    tf_[i] = std::min(tf, kMaxCount);
    const double contribution =
        tf_[i] > 0 ? plan_.contribution(plan_.alternatives[i], tf_[i], length) : 0;
    if (contribution > most) {
      most = contribution;
      best = i;
    }
    const bool last =
        i + 1 == tf_.size() || plan_.alternatives[i + 1].group != plan_.alternatives[i].group;
    if (last && most > 0) use(best, most);
    if (last) most = 0;
  }
}

std::span<const FieldSet> PartScorer::find_fields(uint32_t doc, uint32_t frequency) {
  group_fields_.assign(plan_.groups.size(), 0);
  for_each_wanted(doc, frequency, [&](size_t field, uint32_t alternative) {
    group_fields_[plan_.alternatives[alternative].group] |= field_bit(field);
  });
  return group_fields_;
}

std::vector<Explanation::Term> PartScorer::explain_terms(uint32_t doc, uint32_t frequency) {
  std::vector<Explanation::Term> terms;
  for_each_best(doc, frequency, [&](size_t i, double contribution) {
    const Plan::Alternative& alternative = plan_.alternatives[i];
    Explanation::Term term{.text = plan_.groups[alternative.group].name,
                           .stem = alternative.stem,
                           .weighted_frequency = tf_[i],
                           .documents = alternative.documents,
                           .idf = alternative.idf,
                           .weight = alternative.weight,
                           .contribution = contribution};
    for (size_t field = 0; field < kFieldCount; ++field) {
      if (field_tf_[i][field] > 0)
        term.fields.push_back({static_cast<Field>(field), field_tf_[i][field]});
    }
    terms.push_back(std::move(term));
  });
  return terms;
}

}  // namespace holdfast::search
