// Rule 4: the revision that is agreed on, and what each side may use of the other.
// A modern version that is not supported: eras.test.ts, and its status: ../transports.test.ts.
import { expect, test } from 'vitest';
import type { Handlers } from '../../../templates/runtime/types.ts';
import { NEWEST_LEGACY } from './speaking.ts';
import { hello } from '../harness.ts';
import { answered, failure, isModern, LEGACY_LINES, type Line, LINES, open } from './lines.ts';
import type { Work } from './subject.ts';

const OTHERS = ['2026-07-28', '2024-10-07', '2099-01-01', '1.0', '', 'newest'];

test.each(LEGACY_LINES.filter(({ revision }) => revision === NEWEST_LEGACY))(
  '$transport: a client that asks for another gets $revision',
  async (line) => {
    for (const asked of OTHERS) {
      const { request, ask } = await open(line, {
        work: ({ client }) => client.revision,
        stage: 'connected',
      });
      const { status, reply } = await ask(request(1, 'initialize', hello(asked)));
      expect([status, reply.result?.['protocolVersion']]).toEqual([answered(line), line.revision]);
      const called = await ask(request(2, 'tools/call', { name: 'x' }));
      expect(called.reply.result).toEqual({ content: [{ type: 'text', text: line.revision }] });
    }
  },
);

const ASKS = {
  form: ({ elicit }) => elicit('Sure?', { type: 'object' }),
  page: ({ elicitUrl }) => elicitUrl('Sign in', 'https://example.com/in'),
  model: ({ sample }) => sample({ messages: [], maxTokens: 1 }),
  tools: ({ sample }) => sample({ messages: [], maxTokens: 1, tools: [] }),
  choice: ({ sample }) => sample({ messages: [], maxTokens: 1, toolChoice: { mode: 'auto' } }),
  roots: ({ roots }) => roots(),
} satisfies Record<string, Work>;

const NO_FORM = 'The client cannot show its user a form.';
const NO_PAGE = 'The client cannot show its user a page.';
const NO_MODEL = 'The client has no model to offer.';
const NO_TOOLS = "The client's model cannot use tools.";
const NO_ROOTS = 'The client has no roots to tell.';
const FORM = { elicitation: {} };
const PAGE = { elicitation: { url: {} } };
const MODEL = { sampling: {} };
const TOOLS = { sampling: { tools: {} } };
const ROOTS = { roots: {} };

/** What is asked, what the client declares, the words where that is not enough, and what would be. */
const REFUSED: [keyof typeof ASKS, object, string, object][] = [
  ['form', {}, NO_FORM, FORM],
  ['form', PAGE, NO_FORM, FORM],
  ['form', { elicitation: [] }, NO_FORM, FORM],
  ['page', {}, NO_PAGE, PAGE],
  ['page', FORM, NO_PAGE, PAGE],
  ['page', { elicitation: { form: {} } }, NO_PAGE, PAGE],
  ['model', {}, NO_MODEL, MODEL],
  ['model', { sampling: null }, NO_MODEL, MODEL],
  ['tools', MODEL, NO_TOOLS, TOOLS],
  ['choice', MODEL, NO_TOOLS, TOOLS],
  ['roots', {}, NO_ROOTS, ROOTS],
];

/** What is asked, what the client declares, since when that is known, and the words before. */
const ASKED: [keyof typeof ASKS, object, string, string][] = [
  ['form', FORM, '2025-06-18', NO_FORM],
  ['form', { elicitation: { form: {} } }, '2025-06-18', NO_FORM],
  ['page', PAGE, '2025-11-25', NO_PAGE],
  ['page', { elicitation: { form: {}, url: {} } }, '2025-11-25', NO_PAGE],
  ['model', MODEL, '2024-11-05', ''],
  ['tools', TOOLS, '2025-11-25', NO_TOOLS],
  ['choice', TOOLS, '2025-11-25', NO_TOOLS],
  ['roots', ROOTS, '2024-11-05', ''],
];

/** A legacy client is told in words, a modern one what it must declare; neither is asked. */
async function expectRefusal(line: Line, work: Work, capabilities: object, words: string, required: object) {
  const { request, ask, silence, ran } = await open(line, { work, capabilities });
  const { status, reply } = await ask(request(1, 'tools/call', { name: 'x' }));
  const isStatusOfHttp = isModern(line) && line.transport === 'http';
  expect([status, reply]).toEqual([
    isStatusOfHttp ? 400 : answered(line),
    isModern(line)
      ? {
          jsonrpc: '2.0',
          id: 1,
          error: { code: -32021, message: words, data: { requiredCapabilities: required } },
        }
      : { jsonrpc: '2.0', id: 1, result: { isError: true, content: [{ type: 'text', text: words }] } },
  ]);
  expect([await silence(), ran()]).toEqual([[reply], 1]);
}

