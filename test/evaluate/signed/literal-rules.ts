/**
 * An independent reading of svc-model(7), VALIDATING 3: what one reply proves. It takes from the program only what RFC
 * vectors hold it to: whether one key signed one RRset, whether one set of NSEC or NSEC3 records denies something, and the
 * class of a reply. What is not known yet is thrown.
 */
import { proveDenial } from '../../../src/dns/dnssec/denial.ts';
import type { Keys } from '../../../src/dns/dnssec/keys.ts';
import { type Rrset, rrsetsIn, signaturesOf } from '../../../src/dns/dnssec/rrset.ts';
import { type Trust, trustFrom } from '../../../src/dns/dnssec/trust.ts';
import type { Validation } from '../../../src/dns/dnssec/validation.ts';
import { verifyRrset } from '../../../src/dns/dnssec/verify.ts';
import { isAtOrBelow, isBelow, type Name, parentOf, substituteSuffix } from '../../../src/dns/name.ts';
import { targetOf } from '../../../src/dns/record.ts';
import type { Exchanged } from '../../../src/exchange/exchanged.ts';
import { meaningFor } from '../../../src/explore/classify.ts';
import type { Meaning } from '../../../src/explore/meaning.ts';
import type { Leaf } from '../leaf.ts';

/** What a DS question for a name showed: trust in the zone there, or why there is none. */
export type CutFact = Trust | 'no cut' | 'no name' | 'no reply' | { readonly limit: Leaf };
export type KeysFact = Keys | 'no reply' | { readonly limit: Leaf };

/** What a step has drawn so far. */
export interface Drawn {
  readonly cuts: ReadonlyMap<Name, CutFact>;
  readonly keys: ReadonlyMap<Name, KeysFact>;
}

/** Thrown when something must be drawn first. */
export class NotDrawn extends Error {
  readonly what: 'cut' | 'keys';
  readonly of: Name;

  constructor(what: 'cut' | 'keys', of: Name) {
    super(`${what} ${of}`);
    this.what = what;
    this.of = of;
  }
}

/** Thrown when what must be known was cut off by a limit. */
export class CutOff extends Error {
  readonly limit: Leaf;

  constructor(limit: Leaf) {
    super('limit');
    this.limit = limit;
  }
}

export type Judged =
  | { readonly kind: 'good'; readonly secure: boolean; readonly trust?: Trust }
  | { readonly kind: 'bogus'; readonly reason: string }
  | { readonly kind: 'unproven' };

type Part = { readonly secure: boolean } | { readonly reason: string };

const INSECURE: Part = { secure: false };

/** Judges usable replies of one zone's servers by what one step knows. */
export class LiteralRules {
  readonly #zone: Name;
  readonly #drawn: Drawn;
  readonly #validation: Validation;

  constructor(zone: Name, drawn: Drawn, validation: Validation) {
    this.#zone = zone;
    this.#drawn = drawn;
    this.#validation = validation;
  }

  judge(exchanged: Exchanged, keys: Keys): Judged {
    const meaning = meaningFor(exchanged, this.#zone);
    const judged = this.#judge(exchanged, meaning, keys);
    // "insecure: the reply is insecure", and whatever DS would have said with it.
    if (exchanged.question.type !== 'DS' || judged.kind !== 'good' || judged.secure) return judged;
    return { ...judged, trust: trustFrom([]) };
  }

  #judge(exchanged: Exchanged, meaning: Meaning, keys: Keys): Judged {
    switch (meaning.kind) {
      case 'answer':
        return this.#answer(exchanged, keys);
      case 'alias':
      case 'alias-loop':
        return this.#alias(exchanged, meaning.target, keys);
      case 'nxdomain':
      case 'nodata':
        return this.#denial(exchanged, meaning.kind, keys);
      case 'referral':
        return this.#referral(exchanged, meaning.delegation.zone, keys);
      default:
        throw new Error(`${meaning.kind} is of no use`);
    }
  }

