import { select } from "./chrome.client.js";
import { sessions } from "./data.client.js";
import { shownConversation } from "./detail.client.js";
import { byId } from "./dom.client.js";

/** Opens what the address names: `#session-<id>`, or `#turn-<number>` with its session. */
async function follow() {
  const [, kind, name] = /^#(session|turn)-(.+)$/.exec(decodeURIComponent(location.hash)) ?? [];
  if (kind === undefined) return;
  const session = sessions.find(({ id, turnIds }) =>
    kind === "session" ? id === name : turnIds?.includes(Number(name)),
  );
  if (session === undefined) return;
  select(session.i);
  if (kind === "session") return;
  const root = await shownConversation(session);
  root?.showAll();
  const element = byId(`turn-${name}`);
  if (element === null) return;
  element.open = true;
  element.scrollIntoView({ block: "start" });
  element.querySelector("summary").focus({ preventScroll: true });
}

export function setUpLinks() {
  addEventListener("hashchange", follow);
  follow();
}
