// Patterns end: the work is counted in steps, so no row can hang whatever the machine.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countWays } from '../../../templates/runtime/contract/patterns.ts';
import {
  classifyPattern,
  compileProgram,
  makePattern,
  runProgram,
} from '../../../templates/runtime/contract/regex/linear-patterns.ts';
import { parseRegex, type RegexNode } from '../../../templates/runtime/contract/regex/parse-regex.ts';
import { compileSchema } from '../../../templates/runtime/schema/compile-schema.ts';

class Counter {
  units = 0;
  spendSteps(units: number): void {
    this.units += units;
  }
}

/** Patterns that are known to run away, and a text that makes them. */
const attacks: [pattern: string, text: string][] = [
  ['^(a+)+$', 'a'.repeat(5_000) + '!'],
  ['^(a*)*$', 'a'.repeat(5_000) + '!'],
  ['^(a|a)*b$', 'a'.repeat(5_000)],
  ['^(a|aa)+$', 'a'.repeat(5_000) + '!'],
  ['^(a|a?)+$', 'a'.repeat(5_000) + '!'],
  ['^(.*a){25}$', 'a'.repeat(5_000) + '!'],
  ['(.*)*x', 'a'.repeat(5_000)],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(5_000)],
  ['^(a?){30}a{30}b$', 'a'.repeat(5_000)],
  [`^${'a?'.repeat(40)}${'a'.repeat(40)}b$`, 'a'.repeat(5_000)],
  [`^${'(?:a|a)'.repeat(40)}b$`, 'a'.repeat(5_000)],
  ['^(\\w+\\s?)*$', 'word '.repeat(1_000) + '!'],
  ['^(x+x+)+y$', 'x'.repeat(5_000)],
  ['^((ab)*)+$', 'ab'.repeat(2_500) + '!'],
  ['^(a?b?)*c$', 'ab'.repeat(2_500)],
  ['^((a?)+b)+$', 'ab'.repeat(2_500) + '!'],
  ['^([0-9]+,?)+$', '1'.repeat(5_000) + 'x'],
  ['^(?:[a-z0-9]+[._-]?)+@example$', 'a'.repeat(5_000)],
  ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$', 'a'.repeat(5_000)],
  ['^(\\p{L}+)+$', 'é'.repeat(5_000) + '!'],
  ['^(?:\\p{L}|[a-z])*!$', 'a'.repeat(5_000)],
  ['^(?=(a+)+$).*$', 'a'.repeat(5_000) + '!'],
  ['^(?!(a+)+$)b', 'a'.repeat(5_000) + '!'],
  ['(?<=(a+)+b)c', 'a'.repeat(5_000)],
  ['\\s+$', ' '.repeat(50_000) + 'x'],
  ['a+b', 'a'.repeat(50_000)],
  ['^.*.*=.*$', 'x'.repeat(50_000)],
  ['^a*a*a*a*b$', 'a'.repeat(50_000)],
  ['^\\d+[0-9]*\\d*x$', '1'.repeat(50_000)],
  ['[a-z]+_token_[0-9]+', 'a'.repeat(50_000)],
  ['^(?:.|\\n)*end(?:.|\\n)*stop$', 'end'.repeat(15_000)],
];

test.each(attacks)('%s is not left to the engine', (pattern, text) => {
  expect(classifyPattern(pattern)).toBe('guarded');
  const meter = new Counter();
  expect(makePattern(pattern).test(text, meter)).toBe(false);
  expect(meter.units).toBeLessThan(2_000_000);
});

test.each([
  '^[a-z]+$',
  '^[A-Z]{2}-\\d{4}$',
  '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$',
  '^#(([0-9a-fA-F]{2}){3}|([0-9a-fA-F]){3})$',
  '^([0-9]+([.][0-9]+)?(ns|us|µs|ms|s|m|h))+$',
  '^(?=.*[A-Z])(?=.*\\d)',
  '^/?[a-zA-Z0-9][a-zA-Z0-9_.-]+$',
  '^a{1,99999}$',
  '^[a-z]+(?:-[a-z]+)*$',
  '^\\p{L}+\\d*$',
  '^(?:foo|foobar|foobaz)$',
  '[0-9]{3,4}',
  '^https://',
  '',
])('%s is left to the engine', (pattern) => {
  expect(classifyPattern(pattern)).toBe('linear');
});

test.each(['^(.)\\1$', '^(?<q>a)\\k<q>$', `^${'(?:(?:a{1,100}){1,100}){1,100}'}$`])(
  '%s is not run',
  (pattern) => {
    expect(classifyPattern(pattern)).toBe('unsafe');
    expect(compileSchema({ pattern })('no match')).toEqual([]);
  },
);

