import type { Caller } from '../core/caller.ts';

/** A caller, as far as its token has been looked at. */
export interface CheckedCaller extends Caller {
  /** Milliseconds since 1970, from which the token counts no more, the tolerance of clocks included; or `Infinity`. */
  endsAt: number;
  /** Milliseconds since 1970, until which the token need not be looked at again. It may expire later, or never. */
  checkedUntil: number;
}
