// Every fixed sentence that the embedded provider can say. docs/chat-phrases.txt lists their words,
// so that anybody can check that an answer holds nothing else than these, the user's words and
// quotations.
#pragma once

#include <array>
#include <string_view>

namespace holdfast::service::chat::phrase {

inline constexpr std::string_view kEmergency =
    "If you or someone near you is in danger, please contact local emergency help right now.";
inline constexpr std::string_view kHello = "Hello.";
inline constexpr std::string_view kHowToHelp = "What would you like to work on?";
inline constexpr std::string_view kNothingSaved = "Nothing was saved.";
inline constexpr std::string_view kReadyToSave = "Here is a draft that is ready to save:";
inline constexpr std::string_view kUseSave = "Use the save action to keep it.";
inline constexpr std::string_view kNoAction = "No action was performed.";
inline constexpr std::string_view kDraft = "Here is a draft:";
inline constexpr std::string_view kSteps = "Steps: 1. Review the draft. 2. Carry it out yourself.";
inline constexpr std::string_view kUnverified = "This content is unverified.";
inline constexpr std::string_view kNoted = "Noted:";
inline constexpr std::string_view kNoAnswer =
    "Neither saved memories nor the supplied conversation answer this.";
inline constexpr std::string_view kMissing = "Missing:";
inline constexpr std::string_view kAsk = "Could you share the missing facts?";
inline constexpr std::string_view kFound = "Here is what was found.";

inline constexpr std::string_view kSavedMemory = "Saved memory:";
inline constexpr std::string_view kOlderMemory = "Older memory:";
inline constexpr std::string_view kDecision = "Decision:";
inline constexpr std::string_view kEvidence = "Evidence:";
inline constexpr std::string_view kYouSaid = "You said:";
inline constexpr std::string_view kNextStep = "Next step:";
inline constexpr std::string_view kThreadSummary = "Thread summary:";
inline constexpr std::string_view kTopic = "Topic:";
inline constexpr std::string_view kEarlierAnswer = "Earlier answer:";

inline constexpr std::array kAll = {
    kEmergency, kHello,   kHowToHelp, kNothingSaved,  kReadyToSave, kUseSave,
    kNoAction,  kDraft,   kSteps,     kUnverified,    kNoted,       kNoAnswer,
    kMissing,   kAsk,     kFound,     kSavedMemory,   kOlderMemory, kDecision,
    kEvidence,  kYouSaid, kNextStep,  kThreadSummary, kTopic,       kEarlierAnswer};

}  // namespace holdfast::service::chat::phrase
