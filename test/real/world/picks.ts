/** Picks on the way to a zone's delegation: the root and the two registries have two servers each, all healthy. */
export const toTest = 2 * 2;
export const toExample = 2 * 2;

/** Picks on the way to the address of a hoster's server, from the root: hoster.example has two servers. */
export const toHosterAddress = toExample * 2;
