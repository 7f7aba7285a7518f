import type { AuthInfo } from '../definition.ts';

/** Whom a message comes from, where the transport has asked for a token. */
export interface Caller {
  auth: AuthInfo;
  /** Issuer and subject as one text, for what belongs to a caller: sessions, tasks. */
  subject: string;
  /** Takes the caller's token out of a text, and longer parts of it, however they are encoded. */
  withoutToken?: (text: string) => string;
  /**
   * For what lasts longer than a request: looks at the token again while it does, and calls `end` once, with words for the
   * client, when it is good no more. Returns what takes that back.
   */
  untilRefused: (end: (why: string) => void) => () => void;
}
