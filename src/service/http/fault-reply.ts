import { PROBLEM_TYPE, problemOf, problemText } from './problem.ts';

/** A whole reply to what is not a request. */
export type FaultReply = string;

/** A problem document like the others, with its head. Made once: thousands of clients may have to get it at a time. */
export function faultReply(status: number, detail: string): FaultReply {
  const problem = problemOf(status, detail);
  const body = problemText(problem);
  const head = [
    `HTTP/1.1 ${status} ${problem.title}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
