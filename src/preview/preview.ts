/** `mcpgen preview`: a page on loopback that shows the surface of a source, and changes it. */
import { join } from 'node:path';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Environment } from '../config/load/interpolate.ts';
import { type SendingConsent, checkSendingOfModel } from '../project/check-sending.ts';
import { Proposals } from './edits/proposals.ts';
import { type Handlers, type PageServer, startPageServer } from './http/server.ts';
import type { PreviewSource } from './source.ts';
import type { ServerQuery } from './protocol.ts';
import { makeDiffView } from './views/diff-view.ts';
import { makeFindingsView } from './views/findings-view.ts';
import { makeSurfaceView } from './views/surface-view.ts';
import { Trials } from './try/try-call.ts';
import { makeToolView } from './views/tool-view.ts';
import { removeTemporaryFilesOf } from '../write/temporary-files.ts';
import { type CompiledServer, Workspace } from './workspace.ts';

export interface PreviewSettings {
  env: Environment;
  /** Origins and variables that calls of the API may send. */
  consent: SendingConsent;
  signal: AbortSignal;
  /** Told of bugs, and of lines for the terminal. */
  report: (thrown: unknown) => void;
}

export interface Preview extends Omit<PageServer, 'changed'> {
  /** Settles when the preview has ended. */
  done: Promise<void>;
}

export async function startPreview(source: PreviewSource, settings: PreviewSettings): Promise<Preview> {
  // A preview that was killed while it wrote leaves a part.
  if (source.config !== undefined) removeTemporaryFilesOf(join(source.folder, source.config));
  const ended = new AbortController();
  const signal = AbortSignal.any([settings.signal, ended.signal]);
  const workspace = new Workspace(source, signal);
  const trials = new Trials(settings);
  const { changed, close, ...server } = await startPageServer(makeHandlers(workspace, trials), settings);
  const lines = new Set<string>();
  const done = workspace.compileOnChanges((generation) => {
    changed(generation);
    reportSentVariables(workspace, lines, settings).catch(settings.report);
  });
  return {
    ...server,
    done,
    close: async () => {
      ended.abort();
      await done;
      await close();
      await trials.closeServers();
    },
  };
}

/** Prints which variables calls of the API send because the configuration alone names them, each line once. */
async function reportSentVariables(
  workspace: Workspace,
  lines: Set<string>,
  { consent, report }: PreviewSettings,
): Promise<void> {
  const first = await workspace.lastCompiledServer();
  for (const name of first.isNamed ? first.names : [undefined]) {
    const { options, report: compiled } = await workspace.lastCompiledServer(name);
    if (options === undefined || compiled.model === undefined) continue;
    const problems = new DiagnosticCollector();
    const line = await checkSendingOfModel(compiled.model, options, consent, problems);
    if (line === undefined || problems.hasErrors || lines.has(line)) continue;
    lines.add(line);
    report(line);
  }
}

function makeHandlers(workspace: Workspace, trials: Trials): Handlers {
  const { source } = workspace;
  const proposals = new Proposals(workspace);
  const compiledServer = ({ server }: ServerQuery): Promise<CompiledServer> =>
    workspace.lastCompiledServer(server);
  return {
    'GET /api/surface': async (query) => ({
      ...makeSurfaceView(await compiledServer(query), source),
      applied: proposals.applied,
    }),
    'GET /api/tool': async (query) => makeToolView(query, await compiledServer(query), source.config),
    'GET /api/findings': async (query) => makeFindingsView(await compiledServer(query)),
    'GET /api/diff': async (query) => makeDiffView(query.against, await compiledServer(query)),
    'POST /api/propose': (request) => proposals.makeProposal(request),
    'POST /api/apply': ({ proposal }) => proposals.applyProposal(proposal),
    'POST /api/undo': ({ applied }) => proposals.undoProposal(applied),
    'POST /api/try': async (request) => trials.runTrial(request, await compiledServer(request)),
  };
}
