// docs/steps.md: its program and its workflow make the requests and get the answers that the page shows.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compile } from '../../src/api/compile.ts';
import { compileSound, compileWorkflows } from '../support/compile-workflows.ts';
import { fixtures } from '../support/fixture-documents.ts';
import { serveModel } from '../wire/serve-document.ts';
import { blocksOf, read } from './blocks.ts';

const blockOf = (title: string): string =>
  blocksOf('docs/steps.md').find(({ info }) => info.endsWith(`title=${title}`))?.text ?? '';

const order = (id: number, petId: number) => ({
  ...{ id: `ord-${id}`, petId, customer: 'ada', state: 'placed', placedAt: '2026-01-01T00:00:00Z' },
});
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/orders?state=placed': { items: [order(1, 1), order(2, 2)], nextCursor: 'c2' },
  '/orders?state=placed&cursor=c2': { items: [order(3, 1)] },
  '/pets/1': { id: 1, name: 'Minka', species: 'cat', status: 'available', tags: [], hasPhoto: false },
  '/pets/2': { id: 2, name: 'Kiki', species: 'parrot', status: 'available', tags: [], hasPhoto: false },
};

test('the program of the page', async () => {
  const { model } = await compile({ source: join(fixtures, 'petstore.yaml') });
  if (model === undefined) throw new Error('the petstore does not compile');
  const served = await serveModel(
    model,
    ({ line }) => {
      const body = JSON.stringify(ANSWERS[line.split(' ')[1]?.replace(/^\/v1/, '') ?? ''] ?? { title: line });
      return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    },
    { hasSteps: true },
  );
  onTestFinished(served.close);
  const { words, sent } = await served.call('run_read_steps', blockOf('program'));
  const answer = JSON.parse(words) as { steps: { ms: number }[] };
  for (const step of answer.steps) step.ms = 0;
  expect(answer).toEqual(JSON.parse(blockOf('answer')));
  expect(sent.map((request) => request.split('\n')[0])).toEqual(
    Object.keys(ANSWERS).map((path) => `GET ${path}`),
  );
});

test('the faults that the page shows', async () => {
  const { model } = await compile({ source: join(fixtures, 'petstore.yaml') });
  if (model === undefined) throw new Error('the petstore does not compile');
  const served = await serveModel(model, undefined, { hasSteps: true });
  onTestFinished(served.close);
  const program = JSON.parse(blockOf('program').replace('orders.items)', 'orders.itms)')) as {
    steps: { call: string }[];
  };
  const faults = await served.call('run_read_steps', program);
  expect(faults.words).toContain('- result.orders: $steps.orders has no member itms. Did you mean items?');
  if (program.steps[0]) program.steps[0].call = 'listOrder';
  const { words, sent } = await served.call('run_read_steps', program);
  expect(words).toContain('- steps[0].call: Unknown tool: listOrder. Did you mean "listOrders"?');
  expect(sent).toEqual([]);
});

const workflows = (): string => blockOf('shop/workflows.yaml');

test('the workflow of the page asks once, and cancels what was confirmed', async () => {
  const model = await compileSound({ 'workflows.yaml': workflows() });
  const items = [order(1, 1), { ...order(2, 2), customer: 'eve' }, order(3, 1)];
  const answer = ({ line }: { line: string }): string => {
    const [, id] = /^POST \/\w*\/?orders\/([\w-]+)\/cancel/.exec(line) ?? [];
    const body = JSON.stringify(id === undefined ? { items } : { ...order(1, 1), id, state: 'cancelled' });
    return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  };
  const served = await serveModel(model, answer, { userAnswers: [true] });
  onTestFinished(served.close);
  const { asked, words, sent, isError } = await served.call('cancelOrdersOf', { customer: 'ada' });
  expect(`${asked.join('\n')}\n`).toBe(blockOf('question'));
  expect([isError, JSON.parse(words)]).toEqual([false, { cancelled: ['ord-1', 'ord-3'] }]);
  expect(sent.map((request) => request.split('\n')[0])).toEqual([
    'GET /orders?state=placed&limit=50',
    'POST /orders/ord-1/cancel',
    'POST /orders/ord-3/cancel',
  ]);
});

test('the fault that the page shows', async () => {
  const text = workflows().replace('call: listOrders', 'call: listOrder');
  const { diagnostics } = await compileWorkflows({ 'workflows.yaml': text });
  const [, shown = ''] = /MCPG145 workflow-fault\n(.*)\n/.exec(read('docs/steps.md')) ?? [];
  expect(diagnostics.find(({ name }) => name === 'workflow-fault')).toMatchObject({
    message: shown,
    origin: { file: 'workflows.yaml', pointer: '/cancelOrdersOf/steps/0/call' },
  });
});
