/** Checks a configuration for what needs consent (code to run, variables of the environment in requests), for files that are missing and for folders that servers share. */
import { join } from 'node:path';
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import type { Path } from '../options/fault.ts';
import type { FilledText } from './interpolate.ts';
import { isUrl } from '../options/make-config.ts';
import { consentBy, type Permissions } from '../options/permissions.ts';
import { moduleOf } from '../options/user-code.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { CodeOrigin } from '../../model/origin.ts';

interface Run extends Permissions {
  diagnostics: DiagnosticCollector;
  server?: string | undefined;
}

/** A problem at a place of the configuration. */
export interface Finding {
  path: Path;
  isError: boolean;
  report: (at: CodeOrigin) => void;
}

/** Finds what needs consent in the settings of the chosen servers. `folder` is that of the configuration. */
export function findings(value: unknown, texts: readonly FilledText[], folder: string, run: Run): Finding[] {
  const isChosen = ([member, name]: Path): boolean =>
    run.server === undefined || member !== 'servers' || name === run.server;
  const all = [
    ...(run.noCode === true ? codeFindings(value, folder, run) : []),
    ...texts.flatMap((text) => textFindings(text, run)),
  ];
  return all.filter(({ path }) => isChosen(path));
}

/** Finds modules of hooks and helpers. */
function codeFindings(value: unknown, folder: string, { diagnostics }: Run): Finding[] {
  if (!isRecord(value)) return [];
  const servers = isRecord(value['servers']) ? Object.entries(value['servers']) : [];
  const all: [Path, unknown][] = [
    [[], value],
    ...servers.map(([name, own]): [Path, unknown] => [['servers', name], own]),
  ];
  return all.flatMap(([home, settings]) =>
    ['hooks', 'helpers'].flatMap((member): Finding[] => {
      const given = isRecord(settings) ? settings[member] : undefined;
      if (typeof given !== 'string') return [];
      const file = join(folder, moduleOf(given).path);
      const report = (at: CodeOrigin): void =>
        diagnostics.report('code-refused', { file, because: `"${member}" names it` }, { at });
      return [{ path: [...home, member], isError: true, report }];
    }),
  );
}

/** Members of a server's settings that mcpgen itself requests, if they are URLs. */
const REQUESTED = /^(?:source|overlays\/\d+|sources\/\d+\/(?:openapi|overlays\/\d+))$/;

function textFindings(
  { path, filled, names }: FilledText,
  { diagnostics, allowEnv = [], command }: Run,
): Finding[] {
  const member = path.slice(path[0] === 'servers' ? 2 : 0).join('/');
  if (/^(?:sources\/\d+\/)?baseUrl$/.test(member)) {
    const report = (at: CodeOrigin): void =>
      diagnostics.report('base-url-variable', { names: listed(names) }, { at });
    return [{ path, isError: false, report }];
  }
  const asked = [...new Set(names)].filter((name) => !allowEnv.includes(name));
  if (!REQUESTED.test(member) || !isUrl(filled) || asked.length === 0) return [];
  const consent = consentBy('--allow-env', asked, command);
  const parameters = { names: listed(asked), list: asked.join(','), consent };
  const report = (at: CodeOrigin): void => diagnostics.report('variable-in-request', parameters, { at });
  return [{ path, isError: true, report }];
}

function listed(names: readonly string[]): string {
  return [...new Set(names)].join(' and ');
}
