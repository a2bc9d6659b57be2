/* The build puts the source of a manual page into the page as text. */
declare module '*.7' {
  const source: string;
  export default source;
}
