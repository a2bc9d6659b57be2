/**
 * An independent reading of svc-model(7), VALIDATING, for the property test: every order in which a resolver tries
 * servers and addresses is enumerated, whatever a step learns is drawn before, and nothing is shared or remembered. It
 * reads what was recorded, and knows neither the program's steps nor its evaluation.
 */
import type { Keys } from '../../../src/dns/dnssec/keys.ts';
import { rrsetsIn } from '../../../src/dns/dnssec/rrset.ts';
import type { SecureTrust, Trust } from '../../../src/dns/dnssec/trust.ts';
import type { Validation } from '../../../src/dns/dnssec/validation.ts';
import { keysUnder } from '../../../src/dns/dnssec/verify.ts';
import { isAtOrBelow, type Name } from '../../../src/dns/name.ts';
import type { Exchanged } from '../../../src/exchange/exchanged.ts';
import { queryKey } from '../../../src/exchange/query.ts';
import { meaningFor } from '../../../src/explore/classify.ts';
import type { Nameserver } from '../../../src/explore/delegation.ts';
import { isUsable, type Meaning } from '../../../src/explore/meaning.ts';
import type { Recording } from '../../../src/explore/recording.ts';
import { TooMany } from '../brute-force.ts';
import { type Leaf, LIMITS, leaf, mergeLeaves, type Ratio, times } from '../leaf.ts';
import {
  type Asking,
  type Chain,
  cutAt,
  type Dist,
  type First,
  failing,
  flat,
  INSECURE,
  last,
  limitAt,
  permutations,
  product,
  reasonOf,
  type Stopped,
  servfail,
} from './chains.ts';
import {
  type CutFact,
  CutOff,
  type Drawn,
  type Judged,
  type KeysFact,
  LiteralRules,
  NotDrawn,
} from './literal-rules.ts';

const ONE: Ratio = [1n, 1n];

export class SignedBruteForce {
  readonly #recording: Recording;
  readonly #validation: Validation;
  #left: number;
  /** By `queryKey`: what some path puts to some server. */
  readonly asked = new Set<string>();
  /** What of the model some path came to: what it learnt besides keys, and how it judged replies. */
  readonly met = new Set<string>();

  constructor(recording: Recording, validation: Validation, work: number) {
    this.#recording = recording;
    this.#validation = validation;
    this.#left = work;
  }

  ends(trust: Trust): readonly Leaf[] {
    const { question, hints } = this.#recording.scope;
    const asking = {
      ...question,
      depth: 0,
      walked: [question.name],
      pending: [],
      isLookup: false,
      secure: true,
    };
    return mergeLeaves(this.#resolve([{ delegation: hints, trust }], asking));
  }

  #spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new TooMany();
  }

  #resolve(chain: Chain, asking: Asking): readonly Leaf[] {
    const { zone } = last(chain).delegation;
    if (asking.depth > this.#recording.scope.maxDepth) return [leaf('depth-limit', asking, zone, null, '')];
    const { trust } = last(chain);
    const leaves =
      asking.isLookup || trust.kind === 'insecure'
        ? this.#plain(chain, { ...asking, secure: false })
        : this.#secured(chain, asking, trust);
    this.#spend(leaves.length);
    return mergeLeaves(leaves);
  }

