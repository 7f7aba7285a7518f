/** The source of `mcpgen preview`: as for `inspect` and `serve`. */
import { resolve } from 'node:path';

import type { Flags } from '../config/options/option-types.ts';
import { findConfig } from '../config/load/find-config.ts';
import { isConfigFile } from '../config/options/project-config.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { DiagnosticCollector as Collector } from '../diagnostics/collector.ts';
import { omitUndefined } from '../util/collections.ts';
import type { PreviewSource, PreviewedServer } from '../preview/source.ts';
import { makeCompileOptions, makeConfigRun, makeFunctionOptions, pickRunOptions } from './compile-options.ts';
import type { Host } from './host.ts';
import { refuseServerFlag } from './inspected-options.ts';
import { isCodeFile, isFolder } from './source-kind.ts';

/** Reads the source to preview; `undefined` after wrong usage. */
export async function previewSource(
  sources: readonly [string, ...string[]],
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): Promise<PreviewSource | undefined> {
  const [source, ...moreSources] = sources;
  const isProject = isConfigFile(source) || (await isFolder(source, host.cwd));
  const isFunctions = !isProject && sources.every(isCodeFile);
  if (moreSources.length > 0 && !isFunctions) {
    const problem = 'several sources must all be files of functions';
    const suggestion = ' To preview several sources of one server, name them in a configuration.';
    diagnostics.report('invalid-usage', { problem, suggestion, command: 'mcpgen preview' });
  }
  if (!isProject && flags.server !== undefined) refuseServerFlag(diagnostics, 'mcpgen preview');
  if (source === '-') {
    const problem = 'standard input is read once, and a preview compiles again after each change';
    diagnostics.report('invalid-usage', { problem, suggestion: ' Name a file.', command: 'mcpgen preview' });
  }
  if (!isProject && !diagnostics.hasErrors) {
    const { reportMissingSource } = await import('../api/missing-sources.ts');
    await reportMissingSource(
      isFunctions ? { typescript: [...sources] } : { openapi: source },
      host,
      diagnostics,
    );
  }
  if (diagnostics.hasErrors) return undefined;
  return isProject
    ? previewOfProject(source, flags, host)
    : previewOfSources(sources, isFunctions, flags, host);
}

function previewOfProject(source: string, flags: Flags, host: Host): PreviewSource {
  const configLocation = findConfig(source, host.cwd);
  const folder = resolve(host.cwd, configLocation.dir);
  const [config] = configLocation.names;
  return {
    cwd: host.cwd,
    folder,
    ...omitUndefined({ config }),
    readConfig: async (server, diagnostics) => {
      const { readSingleServer } = await import('../config/load/read-config.ts');
      const run = { ...makeConfigRun(flags, host, diagnostics), server };
      return readSingleServer(source, run, 'mcpgen preview');
    },
    read: async ({ diagnostics, observer, draft }) => {
      const { listServerResolvers: eachServer } = await import('../api/project-options.ts');
      const servers = await eachServer(source, {
        ...makeConfigRun(flags, host, diagnostics, observer),
        draft,
      });
      if (servers === undefined) return undefined;
      const previewedServers: PreviewedServer[] = [];
      for (const read of servers) {
        const { server, options, diagnostics: readDiagnostics } = await read();
        previewedServers.push({
          server,
          diagnostics: readDiagnostics,
          options: options && { ...options, ...pickRunOptions(host, flags) },
        });
      }
      return previewedServers;
    },
  };
}

function previewOfSources(
  sources: readonly [string, ...string[]],
  isFunctions: boolean,
  flags: Flags,
  host: Host,
): PreviewSource {
  return {
    cwd: host.cwd,
    folder: resolve(host.cwd),
    read: async ({ diagnostics, observer }) => {
      const options = isFunctions
        ? makeFunctionOptions([...sources], flags, host)
        : await makeCompileOptions(sources[0], flags, host, diagnostics, observer);
      return options && [{ options, diagnostics: new Collector() }];
    },
  };
}
