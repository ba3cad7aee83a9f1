/**
 * Up to this many mentions, the times of their turns are looked up. For more, walking all turns from the newest is
 * faster.
 */
export const FEW_MENTIONS = 100;