  /** 1: as section 7. */
  #plain(chain: Chain, asking: Asking): readonly Leaf[] {
    const { zone } = last(chain).delegation;
    const takes = (address: string) => {
      const exchanged = this.#says(address, asking);
      return typeof exchanged === 'string' || isUsable(meaningFor(exchanged, zone).kind);
    };
    return flat(this.#firsts(chain, asking, takes), (first) => {
      switch (first.kind) {
        case 'limit':
          return [first.end];
        case 'none':
          return [this.#servfail(chain, asking, asking, (meaning) => failing(meaning))];
        case 'visit': {
          const exchanged = this.#says(first.address, asking);
          if (typeof exchanged === 'string') return [limitAt(exchanged, asking, zone, first)];
          return this.#goOn(chain, asking, first, meaningFor(exchanged, zone), undefined);
        }
      }
    });
  }

  /** 2, then 3. */
  #secured(chain: Chain, asking: Asking, trust: SecureTrust): readonly Leaf[] {
    const { zone } = last(chain).delegation;
    return flat(this.#keys(chain, asking, zone, trust), (keys) => {
      if (keys === 'no reply') {
        const why = (meaning: Meaning, exchanged: Exchanged) =>
          failing(meaning) ?? `bogus ${this.#keysIn(exchanged, chain, zone, trust).reason}`;
        return [this.#servfail(chain, asking, { name: zone, type: 'DNSKEY' }, why)];
      }
      if (typeof keys === 'object' && 'limit' in keys) return [keys.limit];
      return this.#learning(chain, asking, keys, { cuts: new Map(), keys: new Map() });
    });
  }

  /** The keys of a zone by the servers of the last delegation. */
  #keys(chain: Chain, asking: Asking, of: Name, trust: SecureTrust): Dist<KeysFact> {
    const { zone } = last(chain).delegation;
    const question = { ...asking, name: of, type: 'DNSKEY' };
    const takes = (address: string) => {
      const exchanged = this.#says(address, question);
      if (typeof exchanged === 'string') return true;
      const { kind } = meaningFor(exchanged, zone);
      if (!isUsable(kind) || kind === 'referral') return false;
      return 'keys' in this.#keysIn(exchanged, chain, of, trust);
    };
    return this.#firsts(chain, question, takes).map(({ p, value: first }) => {
      const value = (): KeysFact => {
        if (first.kind === 'none') return 'no reply';
        if (first.kind === 'limit') return { limit: first.end };
        const exchanged = this.#says(first.address, question);
        if (typeof exchanged === 'string') return { limit: limitAt(exchanged, question, zone, first) };
        const found = this.#keysIn(exchanged, chain, of, trust);
        if (!('keys' in found)) throw new Error('only replies with keys are taken');
        return found.keys;
      };
      return { p, value: value() };
    });
  }

  #keysIn(
    exchanged: Exchanged,
    chain: Chain,
    of: Name,
    trust: SecureTrust,
  ): { keys: Keys; reason: '' } | { reason: string } {
    const meaning = meaningFor(exchanged, last(chain).delegation.zone);
    if (meaning.kind !== 'answer') return { reason: 'no-keys' };
    const { outcome } = exchanged;
    const rrset = outcome.kind === 'reply' ? rrsetsIn(outcome.answer).find(of, 'DNSKEY') : undefined;
    if (rrset === undefined) throw new Error('an answer without records');
    const found = keysUnder(trust, of, rrset, this.#validation);
    return found.kind === 'keys' ? { keys: found.keys, reason: '' } : { reason: found.reason };
  }

  /** Draws whatever some reply to the step's question needs, then tries the servers. */
  #learning(chain: Chain, asking: Asking, keys: Keys, drawn: Drawn): readonly Leaf[] {
    const missing = this.#missing(chain, asking, keys, drawn);
    if (missing !== undefined)
      return flat(this.#draw(chain, asking, keys, drawn, missing), (more) =>
        this.#learning(chain, asking, keys, more),
      );
    const { zone } = last(chain).delegation;
    const takes = (address: string) => {
      const exchanged = this.#says(address, asking);
      if (typeof exchanged === 'string') return true;
      if (!isUsable(meaningFor(exchanged, zone).kind)) return false;
      return this.#judged(exchanged, zone, keys, drawn).kind !== 'bogus';
    };
    return flat(this.#firsts(chain, asking, takes), (first) => {
      switch (first.kind) {
        case 'limit':
          return [first.end];
        case 'none': {
          const why = (meaning: Meaning, exchanged: Exchanged) => {
            const judged = failing(meaning) ?? this.#judged(exchanged, zone, keys, drawn);
            return typeof judged === 'string' ? judged : reasonOf(judged);
          };
          return [this.#servfail(chain, asking, asking, why)];
        }
        case 'visit':
          return this.#taken(chain, asking, keys, drawn, first);
      }
    });
  }

  #taken(
    chain: Chain,
    asking: Asking,
    keys: Keys,
    drawn: Drawn,
    first: First & { kind: 'visit' },
  ): readonly Leaf[] {
    const { zone } = last(chain).delegation;
    const exchanged = this.#says(first.address, asking);
    if (typeof exchanged === 'string') return [limitAt(exchanged, asking, zone, first)];
    const judged = this.#judged(exchanged, zone, keys, drawn);
    const meaning = meaningFor(exchanged, zone);
    switch (judged.kind) {
      case 'cut off':
        return [judged.limit];
      case 'bogus':
        throw new Error('no reply is taken that does not validate');
      case 'unproven':
        this.met.add('unproven');
        if (meaning.kind !== 'referral') throw new Error('only referrals are unproven');
        return this.#asked(chain, asking, keys, drawn, first, meaning);
      case 'good': {
        const proven = { ...asking, secure: asking.secure && judged.secure };
        return this.#goOn(chain, proven, first, meaning, judged.trust);
      }
    }
  }

  /** 3d: a referral without proof. */
  #asked(
    chain: Chain,
    asking: Asking,
    keys: Keys,
    drawn: Drawn,
    first: First & { kind: 'visit' },
    referral: Meaning & { kind: 'referral' },
  ): readonly Leaf[] {
    const { zone } = last(chain).delegation;
    const question: Asking = { ...asking, name: referral.delegation.zone, type: 'DS' };
    const missing = this.#missing(chain, question, keys, drawn);
    if (missing !== undefined)
      return flat(this.#draw(chain, asking, keys, drawn, missing), (more) =>
        this.#asked(chain, asking, keys, more, first, referral),
      );
    const trustIn = (judged: Judged | Stopped, { kind }: Meaning) =>
      judged.kind === 'good' && (kind === 'answer' || kind === 'nodata') ? judged.trust : undefined;
    const why = (meaning: Meaning, exchanged: Exchanged) => {
      if (meaning.kind === 'referral') return 'bogus no-proof';
      const judged = failing(meaning) ?? this.#judged(exchanged, zone, keys, drawn);
      return typeof judged === 'string' ? judged : reasonOf(judged);
    };
    const takes = (address: string) => {
      const exchanged = this.#says(address, question);
      if (typeof exchanged === 'string') return true;
      const meaning = meaningFor(exchanged, zone);
      if (!isUsable(meaning.kind) || meaning.kind === 'referral') return false;
      const judged = this.#judged(exchanged, zone, keys, drawn);
      return judged.kind === 'cut off' || trustIn(judged, meaning) !== undefined;
    };
    return flat(this.#firsts(chain, question, takes), (other) => {
      if (other.kind === 'limit') return [other.end];
      if (other.kind === 'none') return [this.#servfail(chain, asking, question, why)];
      const exchanged = this.#says(other.address, question);
      if (typeof exchanged === 'string') return [limitAt(exchanged, question, zone, other)];
      const meaning = meaningFor(exchanged, zone);
      const judged = this.#judged(exchanged, zone, keys, drawn);
      if (judged.kind === 'cut off') return [judged.limit];
      const trust = trustIn(judged, meaning);
      if (trust === undefined) throw new Error('only replies that tell the trust are taken');
      return this.#goOn(chain, asking, first, referral, trust);
    });
  }

  /** What some reply to a question needs that was not drawn yet. */
  #missing(chain: Chain, question: Asking, keys: Keys, drawn: Drawn): NotDrawn | undefined {
    const { zone } = last(chain).delegation;
    for (const address of this.#everyAddress(chain, question)) {
      const exchanged = this.#says(address, question);
      if (typeof exchanged === 'string') continue;
      const { kind } = meaningFor(exchanged, zone);
      if (!isUsable(kind)) continue;
      try {
        new LiteralRules(zone, drawn, this.#validation).judge(exchanged, keys);
      } catch (error) {
        if (error instanceof NotDrawn) return error;
        if (!(error instanceof CutOff)) throw error;
      }
    }
    return undefined;
  }

  /** 3e, 3f: one thing more. */
  #draw(chain: Chain, asking: Asking, keys: Keys, drawn: Drawn, { what, of: name }: NotDrawn): Dist<Drawn> {
    this.met.add(what);
    if (what === 'keys') {
      const trust = drawn.cuts.get(name);
      if (typeof trust !== 'object' || 'limit' in trust || trust.kind === 'insecure')
        throw new Error('keys need trust');
      return this.#keys(chain, asking, name, trust).map(({ p, value }) => ({
        p,
        value: { ...drawn, keys: new Map([...drawn.keys, [name, value]]) },
      }));
    }
    const { zone } = last(chain).delegation;
    const question: Asking = { ...asking, name, type: 'DS' };
    const missing = this.#missing(chain, question, keys, drawn);
    if (missing !== undefined)
      return this.#draw(chain, asking, keys, drawn, missing).flatMap(({ p, value }) =>
        this.#draw(chain, asking, keys, value, new NotDrawn(what, name)).map((one) => ({
          ...one,
          p: times(p, one.p),
        })),
      );
    const takes = (address: string) => {
      const exchanged = this.#says(address, question);
      if (typeof exchanged === 'string') return true;
      const { kind } = meaningFor(exchanged, zone);
      if (!isUsable(kind) || kind === 'referral') return false;
      return this.#judged(exchanged, zone, keys, drawn).kind !== 'bogus';
    };
    return this.#firsts(chain, question, takes).map(({ p, value: first }) => {
      const fact = (): CutFact => {
        if (first.kind === 'none') return 'no reply';
        if (first.kind === 'limit') return { limit: first.end };
        const exchanged = this.#says(first.address, question);
        if (typeof exchanged === 'string') return { limit: limitAt(exchanged, question, zone, first) };
        const judged = this.#judged(exchanged, zone, keys, drawn);
        if (judged.kind === 'cut off') return { limit: judged.limit };
        if (judged.kind !== 'good') return 'no reply';
        if (judged.trust !== undefined) return judged.trust;
        return meaningFor(exchanged, zone).kind === 'nxdomain' ? 'no name' : 'no cut';
      };
      return { p, value: { ...drawn, cuts: new Map([...drawn.cuts, [name, fact()]]) } };
    });
  }

  #judged(exchanged: Exchanged, zone: Name, keys: Keys, drawn: Drawn): Judged | Stopped {
    try {
      return new LiteralRules(zone, drawn, this.#validation).judge(exchanged, keys);
    } catch (error) {
      if (error instanceof CutOff) return { kind: 'cut off', limit: error.limit };
      throw error;
    }
  }

  #goOn(
    chain: Chain,
    asking: Asking,
    { server, address }: First & { kind: 'visit' },
    meaning: Meaning,
    trust: Trust | undefined,
  ): readonly Leaf[] {
    const { zone } = last(chain).delegation;
    const at = `${server} ${address}`;
    const security = asking.isLookup ? '' : asking.secure ? ' secure' : ' insecure';
    const deeper = { ...asking, depth: asking.depth + 1 };
    switch (meaning.kind) {
      case 'answer': {
        const addresses = meaning.records.map(({ data }) => data).filter((data) => /^[\d.]+$/.test(data));
        return [{ ...leaf('answer', asking, zone, at, security), addresses: [...new Set(addresses)] }];
      }
      case 'nxdomain':
      case 'nodata':
        return [leaf(meaning.kind, asking, zone, at, security)];
      case 'alias-loop':
        return [leaf('alias-loop', asking, zone, at, `${meaning.target}${security}`)];
      case 'alias': {
        const { target } = meaning;
        if (asking.walked.includes(target))
          return [leaf('alias-loop', asking, zone, at, `${target}${security}`)];
        return this.#resolve(cutAt(chain, target, asking.type), {
          ...deeper,
          name: target,
          walked: [...asking.walked, target],
        });
      }
      case 'referral': {
        const parent = last(chain).trust;
        const own = asking.isLookup || parent.kind === 'insecure' ? INSECURE : trust;
        if (own === undefined) throw new Error('a referral brings trust');
        return this.#resolve([...chain, { delegation: meaning.delegation, trust: own }], deeper);
      }
      default:
        throw new Error(`goes on after ${meaning.kind}`);
    }
  }

  /** Whichever failure most distinct addresses show, else the most frequent end of the lookups. */
  #servfail(
    chain: Chain,
    asking: Asking,
    failed: { readonly name: Name; readonly type: string },
    why: (meaning: Meaning, exchanged: Exchanged) => string | undefined,
  ): Leaf {
    const { zone } = last(chain).delegation;
    const question = { ...asking, ...failed };
    if (asking.isLookup) return leaf('servfail', asking, zone, null, '');
    const seen = new Map<string, number>();
    for (const address of this.#everyAddress(chain, question)) {
      const exchanged = this.#says(address, question);
      if (typeof exchanged === 'string') continue;
      const reason = why(meaningFor(exchanged, zone), exchanged);
      if (reason !== undefined) seen.set(reason, (seen.get(reason) ?? 0) + 1);
    }
    if (seen.size === 0)
      for (const server of last(chain).delegation.nameservers)
        for (const { p, end } of this.#sets(chain, server, question))
          if (end !== undefined) seen.set(end, (seen.get(end) ?? 0) + Number(p[0]) / Number(p[1]));
    const [cause] = [...seen].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
    return servfail(asking, zone, cause?.[0] ?? '-');
  }

  #everyAddress(chain: Chain, question: Asking): ReadonlySet<string> {
    const sets = last(chain).delegation.nameservers.flatMap((server) => this.#sets(chain, server, question));
    return new Set(sets.flatMap(({ addresses }) => addresses));
  }

  #says(address: string, { name, type }: { readonly name: Name; readonly type: string }): Exchanged | string {
    const key = queryKey({ address, question: { name, type } });
    this.asked.add(key);
    const unasked = this.#recording.unasked.get(key);
    if (unasked !== undefined) return unasked.why.kind;
    return this.#recording.exchanges.get(key) ?? 'missing';
  }

  /** What is taken first, by every order of trial and every set of addresses that names can have. */
  #firsts(chain: Chain, question: Asking, takes: (address: string) => boolean): Dist<First> {
    const realised = last(chain).delegation.nameservers.map((server) =>
      this.#sets(chain, server, question).map(({ p, addresses, limit }) => ({
        p,
        limit,
        server: server.name,
        taken: addresses.filter(takes),
      })),
    );
    const all: { p: Ratio; value: First }[] = [];
    for (const joint of product(realised)) {
      const orders = permutations(joint);
      this.#spend(orders.length);
      const p = joint.reduce<Ratio>((sum, one) => times(sum, one.p), [1n, BigInt(orders.length)]);
      for (const order of orders) {
        const first = order.find(({ limit, taken }) => limit !== undefined || taken.length > 0);
        if (first === undefined) all.push({ p, value: { kind: 'none' } });
        else if (first.limit !== undefined) all.push({ p, value: { kind: 'limit', end: first.limit } });
        else
          for (const address of first.taken)
            all.push({
              p: times(p, [1n, BigInt(first.taken.length)]),
              value: { kind: 'visit', server: first.server, address },
            });
      }
    }
    return all;
  }

  /** The sets of addresses that a name can have, and how its lookups end that give none. */
  #sets(
    chain: Chain,
    server: Nameserver,
    { depth, pending }: Asking,
  ): readonly { p: Ratio; addresses: readonly string[]; limit?: Leaf; end?: string }[] {
    const { zone } = last(chain).delegation;
    const glue = server.glue.filter((address) => !address.includes(':'));
    if (glue.length > 0) return [{ p: ONE, addresses: glue }];
    const { name } = server;
    const inDomain = isAtOrBelow(name, zone);
    const before = chain.slice(0, -1);
    while (before.length > 0 && !isAtOrBelow(name, last(before).delegation.zone)) before.pop();
    if (before.length === 0) return [{ p: ONE, addresses: [], end: `no-glue ${name}` }];
    const me = JSON.stringify(last(chain).delegation);
    if (inDomain && pending.some((other) => other.of === me && other.inDomain))
      return [{ p: ONE, addresses: [], end: `no-glue ${name}` }];
    if (pending.some((other) => other.name === name)) return [{ p: ONE, addresses: [], end: `loop ${name}` }];
    const lookup: Asking = {
      name,
      type: 'A',
      depth: depth + 1,
      walked: [name],
      pending: [...pending, { of: me, name, inDomain }],
      isLookup: true,
      secure: false,
    };
    return this.#resolve(before, lookup).map(({ p, addresses, kind, ...rest }) => {
      if (addresses.length > 0) return { p, addresses };
      if (LIMITS.has(kind)) return { p, addresses: [], limit: { ...rest, p: ONE, addresses, kind } };
      return { p, addresses: [], end: `${inDomain ? 'no-glue' : 'unresolvable-ns'} ${name}` };
    });
  }
}
