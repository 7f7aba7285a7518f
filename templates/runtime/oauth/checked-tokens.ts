// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Tokens that were checked: a cache by digest, the token of each caller, and repeated checks while a stream is open.
 */
import { putAndDropOldest } from '../contract/json-value.ts';
import type { AuthInfo, VerifyToken } from '../definition.ts';
import { type Place, decodeRepeatedly, secretSpellings } from '../escapes.ts';
import { LevelSearch, type Redact, SHORTEST_SECRET, redactNothing, replaceRanges } from '../redact.ts';
import { CheckFailure, TokenRefusal } from './refusals.ts';
import type { AuthLimits } from './settings.ts';
import type { CheckedCaller } from './verifier.ts';

export interface Finding<T> {
  value: T;
  /** Valid until then, in milliseconds since 1970. A time in the past: the token is checked each time. */
  until: number;
}

interface CheckedTokensOptions {
  most: number;
  refusedMs: number;
  now: () => number;
}

export class CheckedTokens<T> {
  readonly #options: CheckedTokensOptions;
  readonly #good = new Map<string, Finding<T>>();
  /** Bad tokens have a cache of their own, so that made-up ones don't displace good ones. */
  readonly #bad = new Map<string, Finding<TokenRefusal>>();
  readonly #pending = new Map<string, Promise<T>>();

  constructor(options: CheckedTokensOptions) {
    this.#options = options;
  }

  findGood(digest: string): T | undefined {
    return this.#findFresh(this.#good, digest);
  }

  /** Whether the token was good once; it may have expired since. */
  wasGood(digest: string): boolean {
    return this.#good.has(digest);
  }

  /** Runs `check` once for concurrent requests. Rejects with the `TokenRefusal` of a bad token; other errors are not cached. */
  async checkOnce(digest: string, check: () => Promise<Finding<T>>): Promise<T> {
    const known = this.findGood(digest);
    if (known !== undefined) return known;
    const refused = this.#findFresh(this.#bad, digest);
    if (refused !== undefined) throw refused;
    const pending = this.#pending.get(digest) ?? this.#runCheck(digest, check);
    this.#pending.set(digest, pending);
    return pending;
  }

  async #runCheck(digest: string, check: () => Promise<Finding<T>>): Promise<T> {
    try {
      const finding = await check();
      putAndDropOldest(this.#good, digest, finding, this.#options.most);
      return finding.value;
    } catch (thrown) {
      if (thrown instanceof TokenRefusal) {
        const { now, refusedMs, most } = this.#options;
        this.#good.delete(digest);
        putAndDropOldest(this.#bad, digest, { value: thrown, until: now() + refusedMs }, most);
      }
      throw thrown;
    } finally {
      this.#pending.delete(digest);
    }
  }

  #findFresh<V>(findings: ReadonlyMap<string, Finding<V>>, digest: string): V | undefined {
    const finding = findings.get(digest);
    return finding !== undefined && this.#options.now() < finding.until ? finding.value : undefined;
  }
}

/**
 * Limits the calls of `verifyToken` at a time, so that calls that hang can't accumulate: further ones reject with a
 * `CheckFailure`. A call that continues after its `signal` was aborted counts for `ownLateMs` at most.
 */
export function limitConcurrentChecks(
  verifyToken: VerifyToken,
  { ownChecks, ownLateMs }: Pick<AuthLimits, 'ownChecks' | 'ownLateMs'>,
): VerifyToken {
  const running = new Set<symbol>();
  return async (token, { signal }) => {
    if (running.size >= ownChecks)
      throw new CheckFailure(
        `\`verifyToken\` has ${ownChecks} checks under way, and this one was not begun.`,
      );
    const check = Symbol();
    running.add(check);
    signal.addEventListener('abort', () => void setTimeout(() => running.delete(check), ownLateMs).unref(), {
      once: true,
    });
    try {
      return await verifyToken(token, { signal });
    } finally {
      running.delete(check);
    }
  };
}

/**
 * Tokens are kept apart from the `AuthInfo`, which handlers, hooks and logs see. An exchange needs them, and so does
 * the check that a caller's token is sent to no API.
 */
const tokens = new WeakMap<AuthInfo, string>();

export function keepTokenOfCaller(caller: AuthInfo, token: string): void {
  tokens.set(caller, token);
}

export function findTokenOfCaller(caller: AuthInfo): string | undefined {
  return tokens.get(caller);
}

export function containsToken(caller: AuthInfo, text: string): boolean {
  const token = findTokenOfCaller(caller);
  return (
    token !== undefined &&
    token.length > 1 &&
    new PartSearch(token, token.length).findSecrets(text).length > 0
  );
}

export function subjectKey({ issuer, subject }: AuthInfo): string {
  return JSON.stringify([issuer, subject]);
}

/** Node's timers fire at once for a longer time. */
const LONGEST_MS = 2_147_483_647;

interface WatchOptions {
  /** Checks the token again. Rejects with a `TokenRefusal`, or with a `CheckFailure` if it can't be checked now. */
  look: () => Promise<CheckedCaller>;
  limits: Pick<AuthLimits, 'failureMs' | 'uncheckedMs'>;
  now: () => number;
  report: (thrown: unknown) => void;
  end: (why: string) => void;
}

