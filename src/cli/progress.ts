/** Tells a waiting person what goes on: a spinner on a terminal, elsewhere a plain line, and only when it takes long. */
import type { ReportOptions } from '../config/options/option-types.ts';
import type { Stage } from '../api/compile.ts';
import type { Host } from './host.ts';
import { visibleSource } from './words.ts';

/** Shorter runs say nothing. */
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
  /** Takes the spinner away. */
  done: () => void;
}

const SILENT: Progress = { onStage: () => undefined, done: () => undefined };

/** `source` as it was typed: `-` is standard input. */
export function startProgress(source: string, flags: ReportOptions, host: Host): Progress {
  const { stderr, env, now } = host;
  if (flags.quiet === true || flags.json === true) return SILENT;
  if (source === '-' && host.stdinIsTTY) {
    // And no spinner, which would write over what is typed.
    stderr.write('Reading standard input; end with Ctrl-D.\n');
    return SILENT;
  }
  const subject = visibleSource(source);
  const spins = stderr.isTTY && env['CI'] === undefined;
  const begun = now();
  let words = '';
  let frame = 0;
  const tell = (): void => {
    if (words === '' || now() - begun < PATIENCE) return;
    if (spins) stderr.write(`\r\x1b[2K${FRAMES[(frame += 1) % FRAMES.length] ?? ''} ${words}`);
    else stderr.write(`${words} …\n`);
    if (!spins) words = '';
  };
  const timer = setInterval(tell, spins ? 80 : 250);
  timer.unref();
  return {
    onStage: (stage) => {
      words = `${WORDS[stage]} ${subject}`;
      tell();
    },
    done: () => {
      clearInterval(timer);
      if (spins && frame > 0) stderr.write('\r\x1b[2K');
    },
  };
}
