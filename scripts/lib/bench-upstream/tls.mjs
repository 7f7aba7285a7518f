/** The certificate of the measured API, which is that of the tests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { root } from '../repository.mjs';

const folder = path.join(root, 'test/support/tls');

/** The file to trust. */
export const authority = path.join(folder, 'authority.pem');

/** Options of an HTTPS server. */
export function identity() {
  const read = (name) => readFileSync(path.join(folder, name));
  return { key: read('server-key.pem'), cert: read('server.pem') };
}
