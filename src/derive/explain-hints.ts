/** Explains hints to directories that want a reason for each. */
import type { Tool } from '../model/server-model.ts';
import { SAFE, findDestructiveWord } from './annotations.ts';

type HintName = 'readOnlyHint' | 'destructiveHint' | 'openWorldHint';
type HintReasons = Record<HintName, string>;

/** Hints that were derived have the method and the words that they come from; for others the source says so. */
export function explainHints({
  name,
  annotations = {},
  binding,
}: Pick<Tool, 'name' | 'annotations'> & { binding?: Tool['binding'] }): HintReasons {
  const { readOnlyHint = false, destructiveHint = !readOnlyHint, openWorldHint = true } = annotations;
  if (binding === undefined) return explainAddedTool({ readOnlyHint, destructiveHint, openWorldHint });
  if (binding.kind !== 'http')
    return {
      readOnlyHint: readOnlyHint
        ? 'The function is declared to only read.'
        : 'The function may change data: it is not declared to only read.',
      destructiveHint: explainFunctionDestruction(readOnlyHint, destructiveHint),
      openWorldHint: openWorldHint
        ? 'The function may reach systems outside of the client.'
        : 'The function changes no system outside of the client.',
    };
  const { method, path, operationId = name } = binding;
  const key = `${method.toUpperCase()} ${path}`;
  const word = findDestructiveWord({ method, operationId, path });
  return {
    readOnlyHint: explainReading(key, method, word, readOnlyHint),
    destructiveHint: explainDestruction(key, method, word, { readOnlyHint, destructiveHint }),
    openWorldHint: explainOpenWorld(key, readOnlyHint, openWorldHint),
  };
}

/** The tools that search, describe and call others have no binding, so their hints alone say what they do. */
function explainAddedTool({
  readOnlyHint,
  destructiveHint,
  openWorldHint,
}: Record<HintName, boolean>): HintReasons {
  const calls = destructiveHint
    ? 'It calls any tool, also one that changes or deletes.'
    : 'It calls tools that read or add.';
  const change = readOnlyHint ? 'It changes nothing: it reads, or calls tools that only read.' : calls;
  return {
    readOnlyHint: change,
    destructiveHint: change,
    openWorldHint: openWorldHint
      ? 'It calls tools of an API outside of the client.'
      : 'It reads the list of tools of this server, and nothing outside of it.',
  };
}

function explainFunctionDestruction(isReading: boolean, isDestructive: boolean): string {
  if (isDestructive) return 'The function may delete or overwrite data: it is not declared to only add.';
  return isReading
    ? 'The function deletes and overwrites nothing, since it only reads.'
    : 'The function is declared to only add data.';
}

function explainReading(key: string, method: string, word: string | undefined, isReading: boolean): string {
  const isSafe = SAFE.has(method.toUpperCase());
  if (isReading !== (isSafe && word === undefined))
    return `The description of the API states that ${key} ${isReading ? 'only reads' : 'may change data'}.`;
  if (isReading) return `${key} is a safe method of HTTP: it retrieves data and changes none.`;
  return isSafe
    ? `The name or path of ${key} says "${word ?? ''}", so it may change data although its method is safe.`
    : `${key} uses a method that changes data.`;
}

function explainDestruction(
  key: string,
  method: string,
  word: string | undefined,
  { readOnlyHint, destructiveHint }: { readOnlyHint: boolean; destructiveHint: boolean },
): string {
  if (!destructiveHint)
    return readOnlyHint
      ? `${key} deletes and overwrites nothing, since it only reads.`
      : `${key} adds data, and changes nothing that was there.`;
  if (method.toUpperCase() === 'DELETE') return `${key} deletes data.`;
  return word === undefined
    ? `${key} may overwrite data that was there.`
    : `The name or path of ${key} says "${word}", which may be beyond repair.`;
}

function explainOpenWorld(key: string, isReading: boolean, isOpen: boolean): string {
  if (isReading)
    return isOpen
      ? `${key} reads from an API outside of the client.`
      : `${key} changes no public or foreign system, since it only reads.`;
  return isOpen
    ? `${key} changes data of an API outside of the client, which others may see.`
    : `The description of the API states that ${key} changes no public or foreign system.`;
}
