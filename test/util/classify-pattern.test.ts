/** What is left to the engine: a matcher that backtracks counts its steps. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyPattern } from '../../src/util/classify-pattern.ts';
import { parseRegex, type RegexNode } from '../../templates/runtime/features/patterns/parse-regex.ts';

const MOST_STEPS = 1_000_000;

/** Steps of an engine that tries each way at each place of the text. */
function countSteps(tree: RegexNode, text: string): number {
  let steps = 0;
  const match = (node: RegexNode, at: number, next: (at: number) => boolean): boolean => {
    if (++steps > MOST_STEPS) return true;
    switch (node.kind) {
      case 'set':
        return at < text.length && node.set.has(text.charCodeAt(at)) && next(at + 1);
      case 'edge':
        return at === (node.edge === 'start' ? 0 : text.length) && next(at);
      case 'sequence': {
        const go = (index: number, from: number): boolean => {
          const item = node.items[index];
          return item === undefined ? next(from) : match(item, from, (to) => go(index + 1, to));
        };
        return go(0, at);
      }
      case 'choice':
        return node.branches.some((branch) => match(branch, at, next));
      case 'repeat': {
        const go = (turns: number, from: number): boolean =>
          (turns < node.max &&
            match(node.item, from, (to) => (to > from || turns < node.min) && go(turns + 1, to))) ||
          (turns >= node.min && next(from));
        return go(0, at);
      }
      case 'look':
        return match(node.item, at, () => true) !== node.negative && next(at);
    }
  };
  for (let start = 0; start <= text.length; start++) if (match(tree, start, () => true)) break;
  return steps;
}

const pattern = fc.letrec<{ part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', 'b', '[ab]', '.', '[^a]', '\\w'),
    fc.tuple(tie('part'), tie('part')).map(([one, other]) => one + other),
    fc.tuple(tie('part'), tie('part')).map(([one, other]) => `(?:${one}|${other})`),
    fc
      .tuple(tie('part'), fc.constantFrom('*', '+', '?', '{2}', '{0,3}', '{2,200}'))
      .map(([part, count]) => `(?:${part})${count}`),
    tie('part').map((part) => `(?=${part})`),
  ),
})).part;

test('the engine takes linear time for what is left to it', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '-'), minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.constantFrom('^', ''), pattern, word, word, (start, part, before, repeated) => {
      const source = `${start}${part}$`;
      fc.pre(classifyPattern(source) === 'linear');
      const tree = parseRegex(source, true) as RegexNode;
      const [few, many] = [50, 200].map((count) =>
        countSteps(tree, `${before}${repeated.repeat(count)}!`),
      ) as [number, number];
      expect(many).toBeLessThan(Math.max(20_000, 7 * few));
    }),
    { numRuns: 200 },
  );
});

test.each([
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^-?[0-9]+(\\.[0-9]+)?$',
  '^(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)$',
  '^arn:aws:[a-z]+:[a-z0-9-]*:\\d{12}:.+$',
  'v1.*',
])('%s is left to the engine', (source) => {
  expect(classifyPattern(source)).toBe('linear');
});

test.each(['^[a-z]+[a-z0-9]+$', '^(?:a|ab)*$', '[a-z]+:', '^.*a.*b$', '^(?:(?=.*a)b)+$'])(
  '%s is not',
  (source) => {
    expect(classifyPattern(source)).toBe('guarded');
  },
);
