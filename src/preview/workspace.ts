/** Compiles what is previewed, again after each change of a file that it was read from. */
import { type Examination, compileAndLint } from '../api/lint.ts';
import type { ConfigRun } from '../config/load/read-config.ts';
import { type Diagnostic, DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Observer } from '../model/observer.ts';
import { watchFiles } from '../watch/watch.ts';
import { Refusal } from './problem.ts';
import type { PreviewOptions, PreviewSource } from './source.ts';

export interface CompiledServer {
  /** Counts compilations. */
  generation: number;
  name: string;
  /** Names of all servers of the configuration, this one included. */
  names: string[];
  /** Whether the configuration has several. */
  isNamed: boolean;
  /** Absent after an error of the configuration. */
  options?: PreviewOptions | undefined;
  report: Report;
  /** The report that stopped the last compilation. All else is of the last one that came to its end. */
  stopped?: Report | undefined;
}

type Report = Pick<Examination, 'diagnostics' | 'texts'> & Partial<Examination>;
type Servers = Omit<CompiledServer, 'generation' | 'names' | 'isNamed'>[];

interface Compilation {
  generation: number;
  servers: Servers;
}

const LONGEST_WAIT_MS = 10_000;

export class Workspace {
  readonly source: PreviewSource;
  readonly #signal: AbortSignal;
  #generation = 0;
  #current: Compilation | undefined;
  /** Callbacks of requests that wait for the first compilation. */
  readonly #waiting: ((compilation: Compilation) => void)[] = [];

  constructor(source: PreviewSource, signal: AbortSignal) {
    this.source = source;
    this.#signal = signal;
  }

  /** Resolves when `signal` is aborted. `changed` is told of each compilation. */
  async compileOnChanges(changed: (generation: number) => void): Promise<void> {
    await watchFiles(async ({ observer }) => {
      const servers = await this.#compileServers({ observer });
      this.#generation += 1;
      const current = (this.#current = {
        generation: this.#generation,
        servers: keepShownServers(servers, this.#current?.servers ?? []),
      });
      for (const resolve of this.#waiting.splice(0)) resolve(current);
      changed(this.#generation);
      return servers.every(({ report }) => report.model !== undefined);
    }, this.#signal);
  }

  /** Resolves with the next compilation, or after some seconds without one. */
  async waitForCompilation(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#waiting.push(() => resolve());
      timer = setTimeout(resolve, LONGEST_WAIT_MS).unref();
    });
    clearTimeout(timer);
  }

  /** A server as it compiled last; without `name`, the first. @throws {Refusal} */
  async lastCompiledServer(name?: string): Promise<CompiledServer> {
    return findServer(
      this.#current ?? (await new Promise<Compilation>((resolve) => this.#waiting.push(resolve))),
      name,
    );
  }

  /** The server as it would be with this text of the configuration. */
  async compileWithDraft(
    name: string | undefined,
    draft: NonNullable<ConfigRun['draft']>,
  ): Promise<CompiledServer> {
    const servers = await this.#compileServers({ draft }, name);
    return findServer({ generation: this.#generation, servers }, name);
  }

  async #compileServers(
    { observer, draft }: { observer?: Observer; draft?: ConfigRun['draft'] },
    only?: string,
  ): Promise<Servers> {
    const diagnostics = new DiagnosticCollector();
    const read = await this.source.read({ observer, draft, diagnostics });
    if (read === undefined) return [{ name: '', report: failedReport(diagnostics.found) }];
    const servers: Servers = [];
    for (const { server = '', options, diagnostics: readDiagnostics } of read) {
      if (only !== undefined && server !== only) continue;
      if (options === undefined) {
        servers.push({ name: server, report: failedReport(readDiagnostics.found) });
        continue;
      }
      const run = { signal: this.#signal, ...(observer && { observer }) };
      const report = await compileAndLint({ ...options, ...run });
      servers.push({ name: server, options, report });
    }
    return servers;
  }
}

/** Keeps what people saw last of a server while its source does not compile. */
function keepShownServers(servers: Servers, before: Servers): Servers {
  const [only] = servers;
  // A configuration that cannot be read names no server.
  if (only?.name === '' && only.options === undefined && before.length > 0)
    return before.map((old) => keepLastModel({ ...only, name: old.name }, old));
  return servers.map((server) =>
    keepLastModel(
      server,
      before.find(({ name }) => name === server.name),
    ),
  );
}

function keepLastModel(server: Servers[number], before: Servers[number] | undefined): Servers[number] {
  if (server.report.model !== undefined || before?.report.model === undefined) return server;
  return { ...before, stopped: server.report };
}

function failedReport(diagnostics: readonly Diagnostic[]): Report {
  return { diagnostics, texts: { textOf: () => undefined } };
}

function findServer({ generation, servers }: Compilation, serverName?: string): CompiledServer {
  const server = serverName === undefined ? servers[0] : servers.find(({ name }) => name === serverName);
  if (server === undefined) throw new Refusal(404, `There is no server ${JSON.stringify(serverName)}.`);
  const names = servers.map(({ name }) => name).filter((name) => name !== '');
  return { ...server, generation, names, isNamed: names.length > 0 };
}
