// The parts of docs/ that follow from the code are what it says today: `npm run docs` writes them.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { documents } from '../../scripts/lib/documents.mjs';
import { listFeatures } from '../../scripts/lib/feature-table.mjs';
import { listRows } from '../../src/config/options/rows.ts';
import { TOOL_MEMBERS as toolMembers } from '../../src/config/options/tool-rules.ts';
import { PUBLISH_RULES as publishRules } from '../../src/lint/publish-rules.ts';
import { RULES as rules } from '../../src/lint/rules.ts';
import { CLIENT_PROFILES as clients } from '../../src/model/client-profiles.ts';
import * as chosen from '../../src/emit/features.ts';
import * as table from '../../src/model/feature-table.ts';
import * as names from '../../src/model/features.ts';
import { registry } from '../../src/diagnostics/registry.ts';
import { read } from './blocks.ts';

const options = listRows();
const root = fileURLToPath(new URL('../..', import.meta.url));

const features = await listFeatures({ ...chosen, ...table, ...names });
const sources = {
  ...{ root, registry, options, toolMembers, features, rules, clients, publishRules },
};

test.each(documents)('$file', async ({ file, write }) => {
  const page = read(file);
  expect(page).toBe(await write(page, sources));
  // The part is written again, and not only kept.
  const stray = page.replace(/(written by `npm run docs` -->\n)/, '$1\nstray\n');
  expect(stray).not.toBe(page);
  expect(await write(stray, sources)).toBe(page);
});

test('the table of packages has all dependencies', () => {
  const [, table = ''] = read('CONTRIBUTING.md').split('## Dependencies');
  const named = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| (\S+)/gm)].map(([, name]) => name);
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object };
  expect(named.slice(2).sort()).toEqual(Object.keys(dependencies).sort());
});

test('every field of a view has words', () => {
  const [, views = ''] = read('templates/fields.md').split('<!-- views');
  const rows = views.split('\n').filter((line) => line.startsWith('- `'));
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter((row) => /:\s*$/.test(row))).toEqual([]);
});
