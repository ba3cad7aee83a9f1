/** Exit code of a command that Ctrl-C stopped, as shells report it. */
export const INTERRUPTED = 130;
