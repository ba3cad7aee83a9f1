export { add, init, remove, rotate } from "./administer.ts";
export { join, leave, status, sync } from "./join.ts";
export { members, models } from "./members.ts";
export { preview, share, unshare } from "./share.ts";
