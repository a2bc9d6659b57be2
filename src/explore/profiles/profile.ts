/* What a profile is: a resolver product at its defaults, as data. svc-model(7), PROFILES. */

import type { BogusReason } from '../../dns/dnssec/reasons.ts';

/** How a resolver behaves, as far as it decides what users get: svc-model(7), THE VIEWS and PROFILES. */
export interface Behaviour {
  readonly picks: Picks;
  /** What replies to the whole name lead to. */
  readonly whole: Readonly<Record<ReplyKind, WholeReaction>>;
  /** Absent: it asks for the whole name at once. */
  readonly minimisation?: Minimisation;
  readonly glue: GlueUse;
  readonly aliases: AliasUse;
  readonly families: FamilyUse;
  /** What replies lead to that ask for the query in another way. */
  readonly fallbacks: Readonly<Record<Fallback, FallbackReaction>>;
  readonly tcp: TcpUse;
  readonly tries: Tries;
  readonly time: Patience;
  readonly ownSet: OwnSetUse;
  /** Absent: it validates nothing. */
  readonly validation?: ValidationBehaviour;
}

/** A product as it resolves with the settings that its file names. */
export interface Profile extends Behaviour {
  /** "BIND". */
  readonly product: string;
  /** The version that it was measured with. */
  readonly version: string;
  /** What verdicts and exit statuses look at: `default` always, `named` only where `--profiles` names it. */
  readonly standing: 'default' | 'named';
  /** An option that is not as by default, as its configuration has it; absent: none is. */
  readonly setting?: string;
  readonly deviations: readonly Deviation[];
  readonly minimisation: Minimisation;
  readonly time: Time;
  readonly ownSet: OwnSet;
  readonly ttl: TtlCaps;
  readonly validation: ProfileValidation;
  /** When the kit measured it last (test/real/profiles/measure.ts). */
  readonly measured: string;
  /** What the kit counted, by the datum that follows from it: "picks.by", or "tries" for all of its members. */
  readonly counts: Readonly<Record<string, string>>;
  /** Where all other data come from: measurements by hand, a manual or a source. */
  readonly read: Readonly<Record<string, string>>;
}

/** A difference between a product and its profile. */
interface Deviation {
  /** The datum that fits no value, if the kit found so. */
  readonly of?: string;
  /** A sentence, which results show. */
  readonly text: string;
  /** Sentences about what was measured or read, and what the profile has instead. */
  readonly seen?: string;
  /**
   * The zones at which the product may deviate: those that have a trait of each of these lists. Absent: results
   * do not name it.
   */
  readonly at?: readonly (readonly ZoneTrait[])[];
}

/**
 * A property of a zone: it is signed, all of its servers are addresses of one name, one of them has a name without glue, some
 * that differ are looked up in several zones at about the same time (`lookups-race`), a server of its own set sends an alias
 * that those of the delegation do not have, to who puts a single question to it (`alias-of-own-set`), or one of them sends a
 * reply that can be used and verifies where it must, sends such a reply, sends one later than the resolver first waits, or sends
 * data that are bogus: to a minimised name, or to the whole name, for any reason or for this one.
 */
export type ZoneTrait =
  | 'signed'
  | 'single-name'
  | 'without-glue'
  | 'lookups-race'
  | 'alias-of-own-set'
  | 'usable'
  | ReplyKind
  /** Truncated, and silent over TCP. */
  | 'tcp-silent'
  /** Not of the whole exchange. */
  | 'BADVERS'
  | 'slow'
  | 'bogus-minimised'
  | 'bogus'
  | BogusReason;

/** What a resolver makes of addresses that come with a referral: RFC 9471 calls them glue, in-domain or sibling. */
export interface GlueUse {
  /** Whose addresses it takes: those of all names, or of names at or below the delegated zone; it looks others up. */
  readonly taken: 'all' | 'in-domain';
  /** Whether it looks the names up whose addresses it took, once all of these replied with errors. */
  readonly afterErrors: 'looked-up' | 'not-looked-up';
  /** Whether it asks for the name of a server a label at a time, so that each takes a round trip, or for the whole name at once. */
  readonly lookups: 'minimised' | 'whole';
}

/** What a resolver makes of an alias. All ask for its target anew, but for what is said here. */
export interface AliasUse {
  /** `taken-beside`: it takes records of the target that are in the same reply, if both names have the same parent. */
  readonly target: 'asked' | 'taken-beside';
  /** What an alias leads to that leads back to a name which was asked for before. `end`: no other server is tried. */
  readonly leadingBack: 'end' | 'next-server';
}

