/** Edits the configuration that owns a project: JSON keeps its comments and order, of code the lines to add are reported. */
import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { applyEdits, findNodeAtLocation, getNodeValue, modify, parseTree } from 'jsonc-parser';

import { ownMember } from '../../templates/runtime/json-rpc.ts';
import type { Json } from '../util/json-schema.ts';
import { escapeReferences } from '../config/load/interpolate.ts';
import type { ConfigRun, ReadServer } from '../config/load/read-config.ts';
import { printLiteral } from '../config/options/make-config.ts';
import { CONFIG_FILE, type ServerConfig } from '../config/options/project-config.ts';
import { isDocument } from '../config/options/sources.ts';
import { listRows } from '../config/options/rows.ts';
import type { Path } from '../config/options/shape.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { saveFile } from '../write/index.ts';

/** A member of the server's settings. A value of `undefined` removes it. */
export interface Setting {
  member: string;
  value: Json | undefined;
  /** The source that has the member, if the server has several. */
  source?: number;
  /** Keys of the value within the member: the rest of the member stays. */
  within?: Path;
}

export interface Edits {
  /** The absolute path of the configuration. */
  path: string;
  text: string;
  /** The settings that were added or changed; `before` is empty for one that was added. */
  settings: readonly { file: string; setting: string; before: string }[];
}

/** `command` compiles the project again. `undefined` after a report of what a person has to write. */
export function editConfig(
  read: ReadServer,
  settings: readonly Setting[],
  command: string,
  { cwd, diagnostics }: Pick<ConfigRun, 'cwd' | 'diagnostics'>,
): Edits | undefined {
  const file = join(read.dir, read.name);
  const path = resolve(cwd, file);
  const serverSettings = settingsOfServer(read);
  // The target of a link may be any file of the user.
  if (read.name !== CONFIG_FILE || lstatSync(path).isSymbolicLink()) {
    const printMembers = (areThere: boolean): string =>
      settings
        .filter(({ member }) => member in serverSettings === areThere)
        .map(printSetting)
        .join(', ');
    const parameters = { file, added: printMembers(false), changed: printMembers(true), command };
    diagnostics.report('config-not-edited', parameters);
    return undefined;
  }
  let { text } = read;
  const changes: Edits['settings'][number][] = [];
  for (const setting of settings) {
    const { value, within = [] } = setting;
    const member = [...pathOfSetting(setting, read), ...within];
    if (value !== undefined)
      changes.push({ file, setting: printSetting(setting), before: printValueAt(text, member) });
    text = setJson(text, member, value && escapeReferences(value));
  }
  return { path, text, settings: changes };
}

/** Saves the new texts, and reports the settings that later runs keep. */
export async function saveEdits(
  { path, text, settings }: Edits,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  await saveFile(path, text, { force: true, original: false });
  for (const setting of settings) diagnostics.report('settings-written', setting);
}

function printValueAt(text: string, member: Path): string {
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, [...member]);
  const value: unknown = node && getNodeValue(node);
  return value === undefined ? '' : printLiteral(value);
}

function printSetting({ member, within = [], value }: Setting): string {
  return `${[member, ...within].join('.')}: ${printLiteral(value)}`;
}

/** Returns the settings of one server alone: of several servers, without the settings that they share. */
function settingsOfServer({ whole, server }: ReadServer): ServerConfig {
  return server === undefined ? whole : (ownMember(whole.servers ?? {}, server) ?? {});
}

/** Options of a document stand in its source where that has them, or where the server has several documents. */
function pathOfSetting({ member, source = 0 }: Setting, read: ReadServer): Path {
  const { server, whole } = read;
  const serverSettings = settingsOfServer(read);
  const base = server === undefined ? [] : ['servers', server];
  const [sources, home] =
    serverSettings.sources === undefined ? [whole.sources, []] : [serverSettings.sources, base];
  const entry = sources?.[source];
  if (sources === undefined || entry === undefined) return [...base, member];
  if (member === 'source') return [...home, 'sources', source, 'openapi'];
  const isOfDocument = listRows('document').some(([name]) => name === member);
  const isAmbiguous = sources.filter(isDocument).length > 1;
  return isOfDocument && (member in entry || isAmbiguous)
    ? [...home, 'sources', source, member]
    : [...base, member];
}

function setJson(text: string, path: Path, value: Json | undefined): string {
  const indent = /^[{\s]*\n([ \t]+)/.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}
