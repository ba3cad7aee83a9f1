export { add, init, remove, rotate } from "./administer.ts";
export { join, leave, status, sync } from "./join.ts";
export { grant, index, members, models, revoke } from "./members.ts";
export { preview, share, unshare } from "./share.ts";
