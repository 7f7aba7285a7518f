/** Shows the progress of a run that takes long: a spinner on a terminal, a plain line elsewhere. */
import type { ReportOptions } from '../config/options/option-types.ts';
import type { Stage } from '../api/options.ts';
import type { Host } from './host.ts';
import { printableSource } from './words.ts';

/** Milliseconds before the first output. */
const PATIENCE = 1000;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

const WORDS: Record<Stage, string> = {
  load: 'reading',
  derive: 'deriving tools of',
  emit: 'making files for',
  write: 'writing files for',
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
  const { stderr, env, now } = host;
  if (flags.quiet === true || flags.json === true) return SILENT;
  if (source === '-' && host.stdinIsTTY) {
    // A spinner would overwrite the typed text.
    stderr.write('Reading standard input; end with Ctrl-D.\n');
    return SILENT;
  }
  const subject = printableSource(source);
  const spins = stderr.isTTY && env['CI'] === undefined;
  const begun = now();
  let words = '';
  let frame = 0;
  const showProgress = (): void => {
    if (words === '' || now() - begun < PATIENCE) return;
    if (spins) stderr.write(`\r\x1b[2K${FRAMES[(frame += 1) % FRAMES.length] ?? ''} ${words}`);
    else stderr.write(`${words} …\n`);
    if (!spins) words = '';
  };
  const timer = setInterval(showProgress, spins ? 80 : 250);
  timer.unref();
  return {
    onStage: (stage) => {
      words = `${WORDS[stage]} ${subject}`;
      showProgress();
    },
    done: () => {
      clearInterval(timer);
      if (spins && frame > 0) stderr.write('\r\x1b[2K');
    },
  };
}