/** Over which families a resolver asks that has both. `all`: every address is as good as another. */
export type FamilyUse =
  | { readonly kind: 'all' }
  | { readonly kind: 'ipv4' }
  /** Addresses of IPv4 are asked as if their round-trip time were so many milliseconds longer. */
  | { readonly kind: 'ipv6-first'; readonly ms: number };

/** A reply after which the same server may be asked in another way: without EDNS, in lower case, or over TCP. */
export type Fallback =
  /** FORMERR to a query with EDNS, without an OPT record or with one. */
  | 'FORMERR'
  | 'FORMERR-with-opt'
  | 'NOTIMP'
  | 'BADVERS'
  /** The question came back in another case. */
  | 'case-lost'
  | 'truncated';

/**
 * `same-server`: it is asked in the other way at once. `next-server`: the reply is no more than an error.
 * `rather-elsewhere`: only if no other server is left.
 */
export type FallbackReaction = 'same-server' | 'next-server' | 'rather-elsewhere';

/** What becomes of a question that is asked over TCP after a truncated reply, and to which no reply comes. */
export interface TcpUse {
  /** How long it waits, in milliseconds. */
  readonly waitMs: number;
  /** Where nothing accepts the connection, and where something does and is silent. */
  readonly dropped: 'next-server' | 'end-of-all';
  readonly silent: 'next-server' | 'end-of-all';
}

/** In which order a resolver that knows nothing of a zone's servers tries them. */
export interface Picks {
  /**
   * `address`: all addresses at hand are one pool, each as likely as the other. `name`: a name first, then all of its
   * addresses, then the next name.
   */
  readonly by: 'address' | 'name';
  /**
   * The share of picks that go to addresses at hand before names whose addresses must be looked up; in the others each
   * address at hand and each such name is as likely. `alike`: names are tried in random order, with addresses or without.
   */
  readonly gluedFirst: Share | 'alike';
  /**
   * From when on addresses that are not at hand are as good as those that are: each from the first question, or try, at the same
   * zone before which its lookup has ended, or those of a name once one of them was asked, which is when no server at hand is
   * left that did not fail.
   */
  readonly lookedUpJoin: 'next-try' | 'next-question' | 'once-asked';
  /**
   * Whom the next question at the same zone goes to: any again, or a server that has not been heard yet; once all have
   * been, the fastest.
   */
  readonly again: 'any' | 'unheard-first';
  /**
   * How the fastest is found: by its round-trip time; or by a mean of these that begins at nothing and comes 3/10 nearer
   * with each of the first three replies, so that of servers alike the one that replied least often goes first. Near nothing
   * each server has a random mean from the start: these put those that have not been heard in an order.
   */
  readonly fastest: 'round-trip' | 'smoothed';
  /** What a server that replied with an error is for that: heard; heard, but worse than all others; or not heard. */
  readonly afterError: 'heard' | 'heard-last' | 'unheard';
  /** Once the servers are known: mostly the fastest one, or any that takes at most so many milliseconds longer. */
  readonly busy: { readonly kind: 'fastest' } | { readonly kind: 'band'; readonly ms: number };
}

/** A share of look-ups, as a fraction that is the whole truth of what was counted. */
export interface Share {
  readonly of: number;
  readonly in: number;
}

/**
 * What a reply is to a resolver: the classes of svc-model(7), EXCHANGES, and what some products tell apart within them.
 * Referrals and aliases are followed by all.
 */
export type ReplyKind =
  | 'answer'
  /** An answer whose AA bit is not set. */
  | 'answer-without-aa'
  /** Some of its records are not of the form of their type. */
  | 'answer-malformed'
  | 'nxdomain'
  /** NXDOMAIN with neither AA nor a SOA record. */
  | 'nxdomain-bare'
  /** NODATA with a SOA record and AA. */
  | 'nodata'
  /** NODATA with a SOA record, AA not set. */
  | 'nodata-without-aa'
  /** AA is set, and there is nothing at all. */
  | 'nodata-without-soa'
  /** AA is set, and all that is there is records of other names or types in the answer section. */
  | 'other-records'
  | 'lame-upward'
  | 'lame-self'
  | 'lame-sideways'
  /** NOERROR without AA, and nothing else. */
  | 'lame-empty'
  /** NOERROR without AA, and records of other names or types in the answer section. */
  | 'lame-other-records'
  | 'FORMERR'
  | 'SERVFAIL'
  | 'NOTIMP'
  | 'REFUSED'
  | 'YXDOMAIN'
  /** Any other rcode but NOERROR and NXDOMAIN. */
  | 'other-rcode'
  | 'malformed'
  /** ICMP, or a TCP connection refused or reset. */
  | 'unreachable'
  | 'timeout';

/**
 * What a reply to the whole name leads to. `end`: it is taken. `doubted`: others are asked first, but the second such reply of
 * a lookup is taken; those to minimised names count, too. `never-again`: the next server, and this one is not asked any more
 * at this zone. `end-of-all`: SERVFAIL, and no other server is tried.
 */
