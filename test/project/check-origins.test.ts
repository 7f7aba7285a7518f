// Credentials go where the lock says: what a run reports when a document moves them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check, generate, regenerate } from '../../src/index.ts';
import { parseLock } from '../../src/emit/index.ts';
import { filesOf, put, temporaryFolder } from '../write/project-on-disk.ts';

const BINDINGS = 'out/src/generated/bindings.json';

const documentOf = (server: string, security = '[{ key: [] }]') => `openapi: 3.1.0
info: { title: Dogs, version: 1.0.0 }
servers: [{ url: '${server}' }]
security: ${security}
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    other: { type: http, scheme: bearer }
paths:
  /dogs: { get: { operationId: listDogs, responses: { '200': { description: Dogs } } } }
`;

/** A project of an API at `https://api.example.com`, whose document is another now. */
async function projectWith(document: string, first = documentOf('https://api.example.com')): Promise<string> {
  const cwd = temporaryFolder();
  put(cwd, { 'dogs.yaml': first });
  expect((await generate({ source: 'dogs.yaml', dir: 'out', cwd })).ok).toBe(true);
  put(cwd, { 'dogs.yaml': document });
  return cwd;
}

const EVIL = 'https://evil.example';
const said = (diagnostics: readonly { name: string; message: string; hint?: string }[], name: string) =>
  diagnostics.filter((each) => each.name === name).map(({ message, hint }) => [message, hint]);
const namesIn = (diagnostics: readonly { name: string }[]) => diagnostics.map(({ name }) => name);

test('a first compilation says nothing of its origins, and the lock has them', async () => {
  const cwd = temporaryFolder();
  put(cwd, { 'dogs.yaml': documentOf('https://api.example.com') });
  const { diagnostics } = await generate({ source: 'dogs.yaml', dir: 'out', cwd });
  expect(diagnostics).toEqual([]);
  expect(parseLock(readFileSync(join(cwd, 'out/mcpgen.lock'), 'utf8'))?.origins?.sentTo).toEqual({
    API_HEADERS: ['https://api.example.com'],
    API_KEY_KEY: ['https://api.example.com'],
    requests: ['https://api.example.com'],
  });
  expect(namesIn((await regenerate('out', { cwd })).diagnostics)).toEqual([]);
});

test('a document that comes to name a variable for an argument says so', async () => {
  const rule =
    "parameters: [{ name: a, in: query, schema: { type: string }, x-mcp: { env: MY_SECRET } }], responses: { '200'";
  const document = documentOf('https://api.example.com').replace("responses: { '200'", rule);
  const cwd = await projectWith(document);
  expect(said((await regenerate('out', { cwd })).diagnostics, 'credential-origins')).toEqual([
    [expect.stringContaining('https://api.example.com (MY_SECRET)'), expect.any(String)],
  ]);
});

test('another origin is an error, nothing is written, and the message says what to run', async () => {
  const cwd = await projectWith(documentOf(EVIL));
  const before = filesOf(cwd);
  const again = await regenerate('out', { cwd });
  expect(again.ok).toBe(false);
  expect(said(again.diagnostics, 'origin-not-accepted')).toEqual([
    [
      `The server would send credentials to origins that out/mcpgen.lock does not name: ${EVIL} (API_KEY_KEY). Nothing was written or sent.`,
      `If the API's operator confirms them, run \`mcpgen generate out --accept-origin ${EVIL}\`.`,
    ],
  ]);
  for (const run of [
    () => check('out', { cwd }),
    () => regenerate('out', { cwd, dryRun: true }),
    () => regenerate('out', { cwd, force: true }),
    () => regenerate('out', { cwd, acceptOrigins: ['https://evil.example:444'] }),
    () => generate({ source: 'dogs.yaml', dir: 'out', cwd }),
  ])
    expect(namesIn((await run()).diagnostics)).toContain('origin-not-accepted');
  expect(filesOf(cwd)).toEqual(before);
});

test('a program is told of the command that its configuration has, a command line of itself', async () => {
  const cwd = await projectWith(documentOf('https://{r}.evil.example'));
  const run = (more: object) => generate({ source: 'dogs.yaml', dir: 'out', cwd, ...more });
  const hintsOf = async (more: object) =>
    said((await run(more)).diagnostics, 'origin-not-accepted').map(([, hint]) => hint);
  expect(await hintsOf({})).toEqual([
    'If the API\'s operator confirms them, run `mcpgen generate out --accept-origin "https://{r}.evil.example"`.',
  ]);
  expect(await hintsOf({ command: 'mcpgen openapi dogs.yaml --dry-run -o out --check' })).toEqual([
    'If the API\'s operator confirms them, run `mcpgen openapi dogs.yaml -o out --accept-origin "https://{r}.evil.example"`.',
  ]);
  expect((await run({ acceptOrigins: ['https://{r}.evil.example'] })).ok).toBe(true);
});

test('an accepted origin is in the lock from then on, and one that is gone is not', async () => {
  const cwd = await projectWith(documentOf(EVIL));
  expect((await regenerate('out', { cwd, acceptOrigins: [EVIL] })).ok).toBe(true);
  expect((await check('out', { cwd })).ok).toBe(true);
  put(cwd, { 'dogs.yaml': documentOf('https://api.example.com') });
  expect(namesIn((await regenerate('out', { cwd })).diagnostics)).toEqual(['origin-not-accepted']);
});

