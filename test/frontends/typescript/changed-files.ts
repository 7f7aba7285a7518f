// A small project, and the changes that a person may make to it one after another.

export type Files = Map<string, string>;

const TOOLS = ['a', 'b', 'c'];

export function beginning(): Files {
  return new Map([
    ['package.json', '{ "name": "given", "version": "1.0.0", "type": "module" }'],
    ['tsconfig.json', configured({ strict: true })],
    ['types/global.d.ts', everywhere('string')],
    ['src/shared.ts', SHARED],
    ['src/models.ts', MODELS],
    ['src/helper.ts', helper('1')],
    ['src/late.ts', LATE],
    ...TOOLS.map((name): [string, string] => [`src/tools/${name}.ts`, tool(name)]),
  ]);
}

export interface Edit {
  what: string;
  /** `at` is any whole number from 0. */
  change: (files: Files, at: number) => void;
  /** The change breaks the code; the same change once more repairs it. */
  isFault?: boolean;
}

export const edits: readonly [Edit, ...Edit[]] = [
  {
    what: 'a member of a shared interface',
    change: (files, at) =>
      put(
        files,
        'src/shared.ts',
        /street: .*;/,
        `street: ${of(at, ['string', "'b' | 'a'", 'Date', "'a' | 'b' | 1"])};`,
      ),
  },
  {
    what: 'an optional member of a shared interface',
    change: (files, at) =>
      put(
        files,
        'src/shared.ts',
        /extra.*;/,
        `extra${of(at, ['?', ''])}: ${of(at, ['number', 'bigint', 'RegExp'])};`,
      ),
  },
  {
    what: 'the values of an enum',
    change: (files, at) =>
      put(
        files,
        'src/models.ts',
        /enum State \{.*\}/,
        `enum State { ${of(at, ["open = 'o', shut = 's'", "shut = 's'", 'open, shut', "shut = 'b', open = 'a'"])} }`,
      ),
  },
  {
    what: 'docs',
    change: (files, at) =>
      put(files, 'src/tools/a.ts', /Makes \w+\./, `Makes ${of(at, ['one', 'two', 'three'])}.`),
  },
  {
    what: 'what a body infers',
    change: (files, at) =>
      void files.set('src/helper.ts', helper(of(at, ['1', "'x'", 'new Date()', '{ deep: [1] }']))),
  },
  {
    what: 'a fault in a body',
    isFault: true,
    change: (files) => toggle(files, 'src/tools/b.ts', "\nexport const wrong: number = 'text';\n"),
  },
  {
    what: 'a fault of the syntax',
    isFault: true,
    change: (files) => toggle(files, 'src/tools/c.ts', '\nexport const = 1;\n'),
  },
  {
    what: 'types that lead on for too long',
    isFault: true,
    change: (files) => {
      toggle(files, 'src/helper.ts', LONG);
    },
  },
  {
    what: 'a name that its importers lose',
    isFault: true,
    change: (files) => {
      const text = files.get('src/shared.ts') ?? '';
      const isLost = text.includes('interface Place ');
      put(
        files,
        'src/shared.ts',
        isLost ? 'interface Place ' : 'interface Address ',
        isLost ? 'interface Address ' : 'interface Place ',
      );
    },
  },
  {
    what: 'a type where a value was',
    change: (files, at) =>
      put(
        files,
        'src/helper.ts',
        /export (?:type|const) kind.*\n/,
        of(at, ['export type kind = 1;\n', 'export const kind = 1;\n']),
      ),
  },
  {
    what: 'a file that comes or goes',
    change: (files, at) => {
      const name = `more${at % 3}`;
      toggleFile(files, `src/tools/${name}.ts`, tool(name));
    },
  },
  {
    what: 'a shared file that goes, and comes back',
    isFault: true,
    change: (files) => toggleFile(files, 'src/models.ts', MODELS),
  },
  {
    what: 'a module that takes the place of another',
    change: (files) => {
      files.set('src/late.js', 'export const late = { js: 1 };\n');
      toggleFile(files, 'src/late.ts', LATE);
    },
  },
  {
    what: 'what is declared for all',
    change: (files, at) =>
      void files.set('types/global.d.ts', everywhere(of(at, ['string', 'number', 'boolean']))),
  },
  {
    what: 'what is declared for all, and goes',
    isFault: true,
    change: (files) => {
      toggleFile(files, 'types/global.d.ts', everywhere('string'));
    },
  },
  {
    what: 'options of the compiler',
    change: (files, at) =>
      void files.set(
        'tsconfig.json',
        configured(
          of(at, [
            { strict: true },
            { strict: false },
            { strict: true, isolatedModules: true },
            { strict: true, exactOptionalPropertyTypes: true },
            { strict: true, useDefineForClassFields: false },
          ]),
        ),
      ),
  },
  {
    what: 'the manifest',
    change: (files, at) =>
      void files.set(
        'package.json',
        `{ "name": "given", "version": "1.${at}.0", "type": "${of(at, ['module', 'commonjs'])}" }`,
      ),
  },
];

