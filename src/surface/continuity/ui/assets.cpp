#include "surface/continuity/ui/assets.h"

namespace holdfast::surface::continuity::ui {

const std::string_view kStylesheet = R"(:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1rem 3rem; font: 1rem/1.5 system-ui, sans-serif; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; list-style: none; margin: 0; padding: .75rem 0; border-bottom: 1px solid; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
thead th, .members th { font-weight: 600; }
tbody tr { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
td { white-space: pre-line; }
td ul, section > ul { margin: 0; padding-left: 1.1rem; }
form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 1rem 0; }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; padding: 0; }
.chips a { border: 1px solid; border-radius: 1rem; padding: .1rem .7rem; text-decoration: none; }
.none { opacity: .6; }
.notice { border-left: .25rem solid; padding-left: .75rem; }
)";

const std::string_view kLiveScript = R"(const events = new EventSource('/ui/events');
events.addEventListener('ui-snapshot', (event) => {
  const snapshot = JSON.parse(event.data);
  for (const element of document.querySelectorAll('[data-live]')) {
    const value = element.dataset.live.split('.').reduce((from, name) => from?.[name], snapshot);
    if (value !== undefined) element.textContent = value;
  }
});
)";

}  // namespace holdfast::surface::continuity::ui
