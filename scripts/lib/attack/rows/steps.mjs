/** Programs of calls, and workflows: whatever they are made of, they call no more than their caller may, and take no more than their limits. */
import { openGuarded, refusalOf } from '../guarded-server.mjs';
import { bearer } from '../issuer.mjs';
import { ANY_ANSWER, removal } from '../prove/check.mjs';
import { callOf, messageOf, sendModern } from '../session.mjs';
import { jsonAnswer } from '../witness.mjs';

export const family = 'steps';

const readOnly = 'annotations: { readOnlyHint: true }';
const tool = (name, more, work) => `    {
      name: '${name}',
      inputSchema: { type: 'object' },
      ${readOnly},${more}
      handler: async () => {
        ran++;
        ${work}
      },
    },
`;

/** `secret` is for callers with the scope `admin`, and long enough to be kept. */
const tools = [
  tool('peek', '', `return '{"a":{"b":1}}';`),
  tool('wait', '', 'return new Promise((resolve) => setTimeout(resolve, 150, "waited"));'),
  tool('secret', "\n      scopes: ['admin'],", "return 'x'.repeat(70_000);"),
].join('');

const workflows = {
  storeAll: {
    description: 'Stores the things that are found.',
    steps: [
      { id: 'things', call: 'search' },
      {
        ...{ id: 'stored', call: 'store', forEach: '$steps.things.names' },
        arguments: { name: '$item' },
      },
    ],
    result: null,
  },
  trace: { description: 'Reads the trace.', steps: [{ id: 'a', call: 'traced' }], result: '$steps.a' },
};

/** What the API finds. */
let names = ['a'];

/** One program, started twice; the second one serves `touch` and `store` no more. `traced` is an operation, and no tool. */
export async function open(folder) {
  const server = await openGuarded(folder, {
    options: ['--surface', 'both', '--exclude', 'op:traced'],
    features: ['steps'],
    answer: () => jsonAnswer(JSON.stringify({ ok: true, names })),
    ...{ tools, workflows },
  });
  const args = ['--exclude', 'op:touch', '--exclude', 'op:store'];
  const excluding = await openGuarded(folder, { args, like: server });
  return {
    ...server,
    excluding,
    witness: async () => {
      const [one, other] = [await server.witness(), await excluding.witness()];
      return Object.fromEntries(
        Object.entries(one).map(([figure, count]) => [figure, count + other[figure]]),
      );
    },
    close: async () => {
      await excluding.close();
      await server.close();
    },
  };
}

const admin = { sub: 'alice', scope: 'base admin' };

/** `200`, or `refused` in the words that are expected. */
function outcomeOf(answer, reason) {
  if (answer.status !== 200) return refusalOf(answer);
  const { result, error } = messageOf(answer);
  if (result?.inputRequests !== undefined) return 'asked';
  if (error === undefined && result.isError !== true) return '200';
  const text = error?.message ?? result.content[0].text;
  return reason.test(text) ? 'refused' : text.slice(0, 300);
}

const program = (steps, more = {}) => ({ steps, result: null, ...more });
const step = (call, more = {}) => ({ id: 'a', call, ...more });

/** A program that is refused, and nothing is called. */
const refused = (
  name,
  reason,
  args,
  { tool = 'run_read_steps', reaches = {}, at = (target) => target } = {},
) => ({
  ...{ name, want: 'refused', reaches },
  attack: async (target) => outcomeOf(await (await at(target).as(admin)).send(callOf(tool, args)), reason),
});

const NO_PART = /is no part of these steps/;
const UNKNOWN = /Unknown tool/;

const writes = [
  ...['filtered', 'store', 'touch'].map((call) =>
    refused(
      `by the tool that reads: ${call}`,
      NO_PART,
      program([step(call, { arguments: argumentsOf(call) })]),
    ),
  ),
  ...['store', 'touch'].map((call) =>
    refused(
      `by the tool that adds: ${call}`,
      NO_PART,
      program([step(call, { arguments: argumentsOf(call) })]),
      { tool: 'run_write_steps' },
    ),
  ),
  ...['touch', 'store'].map((call) =>
    refused(`excluded: ${call}`, UNKNOWN, program([step(call, { arguments: argumentsOf(call) })]), {
      tool: 'run_write_steps',
      at: ({ excluding }) => excluding,
    }),
  ),
  {
    name: 'excluded: a workflow that calls it',
    want: 'refused',
    attack: async ({ excluding: { url, issuer } }) => {
      const own = bearer(await issuer.token(admin));
      return outcomeOf(await sendModern(url, callOf('storeAll', {}), own), UNKNOWN);
    },
  },
  refused('an operation that only a workflow calls', UNKNOWN, program([step('target:traced')])),
  refused(
    'a program in a program',
    UNKNOWN,
    program([step('run_read_steps', { arguments: program([step('peek')]) })]),
  ),
  {
    name: 'a tool that needs another scope',
    want: '403 insufficient_scope',
    attack: async (target) =>
      outcomeOf(
        await (await target.as({ sub: 'bob' })).send(callOf('run_read_steps', program([step('secret')]))),
        UNKNOWN,
      ),
  },
];

