import type { Command, Option } from 'commander';
import { type OptionHeading, type Reach, SERVED_DEFAULTS } from '../../base/limits.ts';
import { type Family, familyOf } from '../../dns/address.ts';
import { isLoopback } from '../../dns/special-purpose.ts';
import type { RequestOptions } from '../../document/api/request.ts';
import {
  DEFAULT_OPTIONS,
  definedMembers,
  OPTION_NAMES,
  type OptionFlag,
  type OptionName,
  optionRow,
  REQUEST_OPTIONS,
  type RequestOption,
  type TraversalOptions,
  traversalOptions,
} from '../../document/options.ts';
import { QUICK_VIEWS } from '../../evaluate/views.ts';
import type { Delegation } from '../../explore/delegation.ts';
import { optionsLike } from '../../traversal/options-in-effect.ts';
import { notDone } from '../process/errors.ts';
import { SHARED_HEADINGS } from '../process/help.ts';
import { addAtFlag, addTrustAnchorFlag, checkDnssecFlags, type DnssecFlags } from './dnssec-flags.ts';
import { addConfigFlag, type ConfigFlags, itemsOption, namesOption } from './expect-flags.ts';
import {
  fileOption,
  type LimitFlags,
  limitOption,
  longSpelling,
  NamedOption,
  optionWithin,
} from './limit-option.ts';

/** The command line's options that say how to traverse, as commander gives them. */
export interface TraversalFlags
  extends TableFlags,
    ConfigFlags,
    DnssecFlags,
    Pick<LimitFlags, 'ratePerPrefix'> {
  readonly 4?: true;
  readonly 6?: true;
  readonly rootHints?: string;
  readonly demo?: true;
}

/** The options of a traversal that commander gives under their names in the table. */
type TableFlags = Partial<Omit<TraversalOptions, 'families' | 'trustAnchors' | 'configured'>>;

/** What the options of `svc serve` have besides. */
export interface ServedTraversalFlags extends TraversalFlags, Pick<LimitFlags, 'rateTotal'> {
  readonly deny?: string;
}

/** Adds the options of a command that traverses. */
export function addTraversalFlags(command: Command): void {
  addAskingFlags(command, 'traverse');
  addAtFlag(command);
  command.hook('preAction', () => checkDnssecFlags(command.opts(), command.opts()));
}

/** Adds the options that say what is expected of names. */
export function addExpectFlags(command: Command): void {
  command.optionsGroup(SHARED_HEADINGS.expected);
  for (const name of OPTION_NAMES.filter((one) => optionRow(one).flag.kind === 'items'))
    for (const option of optionsOf(name, 'traverse')) command.addOption(option);
  addConfigFlag(command);
}

/** The same for `svc serve`, and what binds all jobs together. */
export function addServedTraversalFlags(command: Command): void {
  addAskingFlags(command, 'serve');
  command
    .optionsGroup(TAKING_ON)
    .addOption(limitOption('rateTotal'))
    .addOption(fileOption('--deny <file>', 'leave alone the prefixes and names in it, one a line'));
  command.hook('preAction', () => {
    // Clients may ask for views that are not made by default.
    const { trustAnchor: _, ...flags }: ServedTraversalFlags = command.opts();
    checkDnssecFlags(flags, command.opts());
  });
}

/** The heading of what a service takes on, beside options that commands share. */
export const TAKING_ON = 'How much to take on:';

const HEADINGS: Readonly<Record<OptionHeading, string>> = {
  'how-to-ask': SHARED_HEADINGS.asking,
  'how-far': SHARED_HEADINGS.far,
};

function addAskingFlags(command: Command, place: Place): void {
  const addTable = (heading: OptionHeading, kinds: readonly OptionFlag['kind'][]) => {
    const below = OPTION_NAMES.filter((name) => optionRow(name).heading === heading);
    for (const name of below.filter((one) => kinds.includes(optionRow(one).flag.kind)))
      for (const option of optionsOf(name, place)) command.addOption(option);
  };
  command
    .optionsGroup(HEADINGS['how-to-ask'])
    .option('-4', 'ask over IPv4 (default: each family that this host has a route for)')
    .option('-6', 'ask over IPv6')
    .addOption(
      fileOption(
        '--root-hints <file>',
        'start at these root servers, in named.root format (default: the 13 of the internet)',
      ),
    );
  addTable('how-to-ask', ['limit', 'value']);
  command
    .addOption(limitOption('ratePerPrefix'))
    .option('--demo', 'ask the built-in simulated internet: no network needed')
    .optionsGroup(HEADINGS['how-far']);
  command.addOption(
    new NamedOption('--quick', `the same as --views ${QUICK_VIEWS.join()}`, 'views').preset(QUICK_VIEWS),
  );
  addTable('how-far', ['names', 'value']);
  addTrustAnchorFlag(command);
  addTable('how-far', ['limit']);
}