test('a new credential at a known origin is an info', async () => {
  const cwd = await projectWith(documentOf('https://api.example.com', '[{ key: [], other: [] }]'));
  const { ok, diagnostics } = await regenerate('out', { cwd });
  expect([ok, said(diagnostics, 'credential-origins')]).toEqual([
    true,
    [[expect.stringContaining('https://api.example.com (BEARER_TOKEN_OTHER)'), expect.any(String)]],
  ]);
});

test('without credentials another origin of the API is an error too, since `API_HEADERS` goes there', async () => {
  const cwd = await projectWith(documentOf(EVIL, '[]'), documentOf('https://api.example.com', '[]'));
  const { ok, diagnostics } = await regenerate('out', { cwd });
  expect([ok, said(diagnostics, 'origin-not-accepted')]).toEqual([
    false,
    [[expect.stringContaining(`${EVIL} (API_HEADERS)`), expect.any(String)]],
  ]);
});

test('without credentials another origin of an operation is a warning, and strict runs refuse it', async () => {
  const open = documentOf('https://api.example.com', '[]');
  const cwd = await projectWith(open.replace('get: {', `get: { servers: [{ url: '${EVIL}' }],`), open);
  const strict = await generate({ source: 'dogs.yaml', dir: 'out', cwd, strict: true });
  expect([strict.ok, namesIn(strict.diagnostics)]).toEqual([false, ['requests-elsewhere']]);
  const { ok, diagnostics } = await regenerate('out', { cwd });
  expect([ok, diagnostics.map(({ name, severity }) => [name, severity])]).toEqual([
    true,
    [['requests-elsewhere', 'warning']],
  ]);
});

test('a base URL that the environment is filled into is refused even without credentials', async () => {
  const open = documentOf('https://api.example.com', '[]');
  const cwd = await projectWith(open, open);
  put(cwd, { 'out/mcpgen.config.json': `{ "source": "../dogs.yaml", "baseUrl": "${EVIL}/\${SECRET}" }` });
  const { diagnostics } = await regenerate('out', { cwd, env: { SECRET: 'word' } });
  expect(said(diagnostics, 'origin-not-accepted')).toMatchObject([
    [expect.stringContaining(`${EVIL} (API_HEADERS)`), expect.any(String)],
  ]);
});

function forgetOrigins(cwd: string): void {
  const file = join(cwd, 'out/mcpgen.lock');
  const { origins, ...lock } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  expect(origins).toBeDefined();
  writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
}

test('a lock without origins takes them from the bindings, so that the first run notices another one', async () => {
  const cwd = await projectWith(documentOf('https://api.example.com'));
  forgetOrigins(cwd);
  const { ok, diagnostics } = await regenerate('out', { cwd });
  expect([ok, namesIn(diagnostics)]).toEqual([true, ['lock-edited', 'origins-taken-up']]);
  expect((await check('out', { cwd })).ok).toBe(true);
  forgetOrigins(cwd);
  put(cwd, { 'dogs.yaml': documentOf(EVIL) });
  expect(namesIn((await regenerate('out', { cwd })).diagnostics)).toContain('origin-not-accepted');
});

test('bindings that are not as the lock has them name no origin', async () => {
  const cwd = await projectWith(documentOf('https://api.example.com'));
  forgetOrigins(cwd);
  writeFileSync(
    join(cwd, BINDINGS),
    readFileSync(join(cwd, BINDINGS), 'utf8').replaceAll('https://api.', 'https://a.'),
  );
  expect(namesIn((await regenerate('out', { cwd })).diagnostics)).toContain('origin-not-accepted');
});

test('a list of origins that was edited counts for nothing, and a run without changes notices it', async () => {
  const cwd = await projectWith(documentOf('https://api.example.com'));
  const file = join(cwd, 'out/mcpgen.lock');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"API_KEY_KEY": [\n', `"API_KEY_KEY": [\n        "${EVIL}",\n`));
  expect(parseLock(readFileSync(file, 'utf8'))?.origins).toBeUndefined();
  const { ok, diagnostics } = await regenerate('out', { cwd });
  expect([ok, namesIn(diagnostics)]).toEqual([true, ['lock-edited', 'origins-taken-up']]);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.each([
  ['https://api.example.com/v1'],
  ['https://api.example.com:443'],
  ['api.example.com'],
  ['https://{region}.example.com/v1'],
  [''],
])('%s is no origin to accept', async (origin) => {
  const { diagnostics } = await generate({ source: 'dogs.yaml', acceptOrigins: [origin] });
  expect(namesIn(diagnostics)).toEqual(['invalid-options']);
});

test('no configuration accepts origins', async () => {
  const cwd = await projectWith(documentOf(EVIL));
  put(cwd, { 'out/mcpgen.config.json': `{ "source": "../dogs.yaml", "acceptOrigins": ["${EVIL}"] }` });
  const { ok, diagnostics } = await regenerate('out', { cwd });
  expect([ok, namesIn(diagnostics)]).toEqual([false, ['invalid-config']]);
});
