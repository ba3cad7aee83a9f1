import { LOST } from "../../../constants.ts";

/** In SQL, whether only the prompt is left of the turn `t`. */
export const PROMPT_ONLY = `EXISTS (SELECT 1 FROM turn_marks lost WHERE lost.turn_id = t.id AND lost.kind = '${LOST.mark}')`;

/** The same of a session `s`: whether a turn of it is such a one. A transcript that turns up replaces all of them. */
export const SESSION_PROMPT_ONLY = `EXISTS (SELECT 1 FROM turns t WHERE t.session_id = s.session_id AND ${PROMPT_ONLY})`;
