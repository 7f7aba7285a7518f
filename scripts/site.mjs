/**
 * Builds the documentation as a site of plain files, with search, and checks every link between its pages. Nothing is
 * loaded from elsewhere. With --check: writes nothing.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { inRepository } from './lib/repository.mjs';
import { buildSite } from './lib/site.mjs';
import { readOptions } from './lib/usage.mjs';

const { values } = readOptions('npm run site [-- --check] [--output <folder>]', {
  options: { check: { type: 'boolean' }, output: { type: 'string', default: 'site' } },
});
const { files, pictures, lost } = buildSite();
for (const { page, link } of lost) console.error(`${page} links to ${link}, which does not exist.`);
if (lost.length > 0) process.exit(1);
if (!values.check) {
  const folder = path.resolve(inRepository('.'), values.output);
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  for (const picture of pictures) cpSync(inRepository(picture), path.join(folder, picture));
  for (const name of ['site.css', 'search.js'])
    cpSync(inRepository(`scripts/site/${name}`), path.join(folder, name));
  cpSync(inRepository('node_modules/minisearch/dist/umd/index.js'), path.join(folder, 'minisearch.js'));
}
console.log(
  `${files.size - 1} pages${values.check ? '' : ` in ${values.output}/`}, all links lead somewhere`,
);