export type WholeReaction = 'end' | 'doubted' | 'next-server' | 'never-again' | 'end-of-all';

/**
 * What a reply to a minimised name leads to. `next-label`: the next longer name. `end`: it is taken for the whole name,
 * too. `whole-name`: the whole name, at the same servers. `...-elsewhere`: the same, but never at that address again.
 * `end-of-all`: SERVFAIL.
 */
export type MinimisedReaction =
  | 'next-label'
  | 'next-label-elsewhere'
  | 'end'
  | 'next-server'
  | 'never-again'
  | 'whole-name'
  | 'whole-name-elsewhere'
  | 'end-of-all';

/** A minimised question gets an alias, besides: the name that it asks for has one. Referrals are followed by all. */
type MinimisedReplyKind = ReplyKind | 'alias';

/** How a resolver minimises names (RFC 9156). */
export interface Minimisation {
  readonly style: MinimisationStyle;
  /** What replies to minimised names lead to. */
  readonly reactions: Readonly<Record<MinimisedReplyKind, MinimisedReaction>>;
  /** What no server of any use leads to. */
  readonly noServer: 'end-of-all' | 'whole-name';
}

/** Which minimised questions are asked, whatever comes of them. Profiles of the same style share their questions. */
export interface MinimisationStyle {
  readonly type: 'A' | 'NS';
  /** Whether it begins with the zone's own name, rather than with a name one label longer. */
  readonly apex: 'asked' | 'not-asked';
  /**
   * How many labels each question has more than the one before. `rfc-9156`: one each for four questions below a top-level
   * domain, then as many as spread the others over the questions left of ten, fewer first (RFC 9156 2.3); `...-alike`: a sixth
   * of the others each, with those left over in the last ones.
   */
  readonly labels: 'one-each' | 'rfc-9156' | 'rfc-9156-alike';
  /** How many minimised questions there are at a zone at most; the whole name follows. Absent: no bound. */
  readonly mostAtZone?: number;
  /** How many labels a minimised name has at most. Absent: no bound. */
  readonly mostLabels?: number;
  /** Whether the whole name is asked with type A first where the question has another type but DS. */
  readonly wholeNameWithA: 'asked' | 'not-asked';
}

/** How often a resolver tries the servers of a zone. */
export type Tries =
  /** One after another; those that did not reply once more when all have been tried. */
  | {
      readonly kind: 'in-turn';
      /** How many failing replies end the look-up in SERVFAIL; absent: all servers are tried. */
      readonly mostFailing?: number;
      /** How often an address that does not reply is tried again. */
      readonly rounds: number;
    }
  /**
   * With each try of an address that was in vain it is waited for longer; each pick is among the addresses that are waited
   * for at most so many milliseconds longer than the least.
   */
  | {
      readonly kind: 'by-patience';
      /** How many packets make a try, one after the other. */
      readonly packets: 1 | 2;
      readonly band: number;
      /** How often an address is asked whose replies are in vain; at most 7. */
      readonly perFailing: number;
      /** How many tries in vain end minimising. Absent: none do. */
      readonly mostMinimised?: number;
      /**
       * What becomes of an answer or a denial of the whole name after tries in vain that are too few to end minimising: it is
       * taken, or the name is asked for once more.
       */
      readonly afterSilence: 'taken' | 'asked-again';
    };

/** How long a resolver waits for servers. Durations are milliseconds. */
export interface Patience {
  /** For a reply to a packet to an address, by how often it has been silent before; the last number goes on. */
  readonly toNextTry: readonly [number, ...number[]];
  /** The same for one that was not silent yet, by how often others of its zone were, if that matters. */
  readonly toFirstTry?: readonly [number, ...number[]];
  /** The same for one that has replied. Absent: as for others. */
  readonly toHeard?: HeardWait;
  /** Whether it counts with the next question at the zone who was silent before. */
  readonly patience: 'kept' | 'anew';
  /** Whether ICMP tells it that a port is closed; else it waits as for a silent server. */
  readonly closedPort: 'noticed' | 'silent';
  /** Until the look-up ends in SERVFAIL, whoever still waits for that; absent: when all has been tried. */
  readonly ofLookUp?: number;
  /** After so long a reply is no longer sent to the client that waits for it; absent: it always is. */
  readonly discard?: number;
}

/** What else it does when time has passed. */
export interface Time extends Patience {
  /** How long it is remembered that a question failed. */
  readonly failureKept: number;
}

