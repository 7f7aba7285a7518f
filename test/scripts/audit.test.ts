// Audit with a registry that knows weaknesses, and with one that can't answer. npm asks one on the loopback.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { auditOf } from '../../scripts/lib/audit.mjs';
import { httpServer } from '../support/loopback.ts';

const PACKAGES = {
  '': { name: 'p', version: '1.0.0', dependencies: { bad: '^1.0.0' } },
  'node_modules/bad': { version: '1.0.0', resolved: 'http://127.0.0.1:1/bad.tgz' },
};

/** A folder that depends on `bad`. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { '': manifest } = PACKAGES;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const lock = { name: 'p', version: '1.0.0', lockfileVersion: 3, requires: true, packages: PACKAGES };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  return folder;
}

/** What a registry says of `bad`, which npm asks for where there is something to tell. */
const PACKUMENT = {
  name: 'bad',
  'dist-tags': { latest: '2.0.0' },
  versions: { '1.0.0': { name: 'bad', version: '1.0.0' }, '2.0.0': { name: 'bad', version: '2.0.0' } },
};

/** A registry that answers every question about weaknesses alike. */
async function registry(status: number, body: object): Promise<string> {
  const { url, close } = await httpServer((request, response) => {
    request.resume();
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(request.method === 'POST' ? body : PACKUMENT));
  });
  onTestFinished(close);
  return `${url}/`;
}

const advisory = {
  id: 1,
  url: 'https://a.test',
  title: 't',
  severity: 'high',
  vulnerable_versions: '<2.0.0',
};

test.each<[string, number, object, string, boolean]>([
  ['nothing', 200, {}, 'No weakness is known of 1 packages.', false],
  ['a weakness', 200, { bad: [advisory] }, 'high: bad 1.0.0', true],
  ['nothing of audits (404)', 404, {}, 'Not audited: the registry answers 404.', false],
  ['nothing of audits (405)', 405, {}, 'Not audited: the registry answers 405.', false],
])('a registry that knows %s', async (_, status, body, words, isWeak) => {
  const url = await registry(status, body);
  expect(await auditOf(project(), ['--registry', url])).toEqual({ words, isWeak });
});

test('a registry that is not there', async () => {
  const { words, isWeak } = await auditOf(project(), [
    ...['--registry', 'http://127.0.0.1:1/', '--fetch-retries', '0'],
  ]);
  expect(words).toMatch(/^Not audited: .*\.$/);
  expect(isWeak).toBe(false);
});
