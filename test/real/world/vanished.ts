/** The end of a look-up that a server of example. denies. */
export function vanishedBy(server: string): string {
  return `unresolvable-ns ns.vanished.example. because nxdomain, ns.vanished.example. A in example., ${server}`;
}
