/**
 * A project of annotated functions as a team would have it: 60 files of functions, that share models, helpers and a store
 * in other files, with generics, unions, classes of the language and types of a package.
 */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { inRepository } from '../repository.mjs';

export const fileCount = 60;
export const functionCount = 2 * fileCount;

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
  },
  include: ['src'],
};

/** Writes the project into a folder. Returns the files with functions, relative to the folder. */
export async function writeProject(folder) {
  const places = Array.from({ length: fileCount }, (_, at) => at);
  const files = places.map((at) => [`src/features/${wordOf(at)}.ts`, featureFile(at)]);
  const all = [
    ['package.json', JSON.stringify(manifest)],
    ['tsconfig.json', JSON.stringify(tsconfig)],
    ['src/shared/paging.ts', paging],
    ['src/shared/store.ts', store],
    ...places.map((at) => [`src/models/${wordOf(at)}.ts`, modelFile(at)]),
    ...files,
  ];
  for (const below of ['shared', 'models', 'features'])
    await mkdir(path.join(folder, 'src', below), { recursive: true });
  for (const [name, text] of all) await writeFile(path.join(folder, name), text);
  await symlink(inRepository('node_modules'), path.join(folder, 'node_modules'));
  return files.map(([name]) => name);
}

/** `orders07`: a file, and with a capital its types. */
function wordOf(at) {
  const words = ['orders', 'invoices', 'stations', 'tickets', 'people', 'depots'];
  return `${words[at % words.length]}${String(at).padStart(2, '0')}`;
}

const typeOf = (at) => wordOf(at).replace(/^./, (letter) => letter.toUpperCase());

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
  return { items: items.slice(from, from + limit), total: items.length };
}
`;

const store = `export class Store<T extends { id: string }> extends Map<string, T> {
  put(item: T): T {
    this.set(item.id, item);
    return item;
  }
}
`;

function modelFile(at) {
  const [type, other] = [typeOf(at), (at + 7) % fileCount];
  return `import type { ${typeOf(other)}Ref } from './${wordOf(other)}.ts';

export enum ${type}State {
  open = 'open',
  held = 'held',
  closed = 'closed',
}

export interface ${type}Ref {
  id: string;
  /** @format uri */
  href?: string;
}

export type ${type}Event =
  | { type: 'created'; at: Date; by: string }
  | { type: 'noted'; at: Date; note: string; attachments?: Uint8Array[] };

/** One of the ${wordOf(at)}. */
export interface ${type} {
  id: string;
  /** What people call it. @minLength 1 @maxLength 80 */
  title: string;
  state: ${type}State;
  created: Date;
  history: ${type}Event[];
  labels: Record<string, string>;
  weights?: [first: number, ...others: number[]];
  parent?: ${type};
  related: ${typeOf(other)}Ref[];
}

export type ${type}Draft = Omit<${type}, 'id' | 'created' | 'history' | 'state'> & Partial<Pick<${type}, 'state'>>;
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
  return pageOf([...store.values()].filter(isWanted), query);
}
`,
  (type, word) => `/**
 * Changes one of the ${word}.
 * @tool change_${word}
 * @idempotent
 */
export function change(
  /** Which one. @minLength 1 */
  id: string,
  change: Partial<${type}Draft>,
  /** How long it is kept locked. */
  lock: Duration = { minutes: 5 },
): Outcome<${type}, 'missing' | 'locked'> {
  const item = store.get(id);
  if (item === undefined) return { kind: 'failed', reason: 'missing', retryAfter: lock.minutes };
  return { kind: 'ok', value: store.put({ ...item, ...change }) };
}
`,
];

function featureFile(at) {
  const [type, word] = [typeOf(at), wordOf(at)];
  return `import { type Duration, isAfter } from 'date-fns';
import type { ${type}, ${type}Draft, ${type}State } from '../models/${word}.ts';
import { type Outcome, type Page, pageOf, type PageRequest } from '../shared/paging.ts';
import { Store } from '../shared/store.ts';

const store = new Store<${type}>();

${functions.map((write) => write(type, word)).join('\n')}`;
}
