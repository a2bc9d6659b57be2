import { useState } from 'preact/hooks';

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
