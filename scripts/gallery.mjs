/**
 * Compiles the configurations of docs/gallery.md with documents of a folder in the place of those from the internet,
 * and compares each with its document alone. Exits 1 if one has an error, which includes its budget, or if the page
 * has other figures. With --write, the page gets them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { format, resolveConfig } from 'prettier';
import { cli, inRepository } from './lib/repository.mjs';
import { run } from './lib/run.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const { countListed, listingCost } = await import('../dist/src/derive/listing-cost.js');
const { toolsToList } = await import('../dist/src/model/listed-tools.js');
const usage = 'node scripts/gallery.mjs <folder> [--write]';
const { values, positionals } = readOptions(usage, {
  options: { write: { type: 'boolean' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) misused(usage, 'The folder of the documents is missing.');

/** Configuration → the document's name in the folder. */
const DOCUMENTS = {
  github: 'github.json',
  stripe: 'stripe-2023.yaml',
  discord: 'discord.json',
};

const page = inRepository('docs/gallery.md');
const text = readFileSync(page, 'utf8');
const rows = [];
await withTempFolder('gallery', async (home) => {
  for (const [, name, config] of text.matchAll(/^```json title=(\w+)\/mcpgen\.config\.json\n(.*?)^```$/gms)) {
    const document = path.resolve(folder, DOCUMENTS[name]);
    mkdirSync(path.join(home, name));
    writeFileSync(
      path.join(home, name, 'mcpgen.config.json'),
      config.replace(/"openapi": "https:[^"]+"/, `"openapi": ${JSON.stringify(document)}`),
    );
    const before = measure(await inspect(document, home));
    const after = measure(await inspect(name, home));
    const { code, stderr } = await run(process.execPath, [cli, 'lint', name, '--quiet'], { cwd: home });
    console.log(
      `${name}: ${before.tools} tools, ${before.tokens} tokens → ${after.listed} listed of ${after.tools}, ${after.tokens} tokens`,
    );
    if (code !== 0) console.error(stderr);
    if (code !== 0) process.exitCode = 1;
    rows.push([name, before.tools, before.tokens, after.tools, after.listed, after.tokens].join(' | '));
  }
});
const table = [
  '| API | tools before | tokens before | tools | listed | tokens of the list |',
  '| --- | --: | --: | --: | --: | --: |',
  ...rows.map((row) => `| ${row.replace(/\d+/g, (digits) => Number(digits).toLocaleString('en'))} |`),
].join('\n');
const inserted = text.replace(/(<!-- gallery:.*?-->).*?(<!-- \/gallery -->)/s, `$1\n\n${table}\n\n$2`);
const written = await format(inserted, { ...(await resolveConfig(page)), parser: 'markdown' });
if (values.write && process.exitCode !== 1) writeFileSync(page, written);
else if (written !== text) {
  console.error('docs/gallery.md has other figures; --write puts these into it.');
  process.exitCode = 1;
}

async function inspect(source, cwd) {
  const { stdout } = await run(process.execPath, [cli, 'inspect', source, '--json'], { cwd });
  return JSON.parse(stdout);
}

/** Of tools that search others, only the pinned ones are measured. */
function measure(model) {
  return {
    tools: model.tools.length,
    listed: countListed(model),
    tokens: listingCost({ tools: toolsToList(model) }).tokens,
  };
}
