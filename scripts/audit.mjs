/**
 * `npm run audit`: asks the registry about known weaknesses of the packages in `package-lock.json`. Ends with 1 when
 * it knows of one; a registry that can't be asked, or does not tell, is a line and no failure.
 */
import { auditOf } from './lib/audit.mjs';
import { root } from './lib/repository.mjs';
import { readOptions } from './lib/usage.mjs';

readOptions('npm run audit');
const { words, isWeak } = await auditOf(root);
console.log(words);
process.exitCode = isWeak ? 1 : 0;
