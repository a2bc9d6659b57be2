import type { LiveServer } from './live-zones.ts';
import { MarkSign, STATUS_WORDS } from './mark.tsx';
import { serverTitle } from './server-title.ts';

interface MarkButtonProps {
  readonly server: LiveServer;
  /** Whether Tab comes here: it does to one mark of each row. */
  readonly isReachable: boolean;
  /** The identifier of what tells more, while it is shown. */
  readonly tip: string | undefined;
  readonly hover: () => void;
  readonly hold: () => void;
  readonly letGo: () => void;
}

/** The mark of a server, which tells what that did when it is pointed at, has the focus or is tapped. */
export function MarkButton({ server, isReachable, tip, hover, hold, letGo }: MarkButtonProps) {
  return (
    <button
      type="button"
      class="mark"
      tabIndex={isReachable ? 0 : -1}
      aria-label={`${serverTitle(server)}: ${STATUS_WORDS[server.status]}`}
      aria-describedby={tip}
      data-open={tip !== undefined}
      onFocus={hold}
      onBlur={letGo}
      onMouseEnter={hover}
      onClick={hold}
    >
      <MarkSign status={server.status} />
    </button>
  );
}
