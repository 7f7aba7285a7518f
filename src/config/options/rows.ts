import type { OptionGroup, OptionRow } from './option-row.ts';
import type { Check } from './shape.ts';
import { OPTIONS } from './table.ts';

type Options = typeof OPTIONS;

export type OptionIn<G extends OptionGroup> = {
  [K in keyof Options]: Options[K]['of'] extends G ? K : never;
}[keyof Options];

export const CONFIGURED_GROUPS = ['input', 'document', 'server', 'project'] as const;

export function listRows(...groups: readonly OptionGroup[]): [name: string, row: OptionRow][] {
  return Object.entries(OPTIONS).filter(([, { of }]) => groups.length === 0 || groups.includes(of));
}

export function pickChecks(...groups: readonly OptionGroup[]): Record<string, Check> {
  return Object.fromEntries(listRows(...groups).map(([name, { check }]) => [name, check]));
}

/** `Server name. Default: none.` For `scripts/schema.mjs`. @public */
export function optionSentence({ help, default: value }: OptionRow): string {
  // A sentence that begins with a path or a value keeps its small letter.
  const first = /^\w+[/:]/.test(help) ? help.charAt(0) : help.charAt(0).toUpperCase();
  const sentence = `${first}${help.slice(1)}.`;
  return value === undefined ? sentence : `${sentence} Default: ${value}.`;
}

export function pickOptions<T extends object, G extends OptionGroup>(
  options: T,
  ...groups: readonly G[]
): Pick<T, keyof T & OptionIn<G>>;
export function pickOptions(options: object, ...groups: readonly OptionGroup[]): object {
  const names = new Set(listRows(...groups).map(([name]) => name));
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => names.has(name) && value !== undefined),
  );
}

/** The options with their paths mapped. `map` has to recognise URLs and `-`. */
export function mapOptionPaths<T extends object>(options: T, map: PathMap): T;
export function mapOptionPaths(options: object, map: PathMap): object {
  const kinds = new Map(listRows().map(([name, { paths }]) => [name, paths]));
  const mapped = Object.entries(options).map(([name, value]: [string, unknown]): [string, unknown] => {
    const kind = kinds.get(name);
    if (kind === undefined) return [name, value];
    const mapPathItem = (item: unknown): unknown => (typeof item === 'string' ? map(item, kind) : item);
    return [name, Array.isArray(value) ? value.map(mapPathItem) : mapPathItem(value)];
  });
  return Object.fromEntries(mapped);
}

type PathMap = (path: string, kind: 'path' | 'place' | 'module') => string;
