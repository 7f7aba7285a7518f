/** Ids of sessions that are signed, and not by this server, for this caller, now: as by someone who knows other secrets. */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';

import { openGuarded, SERVER_NAME, STATE_SECRET } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { ask, callOf, Session } from '../session.mjs';

export const family = 'signed sessions';

export const PREVIOUS = 'the secret before it, long enough for all';

export const open = (folder) => openGuarded(folder, { env: { MCP_STATE_SECRET_PREVIOUS: PREVIOUS } });

/** @type {[name: string, id: (own: string, target: import('../guarded-server.mjs').Guarded) => string | Promise<string>, want?: string][]} */
const ids = [
  ['as it was issued', (own) => own, '200'],
  ['signed anew as it was', (own) => signedAnew(own, {}), '200'],
  ['signed by the previous secret, of a caller by this one', (own) => signedAnew(own, { secret: PREVIOUS })],
  ['of another secret', (own) => signedAnew(own, { secret: 'x'.repeat(40) })],
  ['of a secret that was dropped', (own) => signedAnew(own, { secret: 'dropped '.repeat(5) })],
  ['of another server', (own) => signedAnew(own, { server: 'other' })],
  ['by the key of states', (own) => signedAnew(own, { purpose: 'request-state' })],
  ['that expired', (own) => signedAnew(own, { change: (bytes) => bytes.writeUInt32BE(1, 5) })],
  ['of the future', (own) => signedAnew(own, { change: (bytes) => bytes.writeUInt32BE(0xffffffff, 5) })],
  ['of another version', (own) => signedAnew(own, { change: (bytes) => (bytes[0] = 2) })],
  ['of no revision', (own) => signedAnew(own, { change: (bytes) => (bytes[1] = 9) })],
  ['of a made-up subject', (own) => signedAnew(own, { change: (bytes) => bytes.fill(0, 17, 33) })],
  ['of another subject', async (_, target) => (await target.as({ sub: 'mallory' })).id],
  ['cut', (own) => own.slice(0, -4)],
  ['without its signature', (own) => own.slice(0, 65)],
  ['with padding', (own) => `${own}=`],
  ['in hexadecimal', (own) => Buffer.from(own, 'base64url').toString('hex')],
  ['with a bit flipped', (own) => flip(own, 49)],
  ['with another capability', (own) => flip(own, 4)],
  ['with other random bits', (own) => encode(Buffer.from(own, 'base64url').fill(randomBytes(16), 33, 49))],
];

export const rows = ids.map(([what, id, want = '404']) => ({
  name: `an id ${what}`,
  want,
  ...(want === '200' ? { reaches: { handlers: 1 } } : {}),
  attack: async (target) => {
    const headers = bearer(await target.issuer.token());
    const { id: own } = await Session.open(target.url, headers);
    const body = JSON.stringify(callOf('touch', {}));
    const name = await id(own, target);
    const { status } = await ask(target.url, { body, headers: { ...headers, 'mcp-session-id': name } });
    return String(status);
  },
}));

function signedAnew(
  id,
  { secret = STATE_SECRET, server = SERVER_NAME, purpose = 'session-id', change = () => undefined },
) {
  const bytes = Buffer.from(id, 'base64url');
  change(bytes);
  const key = Buffer.from(hkdfSync('sha256', secret, server, `mcpgen ${purpose} 1`, 64));
  createHmac('sha256', key.subarray(0, 32)).update(bytes.subarray(0, 49)).digest().copy(bytes, 49);
  return encode(bytes);
}

function flip(id, at) {
  const bytes = Buffer.from(id, 'base64url');
  bytes[at] ^= 1;
  return encode(bytes);
}

function encode(bytes) {
  return bytes.toString('base64url');
}
