import type { Io } from '../process/io.ts';

/** The signals that ask a service to read its files again. */
export interface Reloads {
  /** Says what to do for each. One that came before is heeded now, and one that comes meanwhile afterwards. */
  readonly begin: (reload: () => Promise<void>) => void;
}

/**
 * Listens for such signals from now on. Never two reloads go on at once: the one that began first could end
 * last, and leave what it read before in force.
 */
export function hearReloads({ onReload }: Pick<Io, 'onReload'>): Reloads {
  let state: 'not-begun' | 'idle' | 'reloading' = 'not-begun';
  let isWanted = false;
  let reload = async () => {};
  const reloadWhileWanted = async () => {
    if (state !== 'idle') return;
    state = 'reloading';
    while (isWanted) {
      isWanted = false;
      await reload();
    }
    state = 'idle';
  };
  onReload(() => {
    isWanted = true;
    void reloadWhileWanted();
  });
  return {
    begin: (run) => {
      reload = run;
      state = 'idle';
      void reloadWhileWanted();
    },
  };
}
