// Sources on the web, from a server on loopback.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { httpServer } from '../support/loopback.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const petstore = readFileSync(fileURLToPath(new URL('../../fixtures/petstore.yaml', import.meta.url)));
const cwd = temporaryFolder();
const refers = `openapi: 3.1.0
info: { title: t, version: "1" }
paths:
  /a: { $ref: nowhere.yaml }
  /b: { $ref: "broken.yaml#/x" }
`;
const credentials: (string | undefined)[] = [];

const { url: base, close } = await httpServer((request, response) => {
  credentials.push(request.headers.authorization);
  if (request.url === '/broken.yaml') response.end('openapi: 3.1.0\npaths: {');
  else if (request.url === '/refers.yaml') response.end(refers);
  else if (request.url === '/petstore.yaml') response.end(petstore);
  else if (request.url?.startsWith('/loop') === true) response.writeHead(302, { location: '/loop' }).end();
  else if (request.url === '/page')
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
  else response.writeHead(404).end('nothing here');
});
afterAll(close);

test('a URL compiles', async () => {
  const { exitCode, stdout } = await runInProcess(['openapi', `${base}/petstore.yaml`], { cwd });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^✓ http:\/\/127\.0\.0\.1:\d+\/petstore\.yaml → \.\/petstore-mcp · 13 tools/);
});

test.each([
  { path: '/nowhere.yaml', name: 'source-unreadable', words: '404' },
  { path: '/loop', name: 'source-unreadable', words: 'redirect' },
  { path: '/page', name: 'not-openapi', words: '/page' },
])('$path is refused: $name', async ({ path, name, words }) => {
  const { exitCode, stdout, stderr } = await runInProcess(['openapi', `${base}${path}`, '-o', 'refused'], {
    cwd,
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain(` ${name}: `);
  expect(stderr).toContain(words);
  expect(stderr).toContain('hint: ');
});

test.each(['/petstore.yaml', '/nowhere.yaml', '/loop', '/page', '/broken.yaml', '/refers.yaml'])(
  'user and password of a URL go to its host alone: %s',
  async (path) => {
    const url = `${base.replace('//', '//me:hush%21@')}${path}`;
    const said = await runInProcess(
      ['openapi', url, '-o', 'secretly', '--force', '--verbose', '--allow-remote-refs', '127.0.0.1'],
      { cwd },
    );
    const machine = await runInProcess(['inspect', url, '--json'], { cwd });
    expect(credentials).toContain(`Basic ${Buffer.from('me:hush!').toString('base64')}`);
    expect(said.stdout + said.stderr).toContain(path);
    expect(JSON.stringify([said, machine])).not.toMatch(/hush|me:/);
  },
);

test('a host that does not answer: source-unreadable', async () => {
  const gone = await httpServer(() => undefined);
  await gone.close();
  const { exitCode, stderr } = await runInProcess(['openapi', `${gone.url}/openapi.json`], { cwd });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(' source-unreadable: ');
});
