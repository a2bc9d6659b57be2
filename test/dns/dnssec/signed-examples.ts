import type { BogusReason } from '../../../src/dns/dnssec/reasons.ts';

/** A key and an RRset that it signed, as an RFC prints them. */
export interface SignedExample {
  readonly says: string;
  readonly key: string;
  readonly ds?: string;
  /** With its signature. */
  readonly rrset: string;
  /** When the signature was valid. */
  readonly moment: string;
  readonly is: 'verified' | BogusReason;
}

const RSA_256 = `example.net. 3600 DNSKEY 256 3 8 AwEAAcFcGsaxxdgiuuGmCkVImy4h99CqT7jwY3pexPGcnUFtR2Fh36BponcwtkZ4cAgtvd4Qs8PkxUdp6p/DlUmObdk=`;

const RSA_512 = `example.net. 3600 DNSKEY 256 3 10 AwEAAdHoNTOW+et86KuJOWRDp1pndvwb6Y83nSVXXyLA3DLroROUkN6X0O6pnWnjJQujX/AyhqFDxj13tOnD9u/1kTg7cV6rklMrZDtJCQ5PCl/D7QNPsgVsMu1J2Q8gpMpztNFLpPBz1bWXjDtaR7ZQBlZ3PFY12ZTSncorffcGmhOL`;

const P256 = `example.net. 3600 DNSKEY 257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==`;

const P384 = `example.net. 3600 DNSKEY 257 3 14 xKYaNhWdGOfJ+nPrL8/arkwf2EY3MDJ+SErKivBVSum1w/egsXvSADtNJhyem5RCOpgQ6K8X1DRSEkrbYQ+OB+v8/uX45NBwY8rp65F6Glur8I/mlVNgF6W/qTI37m40`;

const ED25519_1 = `example.com. 3600 DNSKEY 257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=`;

const ED25519_2 = `example.com. 3600 DNSKEY 257 3 15 zPnZ/QwEe7S8C5SPz2OfS5RR40ATk2/rYnE9xHIEijs=`;

const ED448_1 = `example.com. 3600 DNSKEY 257 3 16 3kgROaDjrh0H2iuixWBrc8g2EpBBLCdGzHmn+G2MpTPhpj/OiBVHHSfPodx1FYYUcJKm1MDpJtIA`;

const ED448_2 = `example.com. 3600 DNSKEY 257 3 16 kkreGWoccSDmUBGAe7+zsbG6ZAFQp+syPmYUurBRQc3tDjeMCJcVMRDmgcNLp5HlHAMy12VoISsA`;

const MX = 'example.com. 3600 MX 10 mail.example.com.';