test.each<[string, number | undefined]>([
  ['^[a-z]+$', 1],
  ['^[A-Z]{2}-\\d{4}$', 1],
  ['^(?:asc|desc|none)$', 3],
  ['^\\d{1,3}(?:\\.\\d{1,3}){3}$', 81],
  ['^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 1],
  ['^https?://.*', 2],
  ['[0-9]{3,4}', 2],
  ['.+', 1],
  ['^\\p{L}+\\d?$', 2],
  ['', 1],
  ['[a-z]+$', undefined],
  ['^[a-z]+-[a-z]+$', undefined],
  ['^a+|b+$', undefined],
  ['^(?:ab)*$', undefined],
  ['^(?=.*\\d)', undefined],
  ['^(.)\\1$', undefined],
  ['\\u{61}*b', undefined],
  [`^${'a?'.repeat(40)}b$`, undefined],
  [`^${'(?:(?:a{1,100}){1,100}){1,100}'}$`, undefined],
])('%s is tried in %s ways', (pattern, ways) => {
  expect(countWays(pattern)).toBe(ways);
});

test('a value whose patterns take too much work is refused', () => {
  const value = Array.from({ length: 200 }, () => 'a'.repeat(50_000));
  expect(compileSchema({ items: { pattern: '^(a|a)*b$|^a*$' } })(value)).toMatchObject([
    { keyword: 'maxWork' },
  ]);
});

/** Expressions of all kinds that are run without going back. */
const expression = fc.letrec<{ node: string; atom: string }>((tie) => ({
  atom: fc.constantFrom(
    ...[
      'a',
      'b',
      '.',
      '[ab]',
      '[^a]',
      '\\w',
      '\\d',
      '\\s',
      '\\p{L}',
      '😀',
      '\\u{1F600}',
      '\\u0061',
      '[\\w-]',
      '^',
      '$',
    ],
    ...['\\b', '\\B', '\\n', '[a-c\\]]', '[^\\d\\p{Lu}]', '\\x62', '\\/', '(?:)'],
  ),
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('atom'),
    fc.tuple(tie('node'), tie('node')).map((parts) => parts.join('')),
    fc.tuple(tie('node'), tie('node')).map((parts) => `(?:${parts.join('|')})`),
    fc
      .tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '{2,}'))
      .map(([node, times]) => `(${node})${times}`),
    fc
      .tuple(fc.constantFrom('?=', '?!', '?<=', '?<!', '?<name>', '?:'), tie('node'))
      .map(([kind, node]) => `(${kind}${node})`),
  ),
})).node;

test('the machine finds what the engine finds', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '\n', '😀', '\ud83d', 'É', ']', '-', '_'),
    maxLength: 7,
  });
  fc.assert(
    fc.property(
      expression,
      fc.array(text, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      (source, texts, unicode) => {
        const engine = compiled(source, unicode);
        fc.pre(engine !== undefined);
        // V8 looks behind from within surrogate pairs too, which ECMA-262 does not.
        fc.pre(!unicode || !source.includes('(?<'));
        const tree = parseRegex(source, unicode);
        const program = tree === undefined ? undefined : compileProgram(tree);
        fc.pre(program !== undefined);
        for (const given of texts)
          expect([given, runProgram(program, given, unicode, new Counter())]).toEqual([
            given,
            engine.test(given),
          ]);
      },
    ),
    { numRuns: 3_000 },
  );
});

test('a plain expression is tried in no more ways than counted, for each place that a repetition without a bound may end at', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' '), maxLength: 8 });
  fc.assert(
    fc.property(expression, text, (source, given) => {
      const ways = compiled(source, true) === undefined ? undefined : countWays(source);
      const tree = parseRegex(source, true);
      fc.pre(ways !== undefined && tree !== undefined);
      for (let start = 0; start <= given.length; start++)
        expect(endsOf(tree, given, start).length).toBeLessThanOrEqual(ways * (given.length + 1));
    }),
    { numRuns: 5_000 },
  );
});

/** Where each way through a text ends that an engine which goes back may take; edges are taken for met. */
function endsOf(node: RegexNode, text: string, at: number): number[] {
  switch (node.kind) {
    case 'set':
      return at < text.length && node.set.has(text.charCodeAt(at)) ? [at + 1] : [];
    case 'sequence':
      return node.items.reduce<number[]>(
        (ends, item) => ends.flatMap((end) => endsOf(item, text, end)),
        [at],
      );
    case 'choice':
      return node.branches.flatMap((branch) => endsOf(branch, text, at));
    case 'repeat': {
      const found: number[] = [];
      let ends = [at];
      for (let times = 0; times <= Math.min(node.max, node.min + text.length); times++) {
        if (times >= node.min) found.push(...ends);
        ends = ends.flatMap((end) =>
          endsOf(node.item, text, end).filter((next) => next > end || times < node.min),
        );
      }
      return found;
    }
    case 'edge':
    case 'look':
      return [at];
  }
}

function compiled(source: string, unicode: boolean): RegExp | undefined {
  try {
    return new RegExp(source, unicode ? 'u' : '');
  } catch {
    return undefined;
  }
}