  /** 3a of an alias: nothing that the reply says of its target counts. */
  #alias(exchanged: Exchanged, target: Name, keys: Keys): Judged {
    const { name } = exchanged.question;
    const part = this.#rrset(exchanged, aliasRecord(exchanged, name, target, this.#zone), name, keys);
    return 'reason' in part ? { kind: 'bogus', ...part } : { kind: 'good', ...part };
  }

  /** 3a of records */
  #answer(exchanged: Exchanged, keys: Keys): Judged {
    const { name, type } = exchanged.question;
    if (type === 'RRSIG') return { kind: 'good', secure: false };
    const rrsets = rrsetsIn(sections(exchanged).answer);
    const used = type === 'ANY' ? rrsets.at(name) : [rrsets.find(name, type)];
    let secure = true;
    for (const one of used) {
      const [target, another] = one?.type === 'CNAME' ? one.records.map(targetOf) : [];
      const isMade = target !== undefined && another === undefined;
      const signed = isMade ? aliasRecord(exchanged, name, target, this.#zone) : one;
      const part = this.#rrset(exchanged, signed, name, keys);
      if ('reason' in part) return { kind: 'bogus', reason: part.reason };
      secure &&= part.secure;
    }
    if (type !== 'DS') return { kind: 'good', secure };
    return { kind: 'good', secure, trust: trustFrom(used.flatMap((one) => one?.records ?? [])) };
  }

  /** 3a of one RRset, 3e, 3f. `at`: the name that it is said of. */
  #rrset(exchanged: Exchanged, rrset: Rrset | undefined, at: Name, keys: Keys): Part {
    if (rrset === undefined) throw new Error('a class without its records');
    const isDs = exchanged.question.type === 'DS';
    const found = verifyRrset(rrset, keys, this.#validation);
    if (found.kind === 'verified') {
      if (found.wildcard === undefined) return { secure: true };
      const { authority } = sections(exchanged);
      const proof = proveDenial(
        { kind: 'wildcard', name: rrset.owner, wildcard: found.wildcard },
        authority,
        keys,
        this.#validation,
      );
      return proof.kind === 'proven' ? { secure: proof.security === 'secure' } : { reason: proof.reason };
    }
    const signers = signersOf([rrset]);
    const below = nearest(
      signers,
      keys.zone,
      (zone) => mayOwn(zone, rrset.owner, false) && mayOwn(zone, at, isDs),
    );
    if (below !== undefined)
      return this.#by(below, keys.zone, (deeper) => this.#rrset(exchanged, rrset, at, deeper));
    if (signers.includes(keys.zone)) return { reason: found.reason };
    return this.#unsigned(keys.zone, rrset.owner, (zone) => mayOwn(zone, at, isDs), found.reason);
  }

  /** 3b, 3e, 3f, 3g */
  #denial(exchanged: Exchanged, kind: 'nxdomain' | 'nodata', keys: Keys): Judged {
    const part = this.#denied(exchanged, kind, keys);
    if ('reason' in part) return { kind: 'bogus', reason: part.reason };
    const isCut = 'isCut' in part && part.isCut === true && exchanged.question.type === 'DS';
    return { kind: 'good', secure: part.secure, ...(isCut && { trust: trustFrom([]) }) };
  }

  #denied(
    exchanged: Exchanged,
    kind: 'nxdomain' | 'nodata',
    keys: Keys,
  ): Part | { readonly secure: boolean; readonly isCut: boolean } {
    const { question } = exchanged;
    const { authority } = sections(exchanged);
    const proof = proveDenial({ kind, ...question }, authority, keys, this.#validation);
    const soas = rrsetsIn(authority).ofType('SOA');
    if (proof.kind === 'proven') {
      let secure = proof.security === 'secure';
      for (const soa of soas) {
        const part = this.#rrset(exchanged, soa, question.name, keys);
        if ('reason' in part) return part;
        secure &&= part.secure;
      }
      return { secure, isCut: proof.isCut };
    }
    const isDs = question.type === 'DS';
    const parts = [...rrsetsIn(authority).ofType('NSEC'), ...rrsetsIn(authority).ofType('NSEC3'), ...soas];
    const below = nearest(signersOf(parts), keys.zone, (zone) => mayOwn(zone, question.name, isDs));
    if (below !== undefined)
      return this.#by(below, keys.zone, (deeper) => this.#denied(exchanged, kind, deeper));
    if (signersOf(parts).includes(keys.zone)) return { reason: proof.reason };
    return this.#unsigned(
      keys.zone,
      question.name,
      (zone) => mayOwn(zone, question.name, isDs),
      proof.reason,
    );
  }

  /** 3c, 3d, and 3e of its parts */
  #referral(exchanged: Exchanged, to: Name, keys: Keys): Judged {
    const { authority } = sections(exchanged);
    const ds = rrsetsIn(authority).find(to, 'DS');
    const found = ds && verifyRrset(ds, keys, this.#validation);
    if (ds !== undefined && found?.kind === 'verified' && found.wildcard === undefined)
      return { kind: 'good', secure: true, trust: trustFrom(ds.records) };
    const proof = proveDenial({ kind: 'unsigned-cut', name: to }, authority, keys, this.#validation);
    if (proof.kind === 'proven')
      return { kind: 'good', secure: proof.security === 'secure', trust: trustFrom([]) };
    const denials = [...rrsetsIn(authority).ofType('NSEC'), ...rrsetsIn(authority).ofType('NSEC3')];
    const signers = signersOf(ds === undefined ? denials : [ds, ...denials]);
    const below = nearest(signers, keys.zone, (zone) => isBelow(to, zone));
    if (below === undefined) return { kind: 'unproven' };
    const judged = this.#by<Judged>(below, keys.zone, (deeper) => this.#referral(exchanged, to, deeper));
    if ('reason' in judged) return { kind: 'unproven' };
    return 'kind' in judged ? judged : { kind: 'good', secure: judged.secure, trust: trustFrom([]) };
  }

  /** 3e: T of Y by the DS question, keys of Y, then Y for Z; without T, what lies between Z and Y. */
  #by<J>(zone: Name, above: Name, judge: (keys: Keys) => J): J | Part {
    const cut = this.#cut(zone);
    if (typeof cut === 'string')
      return this.#unsigned(above, zone, (name) => isBelow(zone, name), 'wrong-signer');
    if (cut.kind === 'insecure') return INSECURE;
    const keys = this.#drawn.keys.get(zone);
    if (keys === undefined) throw new NotDrawn('keys', zone);
    if (keys === 'no reply') return { reason: 'wrong-key' };
    if ('limit' in keys) throw new CutOff(keys.limit);
    return judge(keys);
  }

  /** 3f */
  #unsigned(zone: Name, owner: Name, mayBeApex: (name: Name) => boolean, reason: string): Part {
    const names: Name[] = [];
    for (let at: Name | undefined = owner; at !== undefined && isBelow(at, zone); at = parentOf(at))
      names.unshift(at);
    for (const name of names.filter(mayBeApex)) {
      const cut = this.#cut(name);
      if (cut === 'no name' || cut === 'no reply') break;
      if (cut !== 'no cut' && cut.kind === 'insecure') return INSECURE;
    }
    return { reason };
  }

  #cut(name: Name): Exclude<CutFact, { limit: unknown }> {
    const cut = this.#drawn.cuts.get(name);
    if (cut === undefined) throw new NotDrawn('cut', name);
    if (typeof cut !== 'string' && 'limit' in cut) throw new CutOff(cut.limit);
    return cut;
  }
}

