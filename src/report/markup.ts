/** Escapes a text for HTML and XML, in content and in attributes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
}

/** Renders the static part of the page; its script fills the rest. `project` must be escaped HTML. */
export function markup(project: string, isEmpty: boolean): string {
  return `<header class="top">
  <div>
    <p class="maker">mementor</p>
    <h1><bdi>${project}</bdi></h1>
    <p id="span" class="note"></p>
  </div>
  <button type="button" id="theme" class="plain" hidden></button>
</header>
<noscript><p class="empty">This page needs JavaScript, which is turned off.</p></noscript>
<main>
${isEmpty ? EMPTY : SECTIONS}
</main>
<footer class="note">
  <p id="made"></p>
</footer>
<div id="tip" role="status" aria-live="polite" hidden></div>`;
}

const EMPTY = '<p class="empty" id="empty">No sessions.</p>';

const SECTIONS = `<dl id="figures"></dl>
<section aria-labelledby="time-title">
  <h2 id="time-title">Sessions over time</h2>
  <p class="note" id="time-note"></p>
  <div id="legend" role="group" aria-label="Show one branch"></div>
  <div id="timeline" class="chart"></div>
</section>
<section aria-labelledby="heat-title">
  <h2 id="heat-title">Busiest files</h2>
  <p class="note" id="heat-note"></p>
  <div id="heat" class="chart"></div>
</section>
<section aria-labelledby="list-title">
  <h2 id="list-title">All sessions</h2>
  <div class="tools">
    <input type="search" id="search" placeholder="Title, file, branch, commit" aria-label="Search sessions" autocomplete="off" spellcheck="false">
    <label class="sorting">Sort by <select id="sort"></select></label>
    <button type="button" id="clear" class="plain" hidden>Show all</button>
    <p id="count" role="status" class="note"></p>
  </div>
  <table>
    <thead><tr id="head"></tr></thead>
    <tbody id="rows"></tbody>
  </table>
  <div id="more" aria-hidden="true"></div>
</section>`;
