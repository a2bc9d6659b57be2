import type { Command } from 'commander';
import type { ServerOrAddress, WhatIf } from '../../evaluate/what-if/what-if.ts';
import { parseAddress } from '../../wire/address.ts';
import { readName } from './question.ts';

/** The options that imagine another world, as commander gives them. */
export interface WhatIfFlags {
  readonly down?: readonly string[];
  readonly without?: readonly string[];
  readonly only?: readonly string[];
}

/** Adds them. Each can be given several times. */
export function addWhatIfFlags(command: Command): void {
  command
    .optionsGroup('What if (X: the name of a name server, or an address):')
    .option('--down <x>', 'what users would get if X did not reply; repeatable', oneMore)
    .option('--without <x>', 'if X were taken out of every delegation; repeatable', oneMore)
    .option('--only <x>', 'if nothing but X were left of every delegation that has it; repeatable', oneMore);
}

/** What the flags imagine; undefined where they imagine nothing. Throws a `CommandError` for what is no name. */
export function whatIfOf({ down, without, only }: WhatIfFlags): WhatIf | undefined {
  if ((down ?? without ?? only) === undefined) return undefined;
  return { down: serversIn(down), without: serversIn(without), only: serversIn(only) };
}

function oneMore(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

function serversIn(texts: readonly string[] = []): readonly ServerOrAddress[] {
  return texts.map((text) => {
    const address = parseAddress(text);
    return address === undefined ? { kind: 'server', name: readName(text) } : { kind: 'address', address };
  });
}
