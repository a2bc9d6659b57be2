/* Explanations where they are needed: terms of the DNS, and the codes of findings. */

import { type ComponentChild, Fragment } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { GLOSSARY, type Term, termsIn } from './model/glossary.ts';

/**
 * A text whose terms are explained when they are pointed at, have the focus or are tapped. Codes of findings are links
 * to their explanation.
 */
export function Explained({ text }: { readonly text: string }) {
  return (
    <>
      {termsIn(text).map((piece, at) => (
        <Fragment key={at}>{explained(piece)}</Fragment>
      ))}
    </>
  );
}

function explained(piece: ReturnType<typeof termsIn>[number]): ComponentChild {
  switch (piece.kind) {
    case 'plain':
      return piece.text;
    case 'code':
      return <a href={`/help#${piece.text}`}>{piece.text}</a>;
    case 'term':
      return <ExplainedTerm term={piece.term} words={piece.text} />;
  }
}

/** Escape closes an explanation, and the pointer can go over it (WCAG 2.2, 1.4.13). */
function ExplainedTerm({ term, words }: { readonly term: Term; readonly words: string }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const tip = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (isOpen) putBelow(tip.current);
  }, [isOpen]);
  const [open, close] = [() => setOpen(true), () => setOpen(false)];
  return (
    <button
      type="button"
      class="term"
      aria-label={words}
      aria-describedby={id}
      onFocus={open}
      onBlur={close}
      onClick={open}
      onMouseEnter={open}
      onMouseLeave={close}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      {words}
      <span class="term-tip" role="tooltip" id={id} ref={tip} hidden={!isOpen}>
        {GLOSSARY[term]}
      </span>
    </button>
  );
}

/** Keeps a tip within the window, and above what cuts off its contents. */
function putBelow(tip: HTMLElement | null): void {
  if (tip === null) return;
  const { left = 0, bottom = 0 } = tip.parentElement?.getBoundingClientRect() ?? {};
  const rightmost = document.documentElement.clientWidth - tip.offsetWidth - MARGIN;
  tip.style.left = `${Math.max(MARGIN, Math.min(left, rightmost))}px`;
  tip.style.top = `${bottom}px`;
}

const MARGIN = 8;
