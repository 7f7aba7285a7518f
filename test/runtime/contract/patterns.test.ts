// Patterns end: the work is counted in steps, so no row can hang whatever the machine.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardOf, readPattern } from '../../../templates/runtime/contract/patterns.ts';
import { parseRegex } from '../../../templates/runtime/contract/regex/parse-regex.ts';
import { programOf, runProgram } from '../../../templates/runtime/contract/regex/program.ts';
import { compileSchema } from '../../../templates/runtime/schema/index.ts';

class Counter {
  units = 0;
  spend(units: number): void {
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
  expect(guardOf(pattern)).toBe('guarded');
  const meter = new Counter();
  expect(readPattern(pattern).test(text, meter)).toBe(false);
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
  expect(guardOf(pattern)).toBe('linear');
});

test.each(['^(.)\\1$', '^(?<q>a)\\k<q>$', `^${'(?:(?:a{1,100}){1,100}){1,100}'}$`])(
  '%s is not run',
  (pattern) => {
    expect(guardOf(pattern)).toBe('unsafe');
    expect(compileSchema({ pattern })('no match')).toEqual([]);
  },
);

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
        const program = tree === undefined ? undefined : programOf(tree);
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

function compiled(source: string, unicode: boolean): RegExp | undefined {
  try {
    return new RegExp(source, unicode ? 'u' : '');
  } catch {
    return undefined;
  }
}
