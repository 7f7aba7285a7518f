/** An upstream, or a proxy before one, that keeps what arrives, byte for byte. */
import { createServer } from 'node:net';

/** `answer`: the whole answer, to the head of a request. */
export async function openWitness(answer = () => jsonAnswer('{"ok":true}')) {
  const sockets = new Set();
  const witness = { url: '', requests: [], connections: 0, close: () => undefined };
  const server = createServer((socket) => {
    witness.connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    let pending = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      pending += chunk;
      for (let end = endOf(pending); end !== undefined; end = endOf(pending)) {
        const head = pending.slice(0, pending.indexOf('\r\n\r\n'));
        witness.requests.push(pending.slice(0, end));
        pending = pending.slice(end);
        socket.write(answer(head));
      }
    });
  });
  await listen(server);
  witness.url = `http://127.0.0.1:${server.address().port}`;
  witness.close = () =>
    new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(resolve);
    });
  return witness;
}

/** At `::1` too, where there is IPv6: both loopback addresses are this machine. */
async function listen(server) {
  for (const host of ['::', '127.0.0.1']) {
    server.listen(0, host);
    // Not `once` of `node:events`, which rejects: the other address is tried.
    const isOpen = await new Promise((resolve) => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false));
    });
    if (isOpen) return;
  }
}

export function jsonAnswer(body, status = '200 OK', headers = '') {
  return `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Where the first whole request ends; undefined while there is none. */
function endOf(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = text.slice(0, end);
  if (/^transfer-encoding:.*chunked/im.test(head)) {
    const last = text.indexOf('\r\n0\r\n\r\n', end + 2);
    return last === -1 ? undefined : last + 7;
  }
  const whole = end + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  return text.length < whole ? undefined : whole;
}