/**
 * Checks the token of an open stream or socket repeatedly, and ends it when the token is no longer good. Returns a
 * function that stops the checks.
 */
export function watchToken(caller: CheckedCaller, options: WatchOptions): () => void {
  const { look, limits, now, report } = options;
  let good = caller;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const stopWatching = (): void => {
    isOver = true;
    clearTimeout(timer);
  };
  const end = (why: string): void => {
    stopWatching();
    options.end(why);
  };
  const wakeIn = (ms: number): void => {
    timer = setTimeout(() => void check(), Math.min(Math.max(ms, 0), LONGEST_MS)).unref();
  };
  const scheduleNextCheck = (): void => wakeIn(Math.min(good.checkedUntil, good.endsAt) - now());
  const check = async (): Promise<void> => {
    if (now() >= good.endsAt) return end('The token has expired.');
    try {
      const found = await look();
      if (isOver) return;
      if (!grantsAsMuch(found.auth, caller.auth)) return end('The token reaches less far than it did.');
      good = found;
      scheduleNextCheck();
    } catch (thrown) {
      if (!isOver) handleCheckFailure(thrown);
    }
  };
  const handleCheckFailure = (thrown: unknown): void => {
    // It may have expired during the check.
    const isExpired = now() >= good.endsAt;
    if (thrown instanceof TokenRefusal)
      return end(isExpired ? 'The token has expired.' : 'The token is not valid any more.');
    if (!(thrown instanceof CheckFailure)) report(thrown);
    else if (now() - good.checkedUntil < limits.uncheckedMs) return wakeIn(limits.failureMs);
    end('The token can not be checked.');
  };
  scheduleNextCheck();
  return stopWatching;
}

/** A second introspection of the same token may grant less. */
function grantsAsMuch(found: AuthInfo, first: AuthInfo): boolean {
  const isSame = found.issuer === first.issuer && found.subject === first.subject;
  const isBoundAlike = serializeConfirmation(found) === serializeConfirmation(first);
  return isSame && isBoundAlike && first.scopes.every((scope) => found.scopes.includes(scope));
}

function serializeConfirmation({ confirmation }: AuthInfo): string {
  return JSON.stringify([confirmation?.jkt, confirmation?.['x5t#S256']]);
}

/** Shorter parts of a token occur in names and words. */
const TOKEN_PART = 8;

/** Replaces each part of `TOKEN_PART` characters too, so that a token split over several arguments can't be read from a log. */
export function tokenRedactor(token: string): Redact {
  if (token.length < SHORTEST_SECRET) return redactNothing;
  const search = new PartSearch(token, TOKEN_PART);
  return (text) => replaceRanges(text, search.findSecrets(text));
}

/** The filter has 32 bits for each part of the token. */
const BITS_EACH = 32;
const HASH_FACTOR = 0x9e3779b1;

/** Prepared in one pass: each caller has its own token, searched in few short texts. */
class PartSearch extends LevelSearch {
  readonly #size: number;
  readonly #source: string;
  readonly #shift: number;
  /** Bloom filter of the hashes of the token's parts. */
  #bits: Uint8Array | undefined;

  constructor(token: string, size: number) {
    super();
    this.#size = Math.min(size, token.length);
    this.#source = [
      ...new Set([token, ...decodeRepeatedly(token, this.#size)].flatMap(secretSpellings)),
    ].join('\0');
    this.#shift = Math.clz32(this.#source.length * BITS_EACH);
  }

  protected override findUnescaped(text: string): Place[] {
    const found: Place[] = [];
    const bits = (this.#bits ??= this.#hashParts());
    let known = 0;
    forEachRollingHash(text, this.#size, (all, end) => {
      const hash = all >>> this.#shift;
      if (end <= known || ((bits[hash >> 3] ?? 0) & (1 << (hash & 7))) === 0) return;
      const start = end - this.#size;
      const at = this.#source.indexOf(text.slice(start, end));
      if (at === -1) return;
      for (known = end; text[known] === this.#source[at + known - start] && known < text.length;) known++;
      found.push([start, known]);
    });
    return found;
  }

  protected override mayHideSecret(): boolean {
    return true;
  }

  #hashParts(): Uint8Array {
    const bits = new Uint8Array(1 << (29 - this.#shift));
    forEachRollingHash(this.#source, this.#size, (all) => {
      const hash = all >>> this.#shift;
      bits[hash >> 3] = (bits[hash >> 3] ?? 0) | (1 << (hash & 7));
    });
    return bits;
  }
}

/** Calls back with the rolling hash and end of each run of `size` characters. */
function forEachRollingHash(text: string, size: number, callback: (hash: number, end: number) => void): void {
  let [hash, first] = [0, 1];
  for (let at = 0; at < size; at++) first = Math.imul(first, HASH_FACTOR);
  for (let at = 0; at < text.length; at++) {
    hash = (Math.imul(hash, HASH_FACTOR) + text.charCodeAt(at)) | 0;
    if (at >= size) hash = (hash - Math.imul(text.charCodeAt(at - size), first)) | 0;
    if (at >= size - 1) callback(hash, at + 1);
  }
}
