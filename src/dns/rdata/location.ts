/* Where a name is on Earth: the data of LOC records (RFC 1876). */

import { concat } from '../../base/encodings.ts';
import type { Reader } from '../reader.ts';
import { bigEndian, type RdataField } from './fields.ts';
import { RdataError } from './words.ts';

/** All fields of LOC, in version 0, the only one with a format. */
export const location: RdataField = {
  read: (data) => {
    if (data.u8() !== 0) data.fail('an unknown version');
    const precisions = [readSize(data), readSize(data), readSize(data)];
    const places = [readAngle(data, LATITUDE), readAngle(data, LONGITUDE)];
    const altitude = `${inMetres(data.u32() - LOWEST, 'always')}m`;
    return [...places, altitude, ...precisions].join(' ');
  },
  write: (words) => {
    const left = words.rest();
    const latitude = writeAngle(left, LATITUDE);
    const longitude = writeAngle(left, LONGITUDE);
    const altitude = centimetres(left.shift() ?? '', -LOWEST, 2 ** 32 - 1 - LOWEST) + LOWEST;
    const precisions = DEFAULT_SIZES.map((size) => writeSize(left.shift() ?? size));
    if (left.length > 0) throw new RdataError(`"${left[0]}" is one field too many`);
    const places = [latitude, longitude, altitude].map((value) => bigEndian(value, 32));
    return concat([Uint8Array.of(0, ...precisions), ...places]);
  },
};

/** RFC 1876 3: the diameter of a house, the precision of a ZIP code's place, that of its height. */
const DEFAULT_SIZES = ['1m', '10000m', '10m'];

/** Centimetres between altitude 0 and the WGS 84 ellipsoid (RFC 1876 2). */
const LOWEST = 10_000_000;

/** Letters of positive and negative angles, and the most degrees. */
interface Axis {
  readonly letters: readonly [positive: string, negative: string];
  readonly most: number;
}

const LATITUDE: Axis = { letters: ['N', 'S'], most: 90 };
const LONGITUDE: Axis = { letters: ['E', 'W'], most: 180 };

/** Thousandths of a second of arc in a degree, and the number that stands for 0. */
const DEGREE = 3_600_000;
const MIDDLE = 2 ** 31;

function readAngle(data: Reader, { letters: [positive, negative], most }: Axis): string {
  const value = data.u32();
  const angle = Math.abs(value - MIDDLE);
  if (angle > most * DEGREE) data.fail(`more than ${most} degrees`);
  const degrees = Math.floor(angle / DEGREE);
  const minutes = Math.floor((angle % DEGREE) / 60_000);
  const seconds = ((angle % 60_000) / 1000).toFixed(3);
  return `${degrees} ${minutes} ${seconds} ${value < MIDDLE ? negative : positive}`;
}

/** Takes the words of an angle, up to its letter: degrees, and perhaps minutes and seconds. */
function writeAngle(words: string[], { letters: [positive, negative], most }: Axis): number {
  const end = words.findIndex((word) => [positive, negative].includes(word.toUpperCase()));
  if (end < 1 || end > 3)
    throw new RdataError(`degrees, minutes and seconds must end in ${positive} or ${negative}`);
  const [degrees = '', minutes = '0', seconds = '0'] = words.splice(0, end);
  const isNegative = words.shift()?.toUpperCase() === negative;
  const angle =
    decimal(degrees, 0, most) * DEGREE +
    decimal(minutes, 0, 59) * 60_000 +
    Math.round(decimal(seconds, 3, 59.999) * 1000);
  if (angle > most * DEGREE)
    throw new RdataError(`there are only ${most} degrees ${positive} and ${negative}`);
  return isNegative ? MIDDLE - angle : MIDDLE + angle;
}

/** A number without a sign, with at most so many decimals. Throws RdataError. */
function decimal(text: string, decimals: number, most: number): number {
  const format = decimals === 0 ? /^\d{1,3}$/ : /^\d{1,8}(?:\.\d{1,3})?$/;
  if (format.test(text) && Number(text) <= most) return Number(text);
  throw new RdataError(`"${text}" is not a number from 0 to ${most}`);
}

/** Metres with up to two decimals, and perhaps an "m", in centimetres. Throws RdataError. */
function centimetres(text: string, least: number, most: number): number {
  const [, sign = '', metres = '', rest = ''] = /^(-?)(\d{1,8})(?:\.(\d{1,2}))?m?$/i.exec(text) ?? [];
  const value = (sign === '-' ? -1 : 1) * (Number(metres) * 100 + Number(rest.padEnd(2, '0')));
  if (metres !== '' && value >= least && value <= most) return value;
  throw new RdataError(`"${text}" is not a length in metres from ${least / 100} to ${most / 100}`);
}

function inMetres(value: number, decimals: 'always' | 'if-any'): string {
  return decimals === 'if-any' && value % 100 === 0 ? `${value / 100}` : (value / 100).toFixed(2);
}

/** RFC 1876 2: a digit and a power of ten, in centimetres. */
function readSize(data: Reader): string {
  const octet = data.u8();
  const [digit, power] = [octet >> 4, octet & 15];
  // Nothing times a power of ten could not be written back.
  if (digit > 9 || power > 9 || (digit === 0 && power > 0))
    data.fail('a size that is no digit and power of ten');
  return `${inMetres(digit * 10 ** power, 'if-any')}m`;
}

/** Digits behind the first are not kept. */
function writeSize(text: string): number {
  const value = centimetres(text, 0, 9e9);
  const power = Math.max(0, `${value}`.length - 1);
  return (Math.floor(value / 10 ** power) << 4) | power;
}
