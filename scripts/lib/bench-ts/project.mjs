/**
 * A project of annotated functions as a team would have it: 60 files of functions, that share models, helpers and a store
 * in other files, with generics, unions, classes of the language and types of a package.
 */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../repository.mjs';

export const fileCount = 60;
export const functionCount = 200;

const manifest = {
  name: 'measured',
  version: '1.0.0',
  type: 'module',
  dependencies: { 'date-fns': '^4.4.0' },
};

const tsconfig = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    // mcpgen finds these by itself; TypeScript is told.
    paths: { 'mcpgen/runtime': [path.join(root, 'dist/templates/runtime/index.d.ts')] },
  },
  include: ['src'],
};

/**
 * Writes the project into a folder.
 * @param {string} folder
 * @returns {Promise<string[]>} the files with functions, relative to the folder
 */
export async function writeProject(folder) {
  const files = Array.from({ length: fileCount }, (_, at) => [nameOf(at), featureFile(at)]);
  const all = [
    ['package.json', `${JSON.stringify(manifest, undefined, 2)}\n`],
    ['tsconfig.json', `${JSON.stringify(tsconfig, undefined, 2)}\n`],
    ['src/shared/paging.ts', paging],
    ['src/shared/store.ts', store],
    ...Array.from({ length: fileCount }, (_, at) => [`src/models/${wordOf(at)}.ts`, modelFile(at)]),
    ...files,
  ];
  await mkdir(path.join(folder, 'src/shared'), { recursive: true });
  await mkdir(path.join(folder, 'src/models'));
  await mkdir(path.join(folder, 'src/features'));
  for (const [name, text] of all) await writeFile(path.join(folder, name), text);
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return files.map(([name]) => name);
}

const nameOf = (at) => `src/features/${wordOf(at)}.ts`;

/** `orders07`: a file, and with a capital its types. */
function wordOf(at) {
  const words = ['orders', 'invoices', 'stations', 'tickets', 'people', 'depots'];
  return `${words[at % words.length]}${String(at).padStart(2, '0')}`;
}

const typeOf = (at) => wordOf(at).replace(/^./, (letter) => letter.toUpperCase());

/** The first files have four functions, the others three: 200 in 60 files. */
const functionsIn = (at) => (at < functionCount - 3 * fileCount ? 4 : 3);

const paging = `/** A page of results. */
export interface Page<T> {
  items: T[];
  /** Ask for the next page with it. */
  cursor?: string;
  total: number;
}

export interface PageRequest<Sort extends string = 'id'> {
  /** @minimum 1 @maximum 100 */
  limit?: number;
  cursor?: string;
  sort?: Sort | \`-\${Sort}\`;
}

export type Outcome<T, E extends string = 'missing'> =
  | { kind: 'ok'; value: T }
  | { kind: 'failed'; reason: E; retryAfter?: number };

export function pageOf<T>(items: readonly T[], { limit = 20, cursor }: PageRequest<string>): Page<T> {
  const from = cursor === undefined ? 0 : Number(cursor);
  const end = from + limit;
  return { items: items.slice(from, end), total: items.length, ...(end < items.length ? { cursor: String(end) } : {}) };
}
`;

const store = `export class Store<T extends { id: string }> {
  readonly #items = new Map<string, T>();

  get(id: string): T | undefined {
    return this.#items.get(id);
  }

  put(item: T): T {
    this.#items.set(item.id, item);
    return item;
  }

  all(filter: (item: T) => boolean = () => true): T[] {
    return [...this.#items.values()].filter(filter);
  }
}
`;

