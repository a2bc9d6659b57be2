/** The part of Trusted Types (W3C) that the page uses. */
interface ScriptPolicies {
  readonly createPolicy: (
    name: 'default',
    rules: { readonly createScriptURL: (address: string) => string },
  ) => unknown;
}

declare global {
  interface Window {
    readonly trustedTypes?: ScriptPolicies;
  }
}

/** Programs of workers: files of our own, whose names have a hash. */
const PROGRAM = /^\/assets\/[\w-]+\.js$/;

/**
 * Lets the page start workers from files of its own. The service's policy lets texts become neither scripts nor markup,
 * and this is the only way past it.
 */
export function trustOwnScripts(): void {
  window.trustedTypes?.createPolicy('default', { createScriptURL: ownProgram });
}

/** The address of a program. Throws a TypeError for any other. */
export function ownProgram(address: string): string {
  if (!PROGRAM.test(address)) throw new TypeError(`not a program of this page: ${address}`);
  return address;
}
