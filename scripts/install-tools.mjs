/** Installs the programs that other scripts run, so that two of those scripts can run at a time. */
import { installRedis } from './lib/nodes/redis.mjs';
import { Tools } from './lib/tools.mjs';
import { readOptions } from './lib/usage.mjs';

const FOLDERS = [
  'conformance',
  'examples',
  'inspector',
  'mounts',
  'real',
  'judges/deploy',
  'judges/prism',
  'judges/spector',
  'judges/steady',
];

readOptions('node scripts/install-tools.mjs');
for (const folder of FOLDERS) await new Tools(`test/${folder}`).install();
// Tests say in their names what they could not try without it.
await installRedis().catch(({ message }) => console.error(message));
