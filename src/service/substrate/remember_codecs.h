// How an answer is kept for a repetition of its call.
#pragma once

#include "service/substrate/remember_service.h"

namespace holdfast {

template <>
const Codec<service::substrate::PossibleDuplicate>&
codec_of<service::substrate::PossibleDuplicate>();
template <>
const Codec<service::substrate::EvidenceContract>& codec_of<service::substrate::EvidenceContract>();
template <>
const Codec<service::substrate::GraphSync>& codec_of<service::substrate::GraphSync>();
template <>
const Codec<service::substrate::Remembered>& codec_of<service::substrate::Remembered>();

}  // namespace holdfast
