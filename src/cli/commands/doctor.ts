/** `mcpgen doctor`: runs the checks, and prints one line for each. */
import { resolve } from 'node:path';
import type { Flags } from '../../config/options/option-types.ts';
import { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { recordRunFile } from '../../diagnostics/running-code.ts';
import type { Check } from '../../doctor/check.ts';
import type { ClientConfigs } from '../../doctor/check-clients.ts';
import { runChecks } from '../../doctor/run-checks.ts';
import { findEntries } from '../../install/find-entries.ts';
import type { BuiltProject } from '../../project/built-project.ts';
import { isCodeRefused, readSendingConsent } from '../compile-options.ts';
import { findProject } from '../configured-project.ts';
import type { Host } from '../host.ts';
import { readMachine, shortenPath } from '../machine.ts';
import { EXIT, type Outcome, outcomeWithoutSource, successOutcome } from '../outcome.ts';
import { formatCountWithNoun, quoteShellWord, printablePath } from '../words.ts';
import { escapeInvisible } from '../../diagnostics/render/terminal-text.ts';

export async function runDoctor(dir: string, flags: Flags, host: Host): Promise<Outcome> {
  const { cwd, env } = host;
  const diagnostics = new DiagnosticCollector();
  const project = await findProject(dir, 'mcpgen doctor', flags, host, diagnostics);
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  const shown = quoteShellWord(printablePath(project?.dir ?? dir));
  const noCode = isCodeRefused(flags, env);
  if (project?.isBuilt === true && !noCode) recordRunFile(project.program);
  const checks = await runChecks({
    dir: shown,
    cwd,
    env,
    project,
    node: { program: process.execPath, version: process.versions.node },
    consent: readSendingConsent(flags, host),
    noCode,
    clients: (clientNames) => clientConfigs(clientNames, host),
  });
  const problems = checks.filter(({ state }) => state === 'failed').length;
  const outcome = successOutcome(
    { problems, checks },
    checks.map((check) => renderCheck(check, checks, host)).join(''),
  );
  if (problems === 0) return outcome;
  return {
    ...outcome,
    exitCode: EXIT.errors,
    next: `  ${formatCountWithNoun(problems, 'problem')} found.\n`,
  };
}

function clientConfigs(project: BuiltProject, host: Host): ClientConfigs {
  const { entries, unreadable } = findEntries(project, readMachine(host), resolve(host.cwd));
  return { unreadable, entries: entries.map((entry) => ({ ...entry, file: shortenPath(entry.file, host) })) };
}

const MARKS = { ok: ['green', '✓'], failed: ['red', '✗'], skipped: ['dim', '-'] } as const;

function renderCheck({ name, state, says, next }: Check, all: readonly Check[], { stdout }: Host): string {
  // An API of several has the name that its project gives it.
  const width = Math.max(...all.map((check) => escapeInvisible(check.name).length));
  const [style, mark] = MARKS[state];
  const step = next === undefined ? '' : `${' '.repeat(width + 4)}next: ${escapeInvisible(next)}\n`;
  return `${stdout.paint(style, mark)} ${escapeInvisible(name).padEnd(width)}  ${escapeInvisible(says)}\n${step}`;
}
