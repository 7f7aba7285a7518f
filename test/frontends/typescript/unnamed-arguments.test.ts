// Members that a type does not name: the guide says where they are refused, and how to have them refused.
import { beforeAll, expect, test } from 'vitest';
import { compileSchema } from '../../runtime/schema/validator.ts';
import { compileFiles } from './compile-files.ts';

const id = { id: 77, name: 'x' };
const closed = '{"type":"object","properties":{"name":{"type":"string"}},"additionalProperties":false}';

/** Parameters of a tool, arguments of a call, and what its schema refuses. */
const rows: [parameters: string, args: object, want: string[]][] = [
  ['name: string', id, ['`id` is not a known property; known are `name`']],
  ['patch: Named', id, ['`id` is not a known property; known are `name`']],
  ['patch: Named, at: number', { patch: id, at: 1 }, []],
  ['patch: Named[], at: number', { patch: [id], at: 1 }, []],
  ["patch: Partial<Omit<Customer, 'id'>>, at: number", { patch: id, at: 1 }, []],
  [
    "patch: Omit<Customer, 'id'> & { id?: never }, at: number",
    { patch: id, at: 1 },
    ['`patch.id` must not be given'],
  ],
  [
    `/** @schema ${closed} */ patch: Named, at: number`,
    { patch: id, at: 1 },
    ['`patch.id` is not a known property; known are `name`'],
  ],
];

let schemas: unknown[];
beforeAll(async () => {
  const functions = rows.map(
    ([parameters], index) => `/** T. @tool */ export function t${index}(${parameters}): void {}`,
  );
  const types = 'interface Customer { id: number; name: string }\ninterface Named { name: string }';
  const { model, problems } = await compileFiles({ 'a.ts': [types, ...functions].join('\n') });
  expect(problems).toEqual([]);
  schemas = model?.tools.map(({ inputSchema }) => inputSchema) ?? [];
});

test.each(rows.map((row, index) => [...row, index] as const))(
  '(%s) called with %j',
  (_, args, want, index) => {
    const schema = schemas[index] ?? false;
    expect(compileSchema(schema)(args).map(({ message }) => message)).toEqual(want);
  },
);
