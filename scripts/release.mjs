/**
 * Prepares the first release: names the repository and the author in package.json, and asks npm whether it would
 * publish. Nothing is uploaded.
 */
import { readFileSync, writeFileSync } from 'node:fs';

import { inRepository, root } from './lib/repository.mjs';
import { runOrThrow } from './lib/run.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const usage = 'npm run release -- --repository <owner/name> [--author <name>]';
const { values } = readOptions(usage, {
  options: { repository: { type: 'string' }, author: { type: 'string' } },
});
const { repository = '', author } = values;
const [, owner] = /^([\w.-]+)\/[\w.-]+$/.exec(repository) ?? [];
if (owner === undefined)
  misused(usage, '--repository must be the owner and the name of a repository on GitHub.');

const file = inRepository('package.json');
const manifest = JSON.parse(readFileSync(file, 'utf8'));
const url = `https://github.com/${repository}`;
Object.assign(manifest, {
  author: author ?? owner,
  homepage: `${url}#readme`,
  repository: { type: 'git', url: `git+${url}.git` },
  bugs: `${url}/issues`,
});
writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
console.log(`package.json names ${url} and the author ${manifest.author}.`);

const { stderr } = await runOrThrow('npm', ['publish', '--dry-run', '--access', 'public'], { cwd: root });
const warnings = stderr.split('\n').filter((line) => /^npm warn/i.test(line));
if (warnings.length > 0) throw new Error(warnings.join('\n'));
console.log('npm would publish it. Commit package.json; a release on GitHub publishes.');
