/** A document of a million characters is judged in a thread. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startValidation } from '../../../src/frontends/openapi/start-validation.ts';
import { packageRoot } from '../../../src/util/version.ts';

/** The flag has its short name since Node 22.13. */
const PERMISSIONS = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

const description = 'x'.repeat(1_000_000);
const text = JSON.stringify({ openapi: '3.0.3', info: { title: 'Large', version: '1', description } });

test('whoever waits for the thread hears a signal', async () => {
  const controller = new AbortController();
  const { finish, stop } = startValidation(text, 'large.json', controller.signal);
  controller.abort(new Error('Stopped.'));
  await expect(finish()).rejects.toThrow('Stopped.');
  stop();
});

test('a thread that ends without an answer keeps nobody waiting', async () => {
  const { finish, stop } = startValidation(text, 'large.json');
  stop();
  await expect(finish()).rejects.toThrow('The thread ended without an answer.');
});

test.each([
  ['a script in the arguments of Node starts the thread too', []],
  ['a process that may start no thread judges the document itself', [PERMISSIONS, '--allow-fs-read=*']],
])('%s', async (_, options) => {
  const module = new URL('dist/src/frontends/openapi/start-validation.js', packageRoot());
  const script = `
    import { startValidation } from ${JSON.stringify(module.href)};
    const text = '{"openapi":"3.0.3","info":{"description":"' + 'x'.repeat(1_000_000) + '"}}';
    console.log(JSON.stringify(await startValidation(text, 'large.json').finish()));
  `;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [...options, '--input-type=module', '--eval', script]);
  expect(JSON.parse(stdout)).toMatchObject({
    faults: expect.arrayContaining([{ pointer: '/info', problem: expect.any(String) }]),
  });
});
