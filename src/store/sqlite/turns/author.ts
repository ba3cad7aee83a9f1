/** Who made the turn `t`; null for one's own. The column lies behind long texts: it is read only where it may be set. */
export const AUTHOR = "CASE WHEN t.foreign_origin IS NOT NULL THEN t.author END";

/** The device of the user where the turn `t` was said, if a folder brought it from there. */
export const DEVICE = `(SELECT w.name FROM folder_turns f JOIN folder_names w ON w.writer = f.home WHERE f.turn_id = t.id)`;

/** Condition on the turn `t`: made by the user of this memory. */
export const IS_OWN = "t.id NOT IN (SELECT f.id FROM turns f WHERE f.author IS NOT NULL)";