/** RFC 5702 6, RFC 6605 6, RFC 8080 6 (as printed, and as its erratum 4935 corrects it). */
export const SIGNED_EXAMPLES: readonly SignedExample[] = [
  {
    says: 'RFC 5702 6.1, RSA/SHA-256',
    key: RSA_256,
    rrset: `www.example.net. 3600 A 192.0.2.91
      www.example.net. 3600 RRSIG A 8 3 3600 20300101000000 20000101000000 9033 example.net. kRCOH6u7l0QGy9qpC9l1sLncJcOKFLJ7GhiUOibu4teYp5VE9RncriShZNz85mwlMgNEacFYK/lPtPiVYP4bwg==`,
    moment: '20200101000000',
    is: 'verified',
  },
  {
    says: 'RFC 5702 6.2, RSA/SHA-512',
    key: RSA_512,
    rrset: `www.example.net. 3600 A 192.0.2.91
      www.example.net. 3600 RRSIG A 10 3 3600 20300101000000 20000101000000 3740 example.net. tsb4wnjRUDnB1BUi+t6TMTXThjVnG+eCkWqjvvjhzQL1d0YRoOe0CbxrVDYd0xDtsuJRaeUw1ep94PzEWzr0iGYgZBWm/zpq+9fOuagYJRfDqfReKBzMweOLDiNa8iP5g9vMhpuv6OPlvpXwm9Sa9ZXIbNl1MBGk0fthPgxdDLw=`,
    moment: '20200101000000',
    is: 'verified',
  },
  {
    says: 'RFC 6605 6.1, P-256',
    key: P256,
    ds: 'example.net. 3600 DS 55648 13 2 b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17',
    rrset: `www.example.net. 3600 A 192.0.2.1
      www.example.net. 3600 RRSIG A 13 3 3600 20100909100439 20100812100439 55648 example.net. qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==`,
    moment: '20100901000000',
    is: 'verified',
  },
  {
    says: 'RFC 6605 6.2, P-384',
    key: P384,
    ds: 'example.net. 3600 DS 10771 14 4 72d7b62976ce06438e9c0bf319013cf801f09ecc84b8d7e9495f27e305c6a9b0563a9b5f4d288405c3008a946df983d6',
    rrset: `www.example.net. 3600 A 192.0.2.1
      www.example.net. 3600 RRSIG A 14 3 3600 20100909102025 20100812102025 10771 example.net. /L5hDKIvGDyI1fcARX3z65qrmPsVz73QD1Mr5CEqOiLP95hxQouuroGCeZOvzFaxsT8Glr74hbavRKayJNuydCuzWTSSPdz7wnqXL5bdcJzusdnI0RSMROxxwGipWcJm`,
    moment: '20100901000000',
    is: 'verified',
  },
  {
    says: 'RFC 8080 6.1, Ed25519, corrected',
    key: ED25519_1,
    ds: 'example.com. 3600 DS 3613 15 2 3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b',
    rrset: `${MX}
      example.com. 3600 RRSIG MX 15 2 3600 1440021600 1438207200 3613 example.com. oL9krJun7xfBOIWcGHi7mag5/hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==`,
    moment: '20150801000000',
    is: 'verified',
  },
  {
    says: 'RFC 8080 6.1, Ed25519, as printed: more labels than the owner has',
    key: ED25519_1,
    rrset: `${MX}
      example.com. 3600 RRSIG MX 15 3 3600 1440021600 1438207200 3613 example.com. Edk+IB9KNNWg0HAjm7FazXyrd5m3Rk8zNZbvNpAcM+eysqcUOMIjWoevFkjH5GaMWeG96GUVZu6ECKOQmemHDg==`,
    moment: '20150801000000',
    is: 'bad-signature',
  },
  {
    says: 'RFC 8080 6.1, the other Ed25519 key, corrected',
    key: ED25519_2,
    ds: 'example.com. 3600 DS 35217 15 2 401781b934e392de492ec77ae2e15d70f6575a1c0bc59c5275c04ebe80c6614c',
    rrset: `${MX}
      example.com. 3600 RRSIG MX 15 2 3600 1440021600 1438207200 35217 example.com. zXQ0bkYgQTEFyfLyi9QoiY6D8ZdYo4wyUhVioYZXFdT410QPRITQSqJSnzQoSm5poJ7gD7AQR0O7KuI5k2pcBg==`,
    moment: '20150801000000',
    is: 'verified',
  },
  {
    says: 'RFC 8080 6.2, Ed448, corrected',
    key: ED448_1,
    ds: 'example.com. 3600 DS 9713 16 2 6ccf18d5bc5d7fc2fceb1d59d17321402f2aa8d368048db93dd811f5cb2b19c7',
    rrset: `${MX}
      example.com. 3600 RRSIG MX 16 2 3600 1440021600 1438207200 9713 example.com. 3cPAHkmlnxcDHMyg7vFC34l0blBhuG1qpwLmjInI8w1CMB29FkEAIJUA0amxWndkmnBZ6SKiwZSAxGILn/NBtOXft0+Gj7FSvOKxE/07+4RQvE581N3Aj/JtIyaiYVdnYtyMWbSNyGEY2213WKsJlwEA`,
    moment: '20150801000000',
    is: 'verified',
  },
  {
    says: 'RFC 8080 6.2, the other Ed448 key, corrected',
    key: ED448_2,
    ds: 'example.com. 3600 DS 38353 16 2 645ff078b3568f5852b70cb60e8e696cc77b75bfaaffc118cf79cbda1ba28af4',
    rrset: `${MX}
      example.com. 3600 RRSIG MX 16 2 3600 1440021600 1438207200 38353 example.com. E1/oLjSGIbmLny/4fcgM1z4oL6aqo+izT3urCyHyvEp4Sp8Syg1eI+lJ57CSnZqjJP41O/9l4m0AsQ4f7qI1gVnML8vWWiyW2KXhT9kuAICUSxv5OWbf81Rq7Yu60npabODB0QFPb/rkW3kUZmQ0YQUA`,
    moment: '20150801000000',
    is: 'verified',
  },
];
