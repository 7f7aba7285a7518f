/** Opens the audit log where the settings say. */
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { OpenAudit } from '../core/call.ts';
import { type AuditSettings, type Environment, UsageError } from '../main/settings.ts';
import { secretsOf } from '../secret-variables.ts';
import { redactor } from '../redact.ts';
import { type AuditOptions, createAudit } from './audit.ts';
import { AuditLog } from './audit-log.ts';
import { typesOf, valuesOf } from './shown-arguments.ts';

export { readAuditSettings } from './audit-settings.ts';

const BUFFER_CHARACTERS = 4 * 1024 * 1024;
const FLUSH_MS = 200;

/** @throws {UsageError} when the file can't be written to */
export async function openAudit(
  { to, full }: AuditSettings,
  server: string,
  { env, stderr, report }: { env: Environment; stderr: Writable; report: (thrown: unknown) => void },
): Promise<OpenAudit> {
  const log = new AuditLog(to === 'stderr' ? stderr : await appendTo(to), {
    bufferCharacters: BUFFER_CHARACTERS,
    flushMs: FLUSH_MS,
    report: (thrown) => report(new Error('The audit log can no longer be written.', { cause: thrown })),
    droppedLine: (dropped) => JSON.stringify({ time: new Date().toISOString(), server, dropped }),
  });
  const redact = redactor(secretsOf(env));
  const shown = full ? valuesOf : typesOf;
  const show: AuditOptions['show'] = (args, withoutToken) =>
    shown(args, (text) => redact(withoutToken(text)));
  return { audit: createAudit({ server, log, show }), flush: async () => log.flush() };
}

/** For the one who runs the server alone: lines say who calls what. */
async function appendTo(path: string): Promise<Writable> {
  try {
    await (await open(path, 'a', 0o600)).close();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(
      `The audit log ${path} can't be written to: ${reason}. --audit names a file, or stderr.`,
      {
        cause,
      },
    );
  }
  return createWriteStream(path, { flags: 'a', mode: 0o600 });
}
