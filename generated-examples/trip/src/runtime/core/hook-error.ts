import { messageOf } from './answer.ts';

/** What one of the project's own hooks threw: its words are meant for the one who asked. */
export class HookError extends Error {
  override readonly name = 'HookError';
}

/** @throws {HookError} in place of what the hook throws */
export async function guarded<T>(hook: () => T | Promise<T>, wordsOf = messageOf): Promise<T> {
  try {
    return await hook();
  } catch (thrown) {
    throw new HookError(wordsOf(thrown), { cause: thrown });
  }
}
