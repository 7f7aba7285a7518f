/** Parts that the servers from npm share. */
import { Tools } from '../../lib/tools.mjs';

/** The pinned servers. */
export const tools = new Tools('test/real');

/** Line that LoopBack's examples print when they listen. */
export const READY = /Server is running at (http:\/\/\S+)/;

/**
 * How one of LoopBack's examples is started on a free port of 127.0.0.1. `home`: the package's folder; `options`:
 * more options of its application.
 */
export function loopback(home, options = {}) {
  const code = 'require(process.argv[1]).main(JSON.parse(process.argv[2]))';
  const rest = { host: '127.0.0.1', port: 0, openApiSpec: { setServersFromRequest: true } };
  return { command: process.execPath, args: ['-e', code, home, JSON.stringify({ rest, ...options })] };
}
