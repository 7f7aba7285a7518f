// Types that lead to one another by thousands of steps are reported, whoever has no room for them.
import { expect, test } from 'vitest';
import { compileFiles } from './compile-files.ts';

interface Row {
  /** The declaration at one place of the chain. */
  given: (at: number) => string;
  links: number;
  want: string[];
}

const rows: Row[] = [
  {
    given: (at) => `interface A${at} { next: A${at + 1} }`,
    links: 1_000,
    want: ['a.ts:1003:19 error type-too-large'],
  },
  { given: (at) => `type A${at} = A${at + 1}[];`, links: 1_000, want: ['a.ts:1003:19 error type-too-large'] },
  { given: (at) => `type A${at} = A${at + 1};`, links: 100, want: [] },
  {
    given: (at) => `interface A${at} extends A${at + 1} { m${at}?: string }`,
    links: 300,
    want: [],
  },
];

test.each(rows.map((row) => ({ ...row, first: row.given(0) })))(
  '$links links: $first',
  async ({ given, links, want }) => {
    const chain = Array.from({ length: links }, (_, at) => given(at));
    const { problems } = await compileFiles({
      'a.ts': [
        ...chain,
        `interface A${links} { id: string }`,
        '/** @tool */',
        'export function f(a: A0, b: string): void { void [a, b]; }',
      ].join('\n'),
    });
    expect(problems).toEqual(want);
  },
);