test.each(LINES)('$transport, $revision: nothing is asked that is not declared', async (line) => {
  for (const [name, capabilities, words, required] of REFUSED)
    await expectRefusal(line, ASKS[name], capabilities, words, required);
  for (const [name, capabilities, , words] of ASKED.filter(([, , each]) => line.revision < each))
    await expectRefusal(line, ASKS[name], capabilities, words, {});
});

test.each(LINES)('$transport, $revision: what is declared is asked', async (line) => {
  for (const [name, capabilities, since] of ASKED.filter(([, , each]) => line.revision >= each)) {
    const { request, tell, inbox } = await open(line, { work: ASKS[name], capabilities });
    const call = tell(request('call', 'tools/call', { name: 'x' }));
    if (isModern(line)) {
      expect((await inbox.answerTo('call'))['result']).toMatchObject({
        resultType: 'input_required',
        inputRequests: { 'ask-1': { method: METHODS[name] } },
      });
    } else {
      const { id } = await inbox.find(({ method }) => method === METHODS[name]);
      await tell({ jsonrpc: '2.0', id, error: { code: 1, message: since } });
      const words = `The client answered ${METHODS[name]} with the error 1: ${since}`;
      expect(await inbox.answerTo('call')).toMatchObject({ result: { content: [{ text: words }] } });
    }
    await call;
  }
});

const METHODS: Record<keyof typeof ASKS, string> = {
  form: 'elicitation/create',
  page: 'elicitation/create',
  model: 'sampling/createMessage',
  tools: 'sampling/createMessage',
  choice: 'sampling/createMessage',
  roots: 'roots/list',
};

const EMPTY = { extraTools: [], prompts: {}, resources: {}, resourceTemplates: {}, completions: {} };
const read = () => 'x';
const tool = { name: 'a', inputSchema: { type: 'object' as const }, handler: () => 'x' };
const prompts = { p: { arguments: [{ name: 'who' }], handler: () => 'x' } };
const completions = { p: { who: () => [] } };
const started = () => undefined;
const EXTENSION = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const CORE_TASKS = { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
const tasksIn = (revision: string) => ({ '2025-11-25': CORE_TASKS, '2026-07-28': EXTENSION })[revision] ?? {};

/** What a project has, and what it declares beside logging. */
const DECLARED: [string, Handlers<object>, (revision: string) => object][] = [
  ['nothing', {}, () => ({})],
  ['a tool', { extraTools: [tool] }, () => ({ tools: {} })],
  ['a resource', { resources: { 'own://r': { name: 'r', read } } }, () => ({ resources: {} })],
  ['a template', { resourceTemplates: { 'own://{t}': { name: 't', read } } }, () => ({ resources: {} })],
  ['a prompt', { prompts }, () => ({ prompts: {} })],
  [
    'a prompt that completes',
    { prompts, completions },
    (revision) => ({ prompts: {}, ...(revision === '2024-11-05' ? {} : { completions: {} }) }),
  ],
  [
    'a tool that runs as a task',
    { extraTools: [{ ...tool, execution: { taskSupport: 'optional' } }] },
    (revision) => ({ tools: {}, ...tasksIn(revision) }),
  ],
  [
    'what changes',
    { extraTools: [tool], resources: { 'own://r': { name: 'r', read } }, started },
    () => ({ tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } }),
  ],
];

test.each(LINES)('$transport, $revision: only what the project has is declared', async (line) => {
  for (const [, handlers, declared] of DECLARED) {
    const parts = { handlers: { ...EMPTY, ...handlers } };
    const { request, ask } = await open(line, { parts, stage: 'connected' });
    const opening = isModern(line)
      ? request(1, 'server/discover')
      : request(1, 'initialize', hello(line.revision));
    const { reply } = await ask(opening);
    expect(reply.result?.['capabilities']).toEqual({ logging: {}, ...declared(line.revision) });
  }
});

const NEEDS: [string, string][] = [
  ['tools', 'tools/list'],
  ['tools', 'tools/call'],
  ['resources', 'resources/list'],
  ['resources', 'resources/templates/list'],
  ['resources', 'resources/read'],
  ['prompts', 'prompts/list'],
  ['prompts', 'prompts/get'],
  ['completions', 'completion/complete'],
];
const SESSION_NEEDS: [string, string][] = [
  ['resources', 'resources/subscribe'],
  ['resources', 'resources/unsubscribe'],
];

test.each(LINES)('$transport, $revision: what is not declared is not served', async (line) => {
  const { request, ask } = await open(line, { parts: { handlers: EMPTY } });
  const isTold = isModern(line) && line.transport === 'http';
  for (const [capability, method] of [...NEEDS, ...(isModern(line) ? [] : SESSION_NEEDS)])
    expect(await ask(request(1, method, { name: 'x', uri: 'own://r' }))).toEqual({
      status: isTold ? 404 : answered(line),
      reply: failure(-32601, `This server has no ${capability}.`, 1),
    });
});
