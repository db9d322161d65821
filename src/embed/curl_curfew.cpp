#include "embed/curl_curfew.h"

namespace holdfast::embed {
namespace {

int give_up_when_passed(void* curfew, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const Curfew*>(curfew)->passed() ? 1 : 0;
}

}  // namespace

void obey(CURL* transfer, const Curfew* curfew) {
  if (curfew == nullptr) return;
  curl_easy_setopt(transfer, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(transfer, CURLOPT_XFERINFOFUNCTION, &give_up_when_passed);
  curl_easy_setopt(transfer, CURLOPT_XFERINFODATA, curfew);
}

}  // namespace holdfast::embed
