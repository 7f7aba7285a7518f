/** Ports of 127.0.0.1 that nobody listens on, for programs that choose none themselves. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Systems give connections, and servers that name no port, ports from 32,768 up: one of those could be taken before
 * the program listens. A Redis of a cluster listens on its port + 10,000 as well, which stays below them and is
 * nobody's here.
 */
const FIRST = 10_000;
const COUNT = 10_000;

/** So that two programs of one process never get the same. */
const given = new Set();

/** Each time another. */
export async function freePort() {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (given.has(port) || !(await isFree(port)) || !(await isFree(port + COUNT))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port) {
  const server = createServer();
  const listening = once(server.listen(port, '127.0.0.1'), 'listening');
  if (
    !(await listening.then(
      () => true,
      () => false,
    ))
  )
    return false;
  server.close();
  await once(server, 'close');
  return true;
}
