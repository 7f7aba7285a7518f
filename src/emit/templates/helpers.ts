/** The helpers templates may use: the only ways by which a document's text gets into a file. */
import type { HelperOptions } from 'handlebars';

import { quoteAsCodeSpan, escapeMarkdown } from '../../diagnostics/quoting.ts';
import type { TemplateHelpers } from '../../model/user-code.ts';
import { escapeUnprintable, printPropertyKey, printJson, printMember } from '../print-literals.ts';
import { toOneLine } from '../prose.ts';

export type Language = 'ts' | 'js';

export type Helper = (...parameters: unknown[]) => string;

export const helpers: Record<string, Helper> = {
  json: printJsonHelper,
  member: printMemberHelper,
  ident: printIdentifierHelper,
  module: printModuleHelper,
  jsdoc: escapeJsdocHelper,
  line: escapeLineHelper,
  markdown: escapeMarkdownHelper,
  codespan: printCodeSpanHelper,
  yaml: printYamlHelper,
};

/** `{{json value indent}}`: pretty JSON for a value on a line that begins at column `indent` (default 0). */
function printJsonHelper(...parameters: unknown[]): string {
  const [value, indent] = parameters.slice(0, -1);
  return printJson(requirePresent(value), typeof indent === 'number' ? indent : 0);
}

/** `{{member name value}}`: a line of an object literal in code, indented by two: `name: value,`. */
function printMemberHelper(...parameters: unknown[]): string {
  const [name, value] = parameters.slice(0, -1);
  if (value instanceof ModuleLoaders) return printLoaders(requireText(name), value, parameters.at(-1));
  return printMember(requireText(name), requirePresent(value), 2);
}

/** A value that is printed as code that loads modules; other values are printed as data. */
export class ModuleLoaders {
  readonly modules: Readonly<Record<string, string>>;

  constructor(modules: Readonly<Record<string, string>>) {
    this.modules = modules;
  }
}

function printLoaders(name: string, { modules }: ModuleLoaders, options: unknown): string {
  const lines = Object.entries(modules).map(
    ([key, path]) => `    ${key}: () => import(${printModuleHelper(path, options)}),\n`,
  );
  return `${name}: {\n${lines.join('')}  },`;
}

/** `{{ident name}}`: a key of an object or interface, quoted when it must be. */
function printIdentifierHelper(name: unknown): string {
  return printPropertyKey(requireText(name));
}

/** `{{module './server'}}`: a module specifier, as TypeScript source names it or as tsc prints it. */
function printModuleHelper(...parameters: unknown[]): string {
  const [path] = parameters;
  const options = parameters.at(-1);
  return isHelperOptions(options) && options.data?.language === 'js'
    ? `"${requireText(path)}.js"`
    : `'${requireText(path)}.ts'`;
}

/** `{{jsdoc text}}`: one line of a block comment that cannot end it. */
function escapeJsdocHelper(value: unknown): string {
  return escapeUnprintable(toOneLine(requireText(value))).replaceAll('*/', '*\\/');
}

/** `{{line text}}`: the rest of a line comment. */
function escapeLineHelper(value: unknown): string {
  return toOneLine(requireText(value));
}

/** `{{markdown text}}`: plain text in a Markdown line or table cell; nothing in it is markup. */
function escapeMarkdownHelper(value: unknown): string {
  return escapeMarkdown(toOneLine(requireText(value)));
}

/** `{{codespan text}}`: a code span in a Markdown line or table cell. */
function printCodeSpanHelper(value: unknown): string {
  return quoteAsCodeSpan(toOneLine(requireText(value))).replaceAll('|', '\\|');
}

/** `{{yaml text}}`: a single-quoted scalar on one line (YAML 1.2, section 7.3.2). */
function printYamlHelper(value: unknown): string {
  return `'${toOneLine(requireText(value)).replaceAll("'", "''")}'`;
}

export class MissingField extends TypeError {
  constructor() {
    super('the view has no such field');
  }
}

function requireText(value: unknown): string {
  if (value === undefined) throw new MissingField();
  if (typeof value !== 'string') throw new TypeError(`expected a text, got ${typeof value}`);
  return value;
}

function requirePresent(value: unknown): unknown {
  if (value === undefined) throw new MissingField();
  return value;
}

function isHelperOptions(value: unknown): value is HelperOptions {
  return typeof value === 'object' && value !== null && 'hash' in value;
}

export interface UserHelpers {
  functions: TemplateHelpers;
  /** `helpers.ts:3:5`, where an error was thrown, as far as it is known. */
  placeOf: (thrown: unknown) => string | undefined;
}

export const noHelpers: UserHelpers = { functions: {}, placeOf: () => undefined };

const HANDLEBARS = ['if', 'unless', 'each', 'with', 'lookup', 'log', 'helperMissing', 'blockHelperMissing'];

export function findReservedHelperName(names: readonly string[]): string | undefined {
  return names.find((name) => Object.hasOwn(helpers, name) || HANDLEBARS.includes(name));
}

/** Finds a helper with the name of a field of the view: `{{name}}` would call the helper. */
export function findHelperHidingField(view: object, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const rows = Object.values(view).flatMap((value: unknown) =>
    Array.isArray(value) ? (value as unknown[]) : [],
  );
  const fields = [view, ...rows].flatMap((row) =>
    typeof row === 'object' && row !== null ? Object.keys(row) : [],
  );
  return names.find((name) => fields.includes(name));
}

/** A missing field or an unknown helper is a fault, and nothing is escaped. `names` are further helpers. */
export function templateOptionsFor(names: readonly string[]): TemplateOptions {
  return {
    noEscape: true,
    strict: true,
    knownHelpersOnly: true,
    knownHelpers: Object.fromEntries([...Object.keys(helpers), ...names].map((name) => [name, true])),
  };
}

interface TemplateOptions {
  noEscape: boolean;
  strict: boolean;
  knownHelpersOnly: boolean;
  knownHelpers: Record<string, boolean>;
}
