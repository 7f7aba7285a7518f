/** Bounds how many checks of tokens the project's own code has to do at one time: one that hangs must not gather them. */
import type { VerifyToken } from '../definition.ts';
import type { AuthLimits } from './limits.ts';
import { CheckFailure } from './token-refusal.ts';

/**
 * As `verifyToken`; it rejects with a `CheckFailure`, which is no fault of the token, while `ownChecks` are under way. One that goes on after its `signal` has
 * aborted counts until it ends, for `ownLateMs` at most: one that never ends would take a place for good.
 */
export function boundedCheck(
  verifyToken: VerifyToken,
  { ownChecks, ownLateMs }: Pick<AuthLimits, 'ownChecks' | 'ownLateMs'>,
): VerifyToken {
  const underWay = new Set<symbol>();
  return async (token, { signal }) => {
    if (underWay.size >= ownChecks)
      throw new CheckFailure(
        `\`verifyToken\` has ${ownChecks} checks under way, and this one was not begun.`,
      );
    const check = Symbol();
    underWay.add(check);
    signal.addEventListener('abort', () => void setTimeout(() => underWay.delete(check), ownLateMs).unref(), {
      once: true,
    });
    try {
      return await verifyToken(token, { signal });
    } finally {
      underWay.delete(check);
    }
  };
}
