/** Checks a configuration for what needs consent: code to run, and variables of the environment in requests. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { CodeOrigin } from '../../model/origin.ts';
import { isUrl } from '../options/make-config.ts';
import { type Permissions, formatConsentOption } from '../options/permissions.ts';
import type { Path } from '../options/shape.ts';
import { parseModuleName } from '../options/user-code.ts';
import type { FilledText } from './interpolate.ts';

interface Run extends Permissions {
  diagnostics: DiagnosticCollector;
  server?: string | undefined;
}

interface Finding {
  path: Path;
  isError: boolean;
  report: (at: CodeOrigin | undefined) => void;
}

/** Finds what needs consent in the settings of the chosen servers. `folder` is that of the configuration. */
export function findConsentNeeds(
  value: unknown,
  texts: readonly FilledText[],
  folder: string,
  run: Run,
): Finding[] {
  const isOfChosenServer = ([member, name]: Path): boolean =>
    run.server === undefined || member !== 'servers' || name === run.server;
  const all = [
    ...(run.noCode === true ? findCodeNeeds(value, folder, run) : []),
    ...texts.flatMap((text) => findVariablesNeedingConsent(text, run)),
  ];
  return all.filter(({ path }) => isOfChosenServer(path));
}

function findCodeNeeds(value: unknown, folder: string, { diagnostics }: Run): Finding[] {
  if (!isRecord(value)) return [];
  const servers = isRecord(value['servers']) ? Object.entries(value['servers']) : [];
  const all: [Path, unknown][] = [
    [[], value],
    ...servers.map(([name, serverConfig]): [Path, unknown] => [['servers', name], serverConfig]),
  ];
  return all.flatMap(([home, settings]): Finding[] => {
    const moduleName = isRecord(settings) ? settings['hooks'] : undefined;
    if (typeof moduleName !== 'string') return [];
    const file = join(folder, parseModuleName(moduleName).path);
    const report = (at: CodeOrigin | undefined): void =>
      diagnostics.report('code-refused', { file, because: '"hooks" names it' }, { at });
    return [{ path: [...home, 'hooks'], isError: true, report }];
  });
}

/** Members of a server's settings that mcpgen itself requests, if they are URLs. */
const REQUESTED = /^(?:source|overlays\/\d+|sources\/\d+\/(?:openapi|overlays\/\d+))$/;

function findVariablesNeedingConsent(
  { path, filled, names }: FilledText,
  { diagnostics, allowEnv = [], command }: Run,
): Finding[] {
  const member = path.slice(path[0] === 'servers' ? 2 : 0).join('/');
  if (/^(?:sources\/\d+\/)?baseUrl$/.test(member)) {
    const report = (at: CodeOrigin | undefined): void =>
      diagnostics.report('base-url-variable', { names: joinNames(names) }, { at });
    return [{ path, isError: false, report }];
  }
  const refusedNames = [...new Set(names)].filter((name) => !allowEnv.includes(name));
  if (!REQUESTED.test(member) || !isUrl(filled) || refusedNames.length === 0) return [];
  const consent = formatConsentOption('--allow-env', refusedNames, command);
  const parameters = {
    names: joinNames(refusedNames),
    list: refusedNames.join(','),
    consent,
    by: 'url' as const,
  };
  const report = (at: CodeOrigin | undefined): void =>
    diagnostics.report('variable-in-request', parameters, { at });
  return [{ path, isError: true, report }];
}

function joinNames(names: readonly string[]): string {
  return [...new Set(names)].join(' and ');
}

/** Follows links in the part of the path that exists. */
export function resolveExistingLinks(place: string): string {
  if (existsSync(place)) return realpathSync(place);
  const parent = dirname(place);
  return parent === place ? place : join(resolveExistingLinks(parent), relative(parent, place));
}
