declare const brand: unique symbol;

/**
 * A domain name in canonical text: absolute, ASCII letters lower-case, octets that are not
 * printable or are special in zone files escaped as RFC 1035 5.1 says (`\.`, `\\`, `\032`).
 * Equal names are equal strings. The root is ".".
 */
export type Name = string & { readonly [brand]: 'Name' };
