/** A log, by level. */
export interface Log {
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
}

/** The fields of an entry beside its message. Undefined ones are left out. */
type LogFields = Readonly<Record<string, string | number | undefined>>;

/** A line for each entry: a JSON object for machines, or plain text for people. */
type LogFormat = 'json' | 'text';

/**
 * A log that writes one line per entry. Fields may come from requests or from name servers: whatever they
 * contain, the line is one line of printable ASCII.
 */
export function createLog(write: (line: string) => void, format: LogFormat, now = () => new Date()): Log {
  const line = format === 'json' ? (entry: Entry) => `${ascii(JSON.stringify(entry))}\n` : textLine;
  const level =
    (name: string) =>
    (message: string, fields: LogFields = {}) =>
      write(line({ time: now().toISOString(), level: name, message, ...fields }));
  return { info: level('info'), warn: level('warning'), error: level('error') };
}

type Entry = Readonly<Record<'time' | 'level' | 'message', string>> & LogFields;

function textLine({ time, level, message, ...fields }: Entry): string {
  const pairs = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}=${quoted(value)}`],
  );
  return `${time} ${level === 'info' ? '' : `${level}: `}${ascii(message)}${ascii(pairs.join(''))}\n`;
}

function quoted(value: string | number): string {
  return typeof value === 'string' && !/^[\w.:/-]+$/.test(value) ? JSON.stringify(value) : `${value}`;
}

/** A text with characters as JSON escapes them: those that are not printable ASCII, or those that `which` matches. */
export function ascii(text: string, which = /[^ -~]/g): string {
  return text.replace(which, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
