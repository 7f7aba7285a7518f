/**
 * Loaded into a server under attack: a network in which names resolve as `ATTACK_NAMES` says, and addresses lead to
 * this machine. The address `OUTSIDE` has the ports of `ATTACK_OUTSIDE` alone; all other addresses are inside, and
 * have every port.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';

/** Address of the only server in the internet. */
export const OUTSIDE = '93.184.215.14';

/** By name, an answer for each lookup; the last one stays. @type {Record<string, string[][]>} */
const names = JSON.parse(process.env.ATTACK_NAMES ?? '{}');
const ports = new Set((process.env.ATTACK_OUTSIDE ?? '').split(',').map(Number));

const systemLookup = dns.lookup;
const familyOf = (address) => ({ address, family: isIP(address) });

dns.lookup = (name, ...rest) => {
  if (!Object.hasOwn(names, name)) return systemLookup(name, ...rest);
  const [done, options = {}] = rest.reverse();
  const answer = names[name].length > 1 ? names[name].shift() : names[name][0];
  const [first, ...others] = answer.map(familyOf);
  const found = options.all ? [[first, ...others]] : [first.address, first.family];
  process.nextTick(done, null, ...found);
};
syncBuiltinESMExports();

/** Address that a connection was made to, before it was redirected to this machine. */
const asked = new WeakMap();
const { TCP } = process.binding('tcp_wrap');
const { connect, getpeername } = TCP.prototype;

function lead(request, address, port) {
  asked.set(this, address);
  // Nothing listens there.
  const isClosed = address === OUTSIDE && !ports.has(port);
  return connect.call(this, request, '127.0.0.1', isClosed ? 1 : port);
}

Object.assign(TCP.prototype, {
  connect: lead,
  connect6: lead,
  getpeername(out) {
    const status = getpeername.call(this, out);
    if (asked.has(this)) out.address = asked.get(this);
    return status;
  },
});
