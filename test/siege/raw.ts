import { connect } from 'node:net';
import type { Place } from '../service/http-client.ts';

/** Sends these octets on a connection of its own. Resolves with all that came back, when it is closed. */
export function sendRaw({ host, port }: Place, octets: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(port, host, () => socket.write(octets));
    socket.setEncoding('utf8').on('data', (text) => {
      heard += text;
    });
    // A reset is one way to close.
    socket.on('error', () => socket.destroy()).on('close', () => resolve(heard));
  });
}
