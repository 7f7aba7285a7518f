// Constraints of aliases below many wrappers of functions and types: they arrive, or a warning says where they are lost.
import { expect, test } from 'vitest';
import { compileFiles, toolNamed } from './compile-files.ts';

const DECLARED = `/** @minimum 1 */ type Port = number;
function same<A extends unknown[], R>(g: (...args: A) => R): (...args: A) => R { return g; }
function whole<F extends (...args: never[]) => unknown>(g: F): F { return g; }
function waiting<A extends unknown[], R>(g: (...args: A) => R): (...args: A) => Promise<R> { return async (...args) => g(...args); }
function one<T, R>(g: (given: T, b: string) => R): (given: T, b: string) => R { return g; }
type Call<A extends unknown[], R> = (...args: A) => R;
function named<A extends unknown[], R>(g: Call<A, R>): Call<A, R> { return g; }
interface Called<A extends unknown[], R> { (...args: A): R }
function called<A extends unknown[], R>(g: Called<A, R>): Called<A, R> { return g; }
function within<A extends unknown[], R>(options: { run: (...args: A) => R }): (...args: A) => R { return options.run; }
function curried(): <A extends unknown[], R>(g: (...args: A) => R) => (...args: A) => R { return (g) => g; }
function rebuilt<F extends (...args: never[]) => unknown>(g: F): (...args: Parameters<F>) => ReturnType<F> { return g as never; }
function listed<A extends unknown[], R>(gs: ((...args: A) => R)[]): (...args: A) => R { return gs[0] as (...args: A) => R; }
type Boxed<T> = { it: T };
type Opened<B> = B extends { it: infer T } ? T : never;
type Flat<T> = { [K in keyof T]: T[K] };
`;

const FUNCTIONS: ((inner: string) => string)[] = [
  (inner) => `same(${inner})`,
  (inner) => `whole(${inner})`,
  (inner) => `waiting(${inner})`,
  (inner) => `one(${inner})`,
  (inner) => `named(${inner})`,
  (inner) => `called(${inner})`,
  (inner) => `within({ run: ${inner} })`,
  (inner) => `curried()(${inner})`,
  (inner) => `rebuilt(${inner})`,
  (inner) => `listed([${inner}])`,
];

const TYPES: ((inner: string) => string)[] = [
  (inner) => `Opened<Boxed<${inner}>>`,
  (inner) => `Boxed<${inner}>['it']`,
  (inner) => `Flat<{ it: ${inner} }>['it']`,
  (inner) => `NonNullable<${inner} | undefined>`,
  (inner) => `Awaited<Promise<${inner}>>`,
  (inner) => `Parameters<(a: ${inner}) => void>[0]`,
  (inner) => `ReturnType<() => ${inner}>`,
  (inner) => `Record<'k', ${inner}>['k']`,
  (inner) => `Pick<{ a: ${inner}; b: string }, 'a'>['a']`,
  (inner) => `(${inner})[][number]`,
];

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

const pick = random(1);

function wrap(inner: string, ways: readonly ((inner: string) => string)[], depth: number): string {
  return Array.from({ length: depth }).reduce<string>(
    (code) => ways[pick(ways.length)]?.(code) ?? code,
    inner,
  );
}

/** Functions alone, types alone, and both are wrapped. */
const KINDS = [
  { types: 0, functions: 1 },
  { types: 1, functions: 0 },
  { types: 1, functions: 1 },
  { types: 0, functions: 1 },
];

test('no constraint is lost in silence below 1 to 12 wrappers, and none that arrives is reported', async () => {
  const depths = Array.from({ length: 12 }, (_, index) => index + 1);
  const written = depths.flatMap((depth) =>
    KINDS.map(({ types, functions }, at) => {
      const type = wrap('Port', TYPES, types * depth);
      const inner = `(a: ${type}, b: string): string => String([a, b])`;
      return { name: `f${depth}_${at}`, code: wrap(inner, FUNCTIONS, functions * depth) };
    }),
  );
  const files = written.map(({ name, code }) => [
    `${name}.ts`,
    `${DECLARED}/** Does it. @tool ${name} */\nexport const ${name} = ${code};\n`,
  ]);
  const compiled = await compileFiles(Object.fromEntries(files) as Record<string, string>);
  const told = new Set(
    compiled.problems
      .filter((each) => each.endsWith(' warning constraint-lost'))
      .map((each) => each.split('.')[0]),
  );
  const wrong = written.filter(({ name }) => {
    const arrives = JSON.stringify(toolNamed(name, compiled).inputSchema).includes('"minimum":1');
    return arrives === told.has(name);
  });
  expect(wrong).toEqual([]);
  expect(told.size).toBeLessThan(10);
});