/** How long a resolver waits for an address that has replied. */
export type HeardWait =
  /** Unless it was silent since: so many times its round-trip time, and at least so many milliseconds more than that. */
  | { readonly kind: 'round-trips'; readonly times: number; readonly more: number }
  /** As RFC 6298 says, from a variation of a quarter of the first wait on; twice as long after each silence. */
  | { readonly kind: 'smoothed' };

/** What a resolver makes of the zone's own NS records: svc-model(7), COLD AND WARM. */
export interface OwnSetUse {
  /** Whether its servers are asked in place of those of the delegation once it is known. */
  readonly used: 'used' | 'not-used';
  /**
   * Which questions its servers get: all, or only the first one, if addresses of names in the zone have to be looked up for that,
   * as on the way a referral brings the delegation back.
   */
  readonly asked: 'all' | 'first-question';
  /** What it leads to where none of its servers is of use: back to the parent's delegation, or SERVFAIL. */
  readonly whenFailing: 'delegation' | 'servfail';
}

/** How it learns and keeps them, besides. */
interface OwnSet extends OwnSetUse {
  /** `reply`: replies that carry it teach it. `asked`: only a question for it. */
  readonly learnt: 'reply' | 'asked';
  /**
   * How long a copy of it lives: its TTL, anew with each reply that brings it, or at most as long as the copy of the parent's NS
   * records that it replaces.
   */
  readonly lives: 'ttl' | 'renewed' | 'as-parents';
  /** Whose addresses of a server in the zone are used in the end: the zone's own, once they are learnt, or those of the parent. */
  readonly addresses: 'own' | 'parents';
  /**
   * Where the addresses of old servers within a zone that moved come from, as long as a copy names these: from the cache, or
   * from the new servers, so that users get SERVFAIL if these do not have them.
   */
  readonly oldAddresses: 'cache' | 'new-servers';
}

/** How long records are kept. Durations are seconds. */
interface TtlCaps {
  /** Records and denials with a shorter TTL are kept so long. */
  readonly least: number;
  readonly most: number;
  /** Once the address of a name server is in use, it is kept at least so long, even if its TTL ends sooner. */
  readonly leastAddress: number;
  readonly mostNegative: number;
  /** Whether the negative TTL is the smaller of that of the SOA record and its MINIMUM (RFC 2308 5), or that of the record. */
  readonly negative: 'smaller' | 'record';
}

/** How a resolver validates replies: svc-model(7), VALIDATING. */
export interface ValidationBehaviour {
  /** When the keys of a zone are asked for: before all else there, after the first reply that is taken, or after the last. */
  readonly keys: 'first' | 'after-first-reply' | 'last';
  /** What a reply to the whole name, or to the question for keys, leads to that lacks the signatures that it needs. */
  readonly unsigned: BogusReaction;
  /** The same for one whose signatures do not verify. */
  readonly broken: BogusReaction;
  /** What a reply leads to that needs a fact which no reply taught: trust in a zone, say. */
  readonly unlearnt: BogusReaction;
  /** What a reply without keys to the question for them leads to: a denial, other records, or nothing without AA. */
  readonly noKeys: {
    readonly denied: BogusReaction;
    readonly others: BogusReaction;
    readonly empty: BogusReaction;
  };
  readonly minimised: MinimisedProof;
  /** Whether a denial of a minimised name that verifies ends the look-up (RFC 8020). */
  readonly provenNxdomain: 'ends' | 'does-not-end';
  /** Whether a key whose signature is broken is taken all the same if the zone has no other one. */
  readonly brokenKeys: 'taken-if-single' | 'not-taken';
}

/** How a product validates, and for whom. */
interface ProfileValidation extends ValidationBehaviour {
  /** `asking`: only for clients that set DO or AD. */
  readonly clients: 'all' | 'asking';
  /**
   * How long SERVFAIL is returned where a reply does not verify: as long as the TTL of the reply, but at most `ttl` seconds,
   * then `seconds` more.
   */
  readonly failureKept: { readonly ttl: number; readonly seconds: number };
}

/** How names are minimised in a signed zone. */
interface MinimisedProof {
  /** Whether names are asked for that have no records of the type by the NSEC records of the reply before (RFC 8198). */
  readonly proven: 'asked' | 'not-asked';
  /** What a denial of a name leads to that does not verify. `taken`: as if it did. */
  readonly nxdomain: DenialReaction | 'taken';
  /** The same for any other reply to the name right above the whole one. */
  readonly parent: BogusReaction | 'taken';
  /** The same for all others. */
  readonly others: BogusReaction | 'taken';
}

/** `whole-name-rather-elsewhere`: the whole name, at that address only if no other is left. */
export type DenialReaction = BogusReaction | 'whole-name-rather-elsewhere';

/** What a reply leads to that could be used but does not verify, as for others. */
export type BogusReaction = Extract<WholeReaction, 'next-server' | 'never-again' | 'end-of-all'>;