/** One of some, chosen by any whole number from 0. */
export function of<T>(at: number, [first, ...others]: readonly [T, ...T[]]): T {
  return others[(at % (others.length + 1)) - 1] ?? first;
}

/** Nothing where the file is not there now. */
function put(files: Files, name: string, from: RegExp | string, to: string): void {
  const text = files.get(name);
  if (text !== undefined) files.set(name, text.replace(from, to));
}

function toggle(files: Files, name: string, more: string): void {
  const text = files.get(name) ?? '';
  files.set(name, text.includes(more) ? text.replace(more, '') : text + more);
}

function toggleFile(files: Files, name: string, text: string): void {
  if (!files.delete(name)) files.set(name, text);
}

const everywhere = (type: string): string => `interface Everywhere { here: ${type} }\n`;

function configured(options: object): string {
  const compilerOptions = {
    target: 'ES2023',
    module: 'NodeNext',
    lib: ['ES2023'],
    types: [],
    allowImportingTsExtensions: true,
    noEmit: true,
    ...options,
  };
  return JSON.stringify({ compilerOptions, include: ['src', 'types'] });
}

const LATE = "export const late = { ts: 1, other: 'x' };\n";

const LONG = Array.from({ length: 3_000 }, (_, at) => `type A${at} = A${at + 1};\n`).join('');

const SHARED = `export interface Page<T> {
  items: T[];
  next?: string;
}
/** Where. */
export interface Address {
  street: string;
  extra?: number;
  everywhere?: Everywhere;
}
`;

const MODELS = `import type { Address } from './shared.ts';
export enum State { open = 'o', shut = 's' }
export interface Model {
  id: string;
  state: State;
  address: Address;
  parent?: Model;
}
export const isShut = ({ state }: Model): boolean => state === State.shut;
`;

function helper(value: string): string {
  return `export const kind = 1;
export function made(given: number) {
  return { given, value: ${value} };
}
`;
}

function tool(name: string): string {
  return `import { made, kind } from '../helper.ts';
import * as late from '../late.js';
import { isShut, type Model, State } from '../models.ts';
import { Address, type Page } from '../shared.ts';

export { kind };

/**
 * Makes one.
 * @tool
 */
export function ${name}Made(count: number, like?: Partial<Model>) {
  return { made: made(count), like, states: Object.values(State) };
}

export class Kept {
  private readonly all: Model[] = [];
  /** @tool ${name}_page */
  ${name}Page(state: State | Lowercase<'Q' | 'P'>, at?: Address): Page<Pick<Model, 'state' | 'address'>> {
    return { items: this.all.filter((one) => one.state === state && !isShut(one) && one.address === at) };
  }
}

/** @tool */
export const ${name}Late = (): keyof typeof late.late | Address['street'] | undefined => undefined;
`;
}
