// The least that Node does for a request: tells its parent where it listens.
import { createServer } from 'node:http';

const server = createServer((_request, response) => response.end('{"status":"ok"}\n'));
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}/`));