function argumentsOf(call) {
  return call === 'store' ? { name: 'x' } : {};
}

/** Alice keeps an answer; returns its address. */
async function keep(target) {
  const steps = program([step('secret')], { result: '$steps.a' });
  const answer = await (await target.as(admin)).send(callOf('run_read_steps', steps));
  const { uri } = messageOf(answer).result.content.find(({ type }) => type === 'resource_link');
  return uri;
}

const readOf = (uri) => ({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });
const takeOf = (uri) =>
  callOf(
    'run_read_steps',
    program([step('peek', { when: 'false' })], { inputs: { x: uri }, result: '$length($inputs.x)' }),
  );
const stranger = { sub: 'mallory', scope: 'base admin' };
const narrow = { sub: 'alice', scope: 'base' };

const thefts = [
  ['read by another subject', readOf, stranger, 'refused'],
  ['taken as an input by another subject', takeOf, stranger, 'refused'],
  ['read without the scopes of its tool', readOf, narrow, '403 insufficient_scope'],
  ['taken as an input without the scopes of its tool', takeOf, narrow, '403 insufficient_scope'],
  ['read at a guessed address', () => readOf(`kept:///${'A'.repeat(22)}`), stranger, 'refused'],
].map(([name, messageOfUri, claims, want]) => ({
  ...{ name: `a kept answer, ${name}`, want, reaches: { handlers: 1 } },
  attack: async (target) => {
    const message = messageOfUri(await keep(target));
    return outcomeOf(await (await target.as(claims)).send(message), /not found|kept no longer/i);
  },
}));

/** `[[[…]]]`: each `[*,*]` of a tail doubles what it leads to. */
const nested = JSON.parse('['.repeat(17) + '1' + ']'.repeat(17));
const half = 'x'.repeat(10_000);
const thousand = Array.from({ length: 1_000 }, () => '$inputs.x');
const skipped = (at) => ({ id: `s${at}`, call: 'peek', when: 'false' });

const bombs = [
  refused('51 items', /51 items/, program([step('peek', { forEach: Array.from({ length: 51 }, () => 1) })])),
  refused(
    'pages without end',
    /made 50 calls/,
    program([step('peek', { repeat: { while: 'true', with: {}, max: 200 } })]),
    { reaches: { handlers: 50 } },
  ),
  refused('51 steps', /50/, program(Array.from({ length: 51 }, (_, at) => skipped(at)))),
  refused(
    'tails that double 17 times',
    /too many values/,
    program([skipped(0)], { inputs: { x: nested }, result: `$length($inputs.x${'[*,*]'.repeat(17)})` }),
  ),
  refused(
    'a text of 1.2 million characters',
    /characters at most/,
    program([skipped(0)], {
      inputs: { x: Array.from({ length: 1_200 }, () => 'x'), y: half.slice(0, 1_000) },
      result: '$join($inputs.x, $inputs.y)',
    }),
  ),
  refused(
    'arguments of 10 million characters',
    /The arguments would have more/,
    program([step('peek', { arguments: { x: thousand } })], { inputs: { x: half } }),
  ),
  refused(
    'a result of 10 million characters',
    /The result would have more/,
    program([skipped(0)], { inputs: { x: half }, result: thousand }),
  ),
  refused(
    'brackets in brackets',
    /brackets are inside one another/,
    program([step('peek', { when: `${'('.repeat(30)}false${')'.repeat(30)}` })]),
  ),
  refused(
    'an expression of 3,000 characters',
    /2000 characters at most/,
    program([step('peek', { when: `false${' && false'.repeat(350)}` })]),
  ),
  refused('a value in 60 levels', /more than 50 levels/, {
    ...program([skipped(0)]),
    result: JSON.parse('['.repeat(60) + '1' + ']'.repeat(60)),
  }),
];

