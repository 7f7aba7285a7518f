// Exported instances: their tagged methods as bindings, and what is said where there is none.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

const CLASS = `class Notes {
  constructor(readonly folder: string) {}
  /** Adds. @tool */
  add(text: string): string { return this.folder + text; }
}`;

interface Row {
  what: string;
  code: string;
  /** `tool export.method`. */
  want: string[];
}

test.each<Row>([
  { what: 'arguments', code: `${CLASS}\nexport const notes = new Notes('a');`, want: ['add notes.add'] },
  {
    what: 'an exported class',
    code: `export ${CLASS}\nexport const notes = new Notes('a');`,
    want: ['add notes.add'],
  },
  {
    what: 'a factory',
    code: `${CLASS}\nconst open = (): Notes => new Notes('a');\nexport const notes = open();`,
    want: ['add notes.add'],
  },
  {
    what: 'a factory of objects',
    code: 'const open = (n: number) => ({\n/** @tool */\nadd(): number { return n; } });\nexport const notes = open(1);',
    want: ['add notes.add'],
  },
  { what: 'a default export', code: `${CLASS}\nexport default new Notes('a');`, want: ['add default.add'] },
  {
    what: 'a renamed export',
    code: `${CLASS}\nconst notes = new Notes('a');\nexport { notes as all };`,
    want: ['add all.add'],
  },
  {
    what: 'a promise',
    code: `${CLASS}\nexport const notes = Promise.resolve(new Notes('a'));`,
    want: ['add notes.add'],
  },
  {
    what: 'an awaited promise',
    code: `${CLASS}\nexport const notes = await Promise.resolve(new Notes('a'));`,
    want: ['add notes.add'],
  },
  {
    what: 'two with prefixes',
    code: `${CLASS}\n/** @prefix work_ */\nexport const a = new Notes('a');\n/** @prefix home. */\nexport const b = new Notes('b');`,
    want: ['work_add a.add', 'home_add b.add'],
  },
  {
    what: 'an instance of a class that extends a generic one, with an override',
    code: `abstract class Base<T> {\n/** @tool */\nfirst(a: T): T { return a; }\n/** @tool b */\nabstract second(): string; }
class Sub extends Base<string> { second(): string { return ''; } }\nexport const sub = new Sub();`,
    want: ['first sub.first', 'b sub.second'],
  },
  {
    what: 'an instance known by an interface',
    code: `interface Store { add(text: string): string }\n${CLASS}\nexport const notes: Store = new Notes('a');`,
    want: ['add notes.add'],
  },
  {
    what: 'an instance cast to an interface',
    code: `interface Store { add(text: string): string }\n${CLASS}\nexport const notes = new Notes('a') as Store;`,
    want: ['add notes.add'],
  },
  {
    what: 'a frozen instance',
    code: `${CLASS}\nexport const notes = Object.freeze(new Notes('a'));`,
    want: ['add notes.add'],
  },
  {
    what: 'an instance that may be absent',
    code: `${CLASS}\nexport const notes: Notes | undefined = Math.random() < 2 ? new Notes('a') : undefined;`,
    want: ['add notes.add'],
  },
  {
    what: 'an instance in a pattern',
    code: `${CLASS}\nexport const { notes } = { notes: new Notes('a') };`,
    want: ['add notes.add'],
  },
  {
    what: 'a prefix before an export list',
    code: `${CLASS}\nconst a = new Notes('a');\nconst b = new Notes('b');\n/** @prefix work_ */\nexport { a };\nexport { /** @prefix home_ */ b };`,
    want: ['work_add a.add', 'home_add b.add'],
  },
])('$what', async ({ code, want }) => {
  const { model, messages } = await compileFiles({ 'a.ts': code });
  expect(messages.filter((each) => !each.includes('name-cleaned'))).toEqual([]);
  const found = model?.tools.map(({ name, binding }) =>
    binding.kind === 'function' ? `${name} ${binding.export}.${String(binding.method)}` : name,
  );
  expect(found).toEqual(want);
});

test('prompts and completions have the prefix of their instance', async () => {
  const { model, messages } = await compileFiles({
    'a.ts': `class Plans {
  constructor(readonly name: string) {}
  /** @prompt plan */
  plan(city: string): string { return city; }
  /** @complete plan.city */
  cities(): string[] { return [this.name]; }
}
/** @prefix one_ */
export const one = new Plans('1');
/** @prefix two_ */
export const two = new Plans('2');`,
  });
  expect(messages).toEqual([]);
  expect(model?.prompts.map(({ name }) => name)).toEqual(['one_plan', 'two_plan']);
  expect(model?.completions.map(({ ref, from }) => [ref, 'export' in from && from.export])).toMatchObject([
    [{ name: 'one_plan' }, 'one'],
    [{ name: 'two_plan' }, 'two'],
  ]);
});

test.each([
  {
    code: CLASS,
    want: /^a\.ts:3:\d+ warning idle-tag/,
    hint: 'Export the function, or the class, the object or an instance that has the method.',
  },
  {
    code: `export ${CLASS}`,
    want: /^a\.ts:1:14 error class-not-constructible.*: The server cannot create an instance of Notes: its constructor needs arguments/,
    hint: 'Export an instance, such as `export const one = new Notes(…)`: its methods are served.',
  },
  {
    code: `${CLASS}\n/** @prefix a b */\nexport const notes = new Notes('a');`,
    want: /^a\.ts:6:5 error bad-tag: @prefix takes one word/,
  },
  {
    code: `${CLASS}\nexport const a = new Notes('a');\nexport const b = new Notes('b');`,
    want: /name-taken/,
    hint: 'put `@prefix one_` before one of two instances.',
  },
  {
    code: `export class Notes {\n  private constructor() {}\n  /** @tool */ list(): void {}\n}`,
    want: /class-not-constructible.*: its constructor is not public/,
    hint: '`export const one = Notes.create()`: its methods are served.',
  },
])('$code is told', async ({ code, want, hint }) => {
  const { messages, hints } = await compileFiles({ 'a.ts': code });
  expect(messages.filter((each) => !each.includes('no-tagged-export'))).toEqual([
    expect.stringMatching(want),
  ]);
  if (hint !== undefined) expect(hints.join('\n')).toContain(hint);
});
