/** Whether a tool call becomes a task: the client says so in 2025-11-25, the server in the extension. */
import { isRecord } from '../../contract/json-value.ts';
import type { ListedTool } from '../../contract/catalog.ts';
import {
  invalidParams,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  ProtocolError,
} from '../../protocol/protocol-error.ts';
import type { Call } from '../call.ts';
import { TASKS_EXTENSION } from '../capabilities.ts';

/** @throws {ProtocolError} where the tool can't run the way that the client wants, or the wish is malformed */
export function becomesTask(call: Call, { name, execution }: ListedTool): boolean {
  const support = execution?.taskSupport ?? 'forbidden';
  switch (call.agreement.features.tasks) {
    case 'none':
      return false;
    case 'extension':
      if (support === 'forbidden') return false;
      if (declaresTasks(call)) return true;
      if (support === 'required') throw lacksTasks(`The tool ${name} runs as a task only.`);
      return false;
    case 'core': {
      const isWanted =
        call.params['task'] !== undefined && call.server.cache.capabilities?.has('tasks') === true;
      if (isWanted && support === 'forbidden') throw refused(`The tool ${name} does not run as a task.`);
      if (!isWanted && support === 'required') throw refused(`The tool ${name} runs as a task only.`);
      // Ahead of all that the project does.
      if (isWanted) wantedTtl(call);
      return isWanted;
    }
  }
}

/** @throws {ProtocolError} `-32021` */
export function mustDeclareTasks(call: Call): void {
  if (call.agreement.features.tasks !== 'extension' || declaresTasks(call)) return;
  throw lacksTasks('Only clients that declare tasks may ask for them.');
}

/** Milliseconds that the client would like its task to be kept. @throws {ProtocolError} `-32602` */
export function wantedTtl({ agreement, params }: Call): number | undefined {
  const { task } = params;
  if (agreement.features.tasks !== 'core' || task === undefined) return undefined;
  if (!isRecord(task)) throw invalidParams('`task` must be an object.');
  const { ttl } = task;
  if (ttl === undefined || ttl === null) return undefined;
  if (typeof ttl === 'number' && ttl >= 0) return Math.floor(ttl);
  throw invalidParams('`task.ttl` must be milliseconds.');
}

function declaresTasks({ agreement }: Call): boolean {
  const { extensions } = agreement.clientCapabilities;
  return isRecord(extensions) && isRecord(extensions[TASKS_EXTENSION]);
}

function lacksTasks(words: string): ProtocolError {
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  return new ProtocolError(MISSING_CAPABILITY, words, 'capability', { requiredCapabilities });
}

function refused(words: string): ProtocolError {
  return new ProtocolError(METHOD_NOT_FOUND, words);
}
