/** The helpers templates may use: the only ways by which a document's text gets into a file. */
import type { HelperOptions } from 'handlebars';

import { quoteAsCodeSpan, escapeMarkdown } from '../../diagnostics/quoting.ts';
import { escapeUnprintable, printPropertyKey, printJson, printMember } from '../print-literals.ts';
import { toOneLine } from '../prose.ts';

export type Language = 'ts' | 'js';

export type Helper = (...parameters: unknown[]) => string;

export const helpers: Record<string, Helper> = {
  /** `{{json value indent}}`: pretty JSON for a value on a line that begins at column `indent` (default 0). */
  json: (value, indent) => printJson(requirePresent(value), typeof indent === 'number' ? indent : 0),
  /** `{{member name value}}`: a line of an object literal in code, indented by two: `name: value,`. */
  member: (name, value) => printMember(requireText(name), requirePresent(value), 2),
  /** `{{ident name}}`: a key of an object or interface, quoted when it must be. */
  ident: (name) => printPropertyKey(requireText(name)),
  module: printModuleSpecifier,
  /** `{{jsdoc text}}`: one line of a block comment that cannot end it. */
  jsdoc: (text) => escapeUnprintable(toOneLine(requireText(text))).replaceAll('*/', '*\\/'),
  /** `{{line text}}`: the rest of a line comment. */
  line: (text) => toOneLine(requireText(text)),
  /** `{{markdown text}}`: plain text in a Markdown line or table cell; nothing in it is markup. */
  markdown: (text) => escapeMarkdown(toOneLine(requireText(text))),
  /** `{{codespan text}}`: a code span in a Markdown line or table cell. */
  codespan: (text) => quoteAsCodeSpan(toOneLine(requireText(text))).replaceAll('|', '\\|'),
  /** `{{yaml text}}`: a single-quoted scalar on one line (YAML 1.2, section 7.3.2). */
  yaml: (text) => `'${toOneLine(requireText(text)).replaceAll("'", "''")}'`,
};

/** `{{module './server'}}`: a module specifier, as TypeScript source names it or as tsc prints it. */
function printModuleSpecifier(path: unknown, options: unknown): string {
  return isHelperOptions(options) && options.data?.language === 'js'
    ? `"${requireText(path)}.js"`
    : `'${requireText(path)}.ts'`;
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

/** A missing field or an unknown helper is a fault, and nothing is escaped. */
export const templateOptions = {
  noEscape: true,
  strict: true,
  knownHelpersOnly: true,
  knownHelpers: Object.fromEntries(Object.keys(helpers).map((name) => [name, true])),
};