const others = [
  {
    name: 'members that every object has',
    want: 'nothing',
    reaches: { handlers: 1 },
    attack: async (target) => {
      const result = { a: '$steps.a.constructor.name', b: '$steps.a.a.__proto__.constructor.name' };
      const message = callOf('run_read_steps', program([step('peek')], { result }));
      const { structuredContent } = messageOf(await (await target.as(admin)).send(message)).result;
      const text = JSON.stringify(structuredContent.result);
      return text === '{}' ? 'nothing' : text;
    },
  },
  {
    name: 'a list that is confirmed and then changed',
    want: 'asked',
    reaches: { upstream: 2 },
    attack: async ({ url, issuer }) => {
      const own = bearer(await issuer.token(admin));
      names = ['a'];
      const { inputRequests, requestState } = messageOf(
        await sendModern(url, callOf('storeAll', {}), own),
      ).result;
      names = ['b'];
      const yes = { action: 'accept', content: { confirm: true } };
      const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, yes]));
      return outcomeOf(
        await sendModern(url, callOf('storeAll', {}, { inputResponses, requestState }), own),
        UNKNOWN,
      );
    },
  },
  ...[1, 2, 3].map((count) => ({
    name: `cancelled in step ${count}`,
    want: 'refused',
    reaches: { handlers: count },
    attack: async (target) => {
      const session = await target.as(admin);
      const { handlers } = await target.witness();
      const steps = [1, 2, 3, 4].map((at) => ({ id: `s${at}`, call: 'wait' }));
      const answer = session.send(callOf('run_read_steps', program(steps)));
      while ((await target.witness()).handlers < handlers + count);
      await session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      await new Promise((resolve) => setTimeout(resolve, 800));
      await answer;
      return 'refused';
    },
  })),
];

export const rows = [...writes, ...thefts, ...bombs, ...others];

const BY_ANY = ['if (mayCall(access, effect))', 'if (true)'];
const ANY_LENGTH = ['if (size <= limit)', 'if (true)'];

export const checks = [
  removal(/^by the tool that/, BY_ANY),
  {
    ...removal(/^excluded: a workflow/, [
      'this.isSelected(name, ownMember(this.#bindings.tools, name)) &&',
      '',
    ]),
    // Its question is sent, since the workflow is there.
    admits: /wanted refused, got asked/,
  },
  removal(
    /^excluded: (?!a workflow)/,
    ['this.isSelected(name, ownMember(this.#bindings.tools, name)) &&', ''],
    BY_ANY,
  ),
  removal(
    /^an operation that only a workflow/,
    ['isWorkflow ? findUnlisted(server, name)', 'true ? findUnlisted(server, name)'],
    BY_ANY,
  ),
  removal(/^a program in a program/, [
    'tools.has(name) ? findTool(server, name, request)',
    'true ? findTool(server, name, request)',
  ]),
  removal(/another scope/, ['this.#scopes.missing(auth.scopes, needs)', 'undefined']),
  removal(/by another subject/, [' || answer.subject !== caller?.subject', '']),
  removal(/without the scopes/, ['caller?.require?.(answer.needs);', '']),
  removal(
    /guessed address/,
    ['this.#answers.get(id)', '[...this.#answers.values()][0]'],
    [' || answer.subject !== caller?.subject', ''],
  ),
  removal(/^51 items/, ['if (items.length <= room)', 'if (true)']),
  removal(/^pages without end/, ['this.#calls >= STEP_LIMITS.calls', 'false']),
  removal(/^51 steps/, ['maxItems: MAX_STEPS', 'maxItems: 1_000']),
  removal(/^tails that double/, ['(this.#left -= work) < 0', 'false']),
  removal(/^a text of/, ['size > MAX_TEXT', 'false'], ANY_LENGTH),
  removal(/of 10 million/, ANY_LENGTH),
  removal(/^brackets/, ['++this.#depth > MAX_DEPTH', 'false']),
  removal(/^an expression/, ['this.#text.length > MAX_CHARACTERS', 'false']),
  removal(/^a value in/, ['level > MAX_LEVELS', 'false']),
  {
    ...removal(/^members that/, [
      'isRecord(node) ? ownMember(node, selector.name) : undefined',
      'node?.[selector.name]',
    ]),
    // Nothing else is called.
    admits: /wanted nothing, got/,
  },
  removal(
    /^a list that is confirmed/,
    ANY_ANSWER,
    ['`confirm ${hashParams({ ...about })}`', '"confirm"'],
    ['state.params === params && ', ''],
  ),
  removal(
    /^cancelled in step/,
    ["work.onCancel(() => this.#stop('The steps were cancelled.'))", '() => undefined'],
    // Each call ends with its request, too.
    ['work.onCancel(() => resolve(cancelledOutcome()))', '() => undefined'],
    [
      'return;\n            const outcome = Promise.resolve().then(run);',
      ';\n const outcome = Promise.resolve().then(run);',
    ],
  ),
];
