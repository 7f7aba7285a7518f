// What steps leave behind sends nothing: a call that goes on after their time is over.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import { gate } from '../runtime/client.ts';
import { fixtures } from '../support/fixture-documents.ts';
import { serveModel } from './serve-document.ts';

test('a handler that goes on after the time of its steps sends nothing', async () => {
  const { model } = await compile({ source: join(fixtures, 'petstore.yaml') });
  if (model === undefined) throw new Error('the petstore does not compile');
  const { open, opened } = gate();
  const lines: string[] = [];
  let late: Promise<unknown> | undefined;
  const getPet = async (_: unknown, __: unknown, next: () => Promise<unknown>): Promise<unknown> => {
    late = opened.then(next);
    return late;
  };
  const served = await serveModel(
    model,
    ({ line }) => {
      lines.push(line);
      return 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
    },
    { hasSteps: true, handlers: { tools: { getPet } }, limits: { ms: 20 } },
  );
  onTestFinished(served.close);
  const program = { steps: [{ id: 'a', call: 'getPet', arguments: { petId: 1 } }], result: null };
  const { words } = await served.call('run_read_steps', program);
  expect(words).toContain('The step a failed: The steps took longer than 0.02 seconds.');
  open();
  expect(await late).toMatchObject({
    isError: true,
    content: [{ text: 'Nothing was sent: the steps that made this call are over.' }],
  });
  expect(lines).toEqual([]);
  expect(await served.call('getPet', { petId: 1 })).toMatchObject({ sent: ['GET /pets/1'] });
});
