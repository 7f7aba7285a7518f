/** Shows the progress of a run that takes long: a line for each step. */
import type { ReportOptions } from '../config/options/option-types.ts';
import type { Stage } from '../api/options.ts';
import type { Host } from './host.ts';
import { printableSource } from './words.ts';

/** Milliseconds before the first output. */
const PATIENCE = 1000;

const WORDS: Record<Stage, string> = {
  load: 'reading',
  derive: 'deriving tools of',
  emit: 'preparing files for',
  write: 'comparing files for',
};

export interface Progress {
  onStage: (stage: Stage) => void;
  done: () => void;
}

/** Shows the progress of `run`, which passes on its stages. */
export async function withProgress<T>(
  source: string,
  flags: ReportOptions,
  host: Host,
  run: (onStage: Progress['onStage']) => Promise<T>,
): Promise<T> {
  const progress = startProgress(source, flags, host);
  try {
    return await run(progress.onStage);
  } finally {
    progress.done();
  }
}

const SILENT: Progress = { onStage: () => undefined, done: () => undefined };

/** `source` is as typed: `-` is standard input. */
export function startProgress(source: string, flags: ReportOptions, host: Host): Progress {
  const { stderr, now } = host;
  if (flags.quiet === true || flags.json === true) return SILENT;
  if (source === '-' && host.stdinIsTTY) {
    stderr.write('Reading standard input; end with Ctrl-D.\n');
    return SILENT;
  }
  const subject = printableSource(source);
  const begun = now();
  let words = '';
  const showProgress = (): void => {
    if (words === '' || now() - begun < PATIENCE) return;
    stderr.write(`${words} …\n`);
    words = '';
  };
  const timer = setInterval(showProgress, 250);
  timer.unref();
  return {
    onStage: (stage) => {
      words = `${WORDS[stage]} ${subject}`;
      showProgress();
    },
    done: () => clearInterval(timer),
  };
}
