import { expect, test } from 'vitest';
import { escapeReferences, fillInVariables } from '../../../src/config/load/interpolate.ts';

const env = { DIR: 'apis', EMPTY: '', COST: '${DIR}', NAME_2: 'two' };

test.each([
  { given: '${DIR}/a.yaml', want: 'apis/a.yaml' },
  { given: '${DIR}${NAME_2}', want: 'apistwo' },
  { given: '${EMPTY}', want: '' },
  { given: '${EMPTY:-a}', want: 'a' },
  { given: '${GONE:-a}', want: 'a' },
  { given: '${GONE:-}', want: '' },
  { given: '${GONE:-https://a.test:8080/-}', want: 'https://a.test:8080/-' },
  { given: '${DIR:-a}', want: 'apis' },
  { given: '$${DIR}', want: '${DIR}' },
  { given: '$$${DIR}', want: '$${DIR}' },
  { given: '$DIR {DIR} $ $$', want: '$DIR {DIR} $ $$' },
  // A variable's value is not text of the configuration.
  { given: '${COST}', want: '${DIR}' },
  { given: ['${DIR}', 3, null, { '${DIR}': '${DIR}' }], want: ['apis', 3, null, { '${DIR}': 'apis' }] },
  // The server reads variables of its headers when it runs.
  {
    given: { headers: { A: '${DIR}' }, sources: [{ headers: { A: '${GONE} $${' } }] },
    want: { headers: { A: '${DIR}' }, sources: [{ headers: { A: '${GONE} $${' } }] },
  },
  { given: { servers: { headers: { name: '${DIR}' } } }, want: { servers: { headers: { name: 'apis' } } } },
])('$given is $want', ({ given, want }) => {
  expect(fillInVariables(given, env)).toMatchObject({ value: want, unset: [], faults: [] });
});

test('variables that are not set are told with their places, and so is what names none', () => {
  const given = { a: ['x', '${GONE}/${ALSO_GONE}'], b: '${toString}', c: '${a b}', d: '${', e: '${DIR-x}' };
  const { value, unset, faults, variables } = fillInVariables(given, env);
  expect(value).toEqual(given);
  expect(unset).toEqual([
    { path: ['a', 1], name: 'GONE' },
    { path: ['a', 1], name: 'ALSO_GONE' },
    { path: ['b'], name: 'toString' },
  ]);
  expect(faults.map(({ path }) => path)).toEqual([['c'], ['d'], ['e']]);
  expect(faults[0]?.problem).toContain('has "${a b}", which names no variable: write ${NAME}');
  expect(variables).toEqual({});
});

test('variables that were put in are known; defaults are none', () => {
  expect(fillInVariables(['${DIR}', '${GONE:-x}'], env).variables).toEqual({ DIR: 'apis' });
});

test('what is asWritten is read as it was', () => {
  const value = { a: '${DIR} $${x} ${', b: ['$', { c: '${GONE}' }], d: 3, headers: { A: '${GONE} $${' } };
  expect(fillInVariables(escapeReferences(value), env).value).toEqual(value);
});

test('a value of an argument is not filled in', () => {
  const given = { tools: { list: { arguments: { dir: { const: ['${DIR}'] } } } } };
  const { value, faults, variables } = fillInVariables(given, env);
  expect(value).toEqual(given);
  expect(variables).toEqual({});
  expect(faults).toEqual([
    {
      path: ['tools', 'list', 'arguments', 'dir', 'const', 0],
      problem: expect.stringContaining('{ "env": "NAME" }'),
    },
  ]);
});
