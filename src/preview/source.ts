import type { ConfigRun, ReadServer } from '../config/load/read-config.ts';
import type { GenerateOptions } from '../api/options.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Observer } from '../model/observer.ts';

/** The source of the preview. Its options are read for each compilation, since configurations change too. */
export interface PreviewSource {
  cwd: string;
  /** Absolute: that of the configuration, or of the command. */
  folder: string;
  /** The configuration's file name. Absent: there is none. */
  config?: string;
  /** Reads the configuration, which the page edits. Absent: there is none. */
  readConfig?: (
    server: string | undefined,
    diagnostics: DiagnosticCollector,
  ) => Promise<ReadServer | undefined>;
  /** Reads the servers' options; `undefined` after an error. */
  read: (run: PreviewRun) => Promise<PreviewedServer[] | undefined>;
}

export interface PreviewRun {
  diagnostics: DiagnosticCollector;
  observer?: Observer | undefined;
  draft?: ConfigRun['draft'];
}

export type PreviewOptions = Omit<GenerateOptions, 'cwd'> & { cwd: string };

export interface PreviewedServer {
  /** Name of the server. Absent if the configuration has only one. */
  server?: string | undefined;
  /** Absent after an error. */
  options?: PreviewOptions | undefined;
  diagnostics: DiagnosticCollector;
}
