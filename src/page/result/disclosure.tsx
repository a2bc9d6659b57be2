import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

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
