/* Small components and helpers that several parts of the page share. */

import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { count } from '../document/words/quantities.ts';

/** A name that breaks between its labels where it is too long for a line, and reads from left to right whatever is in it. */
export function NameText({ name }: { readonly name: string }) {
  const pieces = name.split(/(?<=\.)/);
  return (
    <bdi>
      {pieces.map((piece, at) => (
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </bdi>
  );
}

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
}

/** Copies a text. Where the browser does not let it, the text can still be marked, so there is no button. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [copied, setCopied] = useState<string>();
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(text));
  if (navigator.clipboard === undefined) return null;
  return (
    <button type="button" class="button" onClick={() => void copy().catch(() => setCopied(undefined))}>
      <span aria-live="polite">{copied === text ? 'Copied' : label}</span>
    </button>
  );
}

interface FirstFewProps<T> {
  readonly items: readonly T[];
  /** How many are shown at first. */
  readonly most: number;
  /** Singular and plural. */
  readonly noun: readonly [one: string, many: string];
  readonly each: (item: T) => ComponentChildren;
  /** Wraps the items that are shown. */
  readonly around: (shown: ComponentChildren) => ComponentChildren;
}

/** The first of many items, and a button that shows the others. */
export function FirstFew<T>({ items, most, noun, each, around }: FirstFewProps<T>) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, most);
  const more = items.length - shown.length;
  return (
    <>
      {around(shown.map(each))}
      {more > 0 && (
        <p>
          <button type="button" class="button" onClick={() => setWhole(true)}>
            Show {count(more, `more ${noun[0]}`, `more ${noun[1]}`)}
          </button>
        </p>
      )}
    </>
  );
}

interface ScrolledProps {
  /** What it shows. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What is too wide for a phone scrolls sideways by itself, by keys too. */
export function Scrolled({ label, children }: ScrolledProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it nobody could scroll by keys
    <section class="scrolled" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

interface DisclosureProps {
  readonly class: string;
  readonly summary: ComponentChildren;
  /** At first. */
  readonly isOpen: boolean;
  /** Made only once it is open: there can be thousands. */
  readonly children: () => ComponentChildren;
}

/** A `details` element whose contents are made when it is first opened. */
export function Disclosure({ class: className, summary, isOpen, children }: DisclosureProps) {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <details
      class={className}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) setOpened(true);
      }}
    >
      <summary>{summary}</summary>
      {wasOpened && children()}
    </details>
  );
}

/** The index to which a key moves the focus in a toolbar (WAI-ARIA APG); undefined for other keys. */
export function alongRow(key: string, from: number, length: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
      return (from + 1) % length;
    case 'ArrowLeft':
    case 'ArrowUp':
      return (from - 1 + length) % length;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return undefined;
  }
}

/** A part of the page that is loaded when it is first shown: undefined until it is there. Takes the same function each time. */
export function useLoaded<Part extends object>(load: () => Promise<Part>): Part | 'failed' | undefined {
  const [loaded, setLoaded] = useState<Part | 'failed'>();
  useEffect(() => {
    load().then(
      (part) => setLoaded(() => part),
      () => setLoaded('failed'),
    );
  }, [load]);
  return loaded;
}

/** Whether a click on a link is for the browser: it opens a tab, or saves. */
export function opensElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey;
}

/** Lets the reader save a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), LATER_MS);
}

const LATER_MS = 10_000;

/** What this browser keeps for the page; undefined where it is told to keep nothing, which makes looking at it an error. */
export function browserStorage(): Storage | undefined {
  return storageOf(() => window.localStorage);
}

/** What this browser keeps for this tab until that is closed; undefined as for `browserStorage`. */
export function tabStorage(): Storage | undefined {
  return storageOf(() => window.sessionStorage);
}

function storageOf(look: () => Storage): Storage | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
