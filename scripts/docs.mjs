// Writes the parts of docs/ that follow from the code. With --check: exits 1 when one is not what the code says.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { documents } from './lib/documents.mjs';
import { listFeatures } from './lib/feature-table.mjs';
import { readOptions } from './lib/usage.mjs';

const { values } = readOptions('npm run docs [-- --check]', { options: { check: { type: 'boolean' } } });
const root = fileURLToPath(new URL('..', import.meta.url));
const { registry } = await import('../dist/src/diagnostics/registry.js');
const { listRows } = await import('../dist/src/config/options/rows.js');
const features = await listFeatures({
  ...(await import('../dist/src/model/feature-table.js')),
  ...(await import('../dist/src/model/features.js')),
  ...(await import('../dist/src/emit/features.js')),
});
const { TOOL_MEMBERS: toolMembers } = await import('../dist/src/config/options/tool-rules.js');
const { RULES: rules } = await import('../dist/src/lint/rules.js');
const { CLIENT_PROFILES: clients } = await import('../dist/src/model/client-profiles.js');
const { PUBLISH_RULES: publishRules } = await import('../dist/src/lint/publish-rules.js');
const options = listRows();

for (const { file, write } of documents) {
  const now = readFileSync(`${root}${file}`, 'utf8');
  const text = await write(now, {
    ...{ root, registry, options, toolMembers, features, rules, clients, publishRules },
  });
  if (text === now) continue;
  if (!values.check) writeFileSync(`${root}${file}`, text);
  else {
    console.error(`${file} is not what the code says. Run \`npm run docs\`.`);
    process.exitCode = 1;
  }
}
