import { writeFile } from 'node:fs/promises';
import type { Profile } from '../../../src/explore/profiles/profile.ts';
import { PROFILES } from '../../../src/explore/profiles/profiles.ts';
import { run } from '../daemon.ts';
import type { Counted, Decided } from './decide.ts';
import { SOFTWARE, type SoftwareName } from './software.ts';

/** The file of a profile. */
export function fileOf(name: SoftwareName): string {
  return `src/explore/profiles/${name}.ts`;
}

/** The profile as it was, or that of the product that it is most like. */
export function profileBefore(name: SoftwareName): Profile {
  const { like } = SOFTWARE[name];
  const own = new Map<string, Profile>(Object.entries(PROFILES)).get(name);
  const profile = own ?? PROFILES[like];
  if (profile === undefined) throw new Error(`there is no profile of ${name}, nor of ${like}`);
  return profile;
}

/** What a profile is written from. */
interface Written extends Decided {
  readonly version: string;
}

/** Writes the file of a profile. What was counted takes the place of what was read or counted before. */
export async function writeProfile(
  name: SoftwareName,
  { profile, counted, undecided, version }: Written,
): Promise<void> {
  const counts: Record<string, string> = {};
  for (const one of counted) {
    const before = counts[one.of];
    counts[one.of] = before === undefined ? countsText(one) : `${before}; ${countsText(one)}`;
  }
  const deviations = [
    ...profile.deviations.filter(({ of }) => of === undefined),
    ...undecided.map((of) => ({
      of,
      text: `${profile.product} does not always do as its profile says.`,
      seen: counts[of] ?? '',
    })),
  ];
  const read = Object.fromEntries(Object.entries(profile.read).filter(([of]) => counts[of] === undefined));
  const measured = new Date().toISOString().slice(0, 10);
  const written: Profile = { ...profile, version, measured, deviations, counts, read };
  const text =
    "import type { Profile } from './profile.ts';\n\n" +
    `/** Written by \`sh test/real/run.sh measure ${name}\`, but for what was read. */\n` +
    `export const ${constantOf(name)}: Profile = ${JSON.stringify(written)};\n`;
  await writeFile(fileOf(name), text);
  await run({ program: 'npx', args: ['biome', 'check', '--write', fileOf(name)] });
}

/** "2 of 2: asked again 58, asked once 2". */
function countsText({ situation, counts }: Counted): string {
  const each = Object.entries(counts).sort((a, b) => b[1] - a[1]);
  const text = each.map(([what, count]) => `${what} ${count}`).join(', ');
  return `${situation.split(': ').at(-1)}: ${text}`;
}

function constantOf(name: SoftwareName): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
}