function sections({ outcome }: Exchanged) {
  if (outcome.kind !== 'reply') throw new Error('a class without a reply');
  return outcome;
}

/** The RRset that stands for an alias: its CNAME, or the DNAME of which the CNAME is only what follows. */
function aliasRecord(exchanged: Exchanged, at: Name, target: Name, zone: Name): Rrset | undefined {
  const rrsets = rrsetsIn(sections(exchanged).answer);
  for (let above = parentOf(at); above !== undefined && isAtOrBelow(above, zone); above = parentOf(above)) {
    const dname = rrsets.find(above, 'DNAME');
    const targets = dname?.records.map(targetOf) ?? [];
    if (targets.some((one) => one !== undefined && substituteSuffix(at, above ?? at, one) === target))
      return dname;
  }
  return rrsets.find(at, 'CNAME');
}

function signersOf(rrsets: readonly Rrset[]): readonly Name[] {
  return rrsets.flatMap((rrset) =>
    signaturesOf(rrset)
      .map(({ signer }) => signer)
      .filter((signer) => isAtOrBelow(rrset.owner, signer)),
  );
}

/** The zone nearest to `zone` among those strictly below it. */
function nearest(signers: readonly Name[], zone: Name, isFit: (signer: Name) => boolean): Name | undefined {
  const below = signers.filter((signer) => isBelow(signer, zone) && isFit(signer));
  return [...below].sort((a, b) => a.length - b.length)[0];
}

/** Whether a zone is at or above a name; for what belongs to the parent's side of a cut strictly above. */
function mayOwn(zone: Name, name: Name, isParents: boolean): boolean {
  return isParents ? isBelow(name, zone) : isAtOrBelow(name, zone);
}
