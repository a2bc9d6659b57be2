/** The ID of what may be a DNS message, decodable or not; undefined if it is too short for one. */
export function peekId(bytes: Uint8Array): number | undefined {
  const [high, low] = bytes;
  return high === undefined || low === undefined ? undefined : (high << 8) | low;
}
