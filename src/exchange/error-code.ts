/** The code of a system error ("ECONNREFUSED"), for an error without one its message. */
export function errorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
