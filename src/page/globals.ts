/** What code that was also written for Node finds in a browser. The build puts it where it is used. */
export { Buffer } from 'buffer';
