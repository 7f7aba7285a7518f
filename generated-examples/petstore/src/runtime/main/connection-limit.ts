/** How many connections one address may have, by what the user said. */
import type { Limits } from '../limits.ts';
import type { ConnectionLimit } from '../transports/http/serve-http.ts';
import type { Settings } from './settings.ts';

/** Undefined: as many as come. `warn` is told of the first address that has too many: others may be thousands. */
export function connectionLimit(
  { http }: Pick<Settings, 'http'>,
  { connectionsPerAddress }: Limits,
  warn: (words: string) => void,
): ConnectionLimit | undefined {
  const set = http?.connectionsPerAddress ?? 'default';
  if (set === 'off') return undefined;
  let isTold = false;
  const closed = (address: string): void => {
    if (!isTold) warn(crowd(address));
    isTold = true;
  };
  return { most: set === 'default' ? connectionsPerAddress : set, proxies: http?.proxies, closed };
}

function crowd(address: string): string {
  return (
    `${address} has as many connections as one address may have, and more are closed; of other addresses this is not told ` +
    'again. Is it a proxy? Then name it by --trusted-proxy. --connections sets the number.'
  );
}
