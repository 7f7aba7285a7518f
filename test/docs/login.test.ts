// The page about signing in: its document is compiled, its command signs in at an authorization server on this machine, and a
// client calls the API with that login.
import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { runInProcess } from '../cli/support/fake-host.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { json, startApi } from '../runtime/api.ts';
import { blocksOf, fileOf, read } from './blocks.ts';

const PAGE = 'docs/login.md';

/** What the person and the authorization server do at the page of the server. */
async function agree(startUrl: string, challenges: Map<string, string>): Promise<string> {
  const page = await (await fetch(startUrl)).text();
  const link = (/href="([^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&#38;', '&');
  const asked = new URL(link).searchParams;
  challenges.set('the-code', asked.get('code_challenge') ?? '');
  const back = new URL(asked.get('redirect_uri') ?? '');
  back.searchParams.set('code', 'the-code');
  back.searchParams.set('state', asked.get('state') ?? '');
  await fetch(back);
  return page;
}

test('a reader of the page signs in, and a client uses the login', async () => {
  const challenges = new Map<string, string>();
  const issuer = await startApi(({ body, target }) => {
    const metadata = { issuer: issuer.url, scopes_supported: ['offline_access'] };
    if (target.includes('/.well-known/'))
      return json({ ...metadata, revocation_endpoint: `${issuer.url}/revoke` });
    if (target === '/revoke') return { status: 200 };
    const form = new URLSearchParams(body);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenges.get(form.get('code') ?? '') !== challenge) return { status: 400 };
    return json({ access_token: 'the-access-token', refresh_token: 'the-refresh-token', expires_in: 3600 });
  });
  const api = await startApi(({ headers }) => ({
    ...json(headers['authorization'] === 'Bearer the-access-token' ? ['buy milk'] : []),
    status: headers['authorization'] === 'Bearer the-access-token' ? 200 : 401,
  }));
  const folder = temporaryFolder();
  for (const block of blocksOf(PAGE)) {
    const file = fileOf(block);
    const text = block.text
      .replaceAll('https://id.notes.example', issuer.url)
      .replaceAll('https://api.notes.example', api.url);
    if (file !== undefined) writeFileSync(join(folder, file), text);
  }
  const [compile = '', login = ''] = blocksOf(PAGE)
    .filter(({ info }) => info === 'sh')
    .map(({ text }) => text.trim());
  const compiled = await runInProcess(compile.split(' ').slice(1), { cwd: folder });
  expect(compiled).toMatchObject({ exitCode: 0 });

  const [, main = '', command = ''] = /^node (\S+) (\w+)$/.exec(login) ?? [];
  const [variable = ''] = /OAUTH_CLIENT_ID_ACCOUNT=[\w-]+/.exec(read(PAGE)) ?? [];
  writeFileSync(join(folder, main, '../../.env'), variable);
  const env = { PATH: process.env['PATH'] ?? '', XDG_STATE_HOME: folder };
  const run = (args: string[]) => {
    const child = spawn(process.execPath, [main, ...args], { cwd: folder, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const signing = run([command]);
  const lines: string[] = [];
  for await (const line of createInterface({ input: signing.stdout })) {
    lines.push(line);
    const [startUrl] = /http:\S+/.exec(line) ?? [];
    if (startUrl !== undefined)
      expect(await agree(startUrl, challenges)).toContain(
        'It asks for these scopes: notes:read, offline_access.',
      );
  }
  expect(lines.at(-1)).toMatch(/^account: signed in until 20.*, renewed when needed;/);

  const caller = new Client({ name: 'tests', version: '1.0.0' });
  await caller.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(folder, main)],
      env,
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => caller.close());
  expect(JSON.stringify(await caller.callTool({ name: 'listNotes', arguments: {} }))).toContain('buy milk');

  let stdout = '';
  for await (const chunk of run(['logout']).stdout) stdout += String(chunk);
  expect(stdout).toBe('account: signed out.\n');
});
