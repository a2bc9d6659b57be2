/** The version of the result document; raised on a breaking change. Apart, as whoever writes results needs no shapes. */
export const SCHEMA = 2;