function modelFile(at) {
  const type = typeOf(at);
  const other = (at + 7) % fileCount;
  return `import type { ${typeOf(other)}Ref } from './${wordOf(other)}.ts';

export type ${type}Id = string & { readonly __brand: '${type}' };

export enum ${type}State {
  open = 'open',
  held = 'held',
  closed = 'closed',
}

/** Points at one of the ${wordOf(at)}. */
export interface ${type}Ref {
  id: string;
  /** @format uri */
  href?: string;
}

/** An address, as it is printed. */
export interface ${type}Address {
  street: string;
  /** @pattern ^[0-9]{4,6}$ */
  code: string;
  city: string;
  country: 'CH' | 'DE' | 'FR' | 'IT';
}

export type ${type}Event =
  | { type: 'created'; at: Date; by: string }
  | { type: 'moved'; at: Date; from: ${type}Address; to: ${type}Address }
  | { type: 'noted'; at: Date; note: string; attachments?: Uint8Array[] };

/** One of the ${wordOf(at)}. */
export interface ${type} {
  id: string;
  /** What people call it. @minLength 1 @maxLength 80 */
  title: string;
  state: ${type}State;
  created: Date;
  address: ${type}Address;
  history: ${type}Event[];
  labels: Record<string, string>;
  weights?: [first: number, ...others: number[]];
  parent?: ${type};
  related: ${typeOf(other)}Ref[];
}

export type ${type}Draft = Omit<${type}, 'id' | 'created' | 'history' | 'state'> & Partial<Pick<${type}, 'state'>>;
export type ${type}Change = Partial<Omit<${type}, 'id' | 'created' | 'history'>>;
`;
}

const functions = [
  (type, word) => `/**
 * Lists the ${word}, a page at a time.
 * @tool list_${word}
 * @readOnly
 */
export function list(
  query: PageRequest<'title' | 'created'> & { state?: ${type}State; /** Only those made since. */ since?: Date },
): Page<${type}> {
  const { state, since } = query;
  const isWanted = (item: ${type}): boolean =>
    (state === undefined || item.state === state) && (since === undefined || isAfter(item.created, since));
  return pageOf(store.all(isWanted), query);
}
`,
  (type, word) => `/**
 * Makes one of the ${word}.
 * @tool create_${word}
 */
export async function create(draft: ${type}Draft, context: Context): Promise<${type}> {
  await context.log('info', { made: draft.title });
  const made: ${type} = { state: ${type}State.open, ...draft, id: randomUUID(), created: new Date(), history: [] };
  return store.put(made);
}
`,
  (type, word) => `/**
 * Changes one of the ${word}.
 * @tool change_${word}
 * @idempotent
 */
export function change(
  /** Which one. @minLength 1 */ id: string,
  change: ${type}Change,
  /** How long it is kept locked. */ lock: Duration = { minutes: 5 },
): Outcome<${type}, 'missing' | 'locked'> {
  const known = store.get(id);
  if (known === undefined) return { kind: 'failed', reason: 'missing' };
  if (known.state === ${type}State.held)
    return { kind: 'failed', reason: 'locked', retryAfter: (lock.minutes ?? 0) * 60 };
  return { kind: 'ok', value: store.put({ ...known, ...change }) };
}
`,
  (type, word) => `/**
 * Goes through the ${word}, and says how far it is.
 * @tool audit_${word}
 */
export async function* audit(
  ids: Set<string>,
  limits: Map<${type}State, number> = new Map(),
): AsyncGenerator<{ progress: number; total: number }, { checked: number; over: ${type}State[] }> {
  let checked = 0;
  const counts = new Map<${type}State, number>();
  for (const id of ids) {
    const state = store.get(id)?.state;
    if (state !== undefined) counts.set(state, (counts.get(state) ?? 0) + 1);
    yield { progress: (checked += 1), total: ids.size };
  }
  const over = [...counts].filter(([state, count]) => count > (limits.get(state) ?? Infinity)).map(([state]) => state);
  return { checked, over };
}
`,
];

function featureFile(at) {
  const type = typeOf(at);
  const word = wordOf(at);
  const own = functions.slice(0, functionsIn(at)).map((write) => write(type, word));
  return `import { randomUUID } from 'node:crypto';
import { type Duration, isAfter } from 'date-fns';
import type { Context } from 'mcpgen/runtime';
import { ${type}State, type ${type}, type ${type}Change, type ${type}Draft } from '../models/${word}.ts';
import { type Outcome, type Page, pageOf, type PageRequest } from '../shared/paging.ts';
import { Store } from '../shared/store.ts';

const store = new Store<${type}>();

${own.join('\n')}`;
}