/** Where options are added: to commands that traverse, or to `svc serve`. */
type Place = 'traverse' | 'serve';

const REACHES: Readonly<Record<Place, readonly Reach[]>> = {
  traverse: ['request', 'operator'],
  serve: ['request', 'operator', 'serve'],
};

/** The flags of an option, as its row has them. */
function optionsOf(name: OptionName, place: Place): readonly Option[] {
  const { flag, reach } = optionRow(name);
  if (!REACHES[place].includes(reach)) return [];
  switch (flag.kind) {
    case 'limit': {
      if (place === 'traverse') return [optionWithin(flag.limit, name, flag.spelling)];
      // There -p would look like the port to listen on.
      const option = optionWithin(flag.limit, name, longSpelling(flag.spelling), servedDefault(name));
      return [reach === 'serve' ? option.helpGroup(TAKING_ON) : option];
    }
    case 'value': {
      const option = new NamedOption(flag.spelling, flag.help, name).preset(flag.value);
      // Whatever its spelling, nothing is set without it.
      option.negate = false;
      return [option];
    }
    case 'names':
      return [namesOption(name, flag)];
    case 'items':
      return [itemsOption(name, flag)];
    case 'families':
    case 'own':
      return [];
  }
}

function servedDefault(name: OptionName): string | undefined {
  const served: Partial<Record<OptionName, number>> = SERVED_DEFAULTS;
  return served[name]?.toString();
}

/** The options of a traversal on this host: what the flags say, else the defaults; the families are always a default. */
export function optionsFromFlags(
  flags: TraversalFlags,
  defaults: Partial<TraversalOptions>,
): TraversalOptions {
  return { ...traversalOptions(defaults), ...definedMembers(flags, OPTION_NAMES.filter(isTableFlag)) };
}

/** Whether commander gives an option under its name in the table. */
export function isTableFlag(name: OptionName): name is keyof TableFlags {
  return name !== 'families' && name !== 'trustAnchors' && name !== 'configured';
}

/** The options of a request to a service: those that the command line names. */
export function requestOptionsFromFlags(flags: TraversalFlags): RequestOptions {
  const named = namedFamilies(flags);
  return definedMembers({ ...flags, families: named.length > 0 ? named : undefined }, REQUEST_OPTIONS);
}

/** The options of a request that is to be like an earlier traversal; the service decides on limits that were left to the defaults. */
export function requestOptionsLike(options: TraversalOptions): RequestOptions {
  const again = optionsLike(options);
  const isChanged = (name: RequestOption) =>
    name === 'families'
      ? again.families.length < DEFAULT_OPTIONS.families.length
      : again[name] !== DEFAULT_OPTIONS[name];
  return definedMembers(again, REQUEST_OPTIONS.filter(isChanged));
}

/** The command line's word for a member of a request's body, by the member's pointer. */
export const FLAG_OF: Readonly<Record<string, string>> = {
  '/name': 'NAME',
  '/type': 'TYPE',
  ...Object.fromEntries(
    REQUEST_OPTIONS.map((name) => [`/options/${name}`, longSpelling(optionRow(name).flag.spelling)]),
  ),
};

/** The families that the command line names; none if it leaves the choice open. */
export function namedFamilies(flags: { readonly 4?: true; readonly 6?: true }): readonly Family[] {
  return ([4, 6] as const).filter((family) => flags[family]);
}

/**
 * The families that this host has a route for; to root servers on loopback there always is one. Throws
 * a `CommandError` if there is none.
 */
export async function reachableFamilies(
  hints: Delegation,
  routed: () => Promise<readonly Family[]>,
): Promise<readonly Family[]> {
  const near = hints.nameservers.flatMap(({ glue }) => glue.filter(isLoopback).map(familyOf));
  const reachable = [...near, ...(await routed())];
  const families = ([4, 6] as const).filter((family) => reachable.includes(family));
  if (families.length > 0) return families;
  throw notDone('no network: this host has no route to the internet (try --demo, which needs none)');
}
