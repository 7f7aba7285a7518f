// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Joins what watches the same requests: metrics, traces and the audit log. */
import type { AuditedCall } from '../core/call.ts';
import type { WatchAttempts } from '../feature-loaders.ts';
import { LEGACY_REVISIONS, MODERN_REVISIONS, featuresOf } from '../protocol/revisions.ts';

/** Methods of all revisions: a client may send any text as a method. */
export const METHODS: ReadonlySet<string> = new Set([
  'initialize',
  ...[...LEGACY_REVISIONS, ...MODERN_REVISIONS].flatMap((revision) => [...featuresOf(revision).methods]),
]);

export function watchBoth(outer: AuditedCall, inner: AuditedCall | undefined): AuditedCall {
  if (inner === undefined) return outer;
  return {
    trace: outer.trace ?? inner.trace,
    done: (result) => {
      outer.done(result);
      inner.done(result);
    },
    failed: (thrown) => {
      outer.failed(thrown);
      inner.failed(thrown);
    },
    cancelled: () => {
      outer.cancelled();
      inner.cancelled();
    },
    onBehalf: (schemes) => {
      outer.onBehalf(schemes);
      inner.onBehalf(schemes);
    },
    continueAsTask: (taskId) => watchBoth(outer.continueAsTask(taskId), inner.continueAsTask(taskId)),
    watchSending: (path) => combineAttemptWatchers(outer.watchSending?.(path), inner.watchSending?.(path)),
  };
}

function combineAttemptWatchers(
  outer: WatchAttempts | undefined,
  inner: WatchAttempts | undefined,
): WatchAttempts {
  return (attempt) => {
    const [first, second] = [outer?.(attempt), inner?.(attempt)];
    return {
      headers: [...(first?.headers ?? []), ...(second?.headers ?? [])],
      end: (outcome) => {
        first?.end(outcome);
        second?.end(outcome);
      },
    };
  };
}
