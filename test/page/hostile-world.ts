import type { World } from '../../src/lab/world.ts';
import { zoneText } from '../../src/lab/zone-file.ts';

const ROOT = '127.0.16.1';
const HOME = '127.0.16.2';

/** What labels can hold: markup, quotes, controls, and characters that turn the text round. */
const LABELS = [
  '<img/src=x/onerror=tellViolation(1)>',
  '<script>tellViolation(2)</script>',
  '"\' onmouseover=tellViolation(3)//',
  '\u0000\u0007\u001b[31m',
  '\u202egnp\u2066',
  '&lt;b&gt;;]]>--><!--',
].map(escaped);

/** As zone files write it (RFC 1035 5.1). */
function escaped(text: string): string {
  const octet = (one: number) => `\\${`${one}`.padStart(3, '0')}`;
  return [...Buffer.from(text)]
    .map((one) => (/[a-z]/.test(String.fromCharCode(one)) ? String.fromCharCode(one) : octet(one)))
    .join('');
}

/** A name of 255 octets on the wire. */
const LONGEST = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(48)}.hostile.test`;

/** Names that try to be more than names, and what their servers and data are called. */
export const HOSTILE_NAMES: readonly string[] = [...LABELS.map((label) => `${label}.hostile.test`), LONGEST];

/** A world in which everything that has a name has one of those. */
export const HOSTILE_WORLD: World = {
  servers: [
    {
      name: 'a.root.',
      addresses: [ROOT],
      zones: [
        zoneText(
          '.',
          [
            '. NS a.root.',
            `a.root. A ${ROOT}`,
            ...LABELS.flatMap((label) => [
              `hostile.test NS ${label}.hostile.test.`,
              `${label}.hostile.test A ${HOME}`,
            ]),
          ].join('\n'),
        ),
      ],
    },
    {
      name: 'home.hostile.test.',
      addresses: [HOME],
      version: '<img src=x onerror=tellViolation(4)>\u202e',
      zones: [
        zoneText(
          'hostile.test.',
          [
            ...LABELS.flatMap((label) => [
              `@ NS ${label}`,
              `${label} A ${HOME}`,
              `${label} TXT "<img src=x onerror=tellViolation(5)>" "\\226\\128\\174\\027[31m"`,
            ]),
            `${LONGEST}. TXT "${'w'.repeat(255)}" "${'i'.repeat(255)}"`,
          ].join('\n'),
        ),
      ],
    },
  ],
};
