// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Answers that are too long for a model: kept for a while, and read in pages by those who may see them. */
import type { Caller } from '../../feature.ts';
import { randomId } from '../../session.ts';
import { type Content, type Json, ToolError } from '../../types.ts';
import { parseWhole } from './engine.ts';

export const KEPT_LIMITS = {
  keptMs: 10 * 60_000,
  /** Of one caller. */
  keptCharacters: 16 * 1024 * 1024,
  keptCharactersOfAll: 64 * 1024 * 1024,
  /** Of all answers that are inputs of one program. */
  inputCharacters: 16 * 1024 * 1024,
};

const SCHEME = 'kept:///';

interface Answer {
  text: string;
  /** Undefined where nobody is asked who he is: then the id alone opens it. */
  subject: string | undefined;
  /** Scopes of the tools that it came from. */
  needs: readonly string[];
  expires: number;
}

export class KeptAnswers {
  readonly #answers = new Map<string, Answer>();

  /** Those kept longest go first. Undefined: it has no room at all. */
  keep(text: string, caller: Caller | undefined, needs: readonly string[]): string | undefined {
    if (text.length > KEPT_LIMITS.keptCharacters) return undefined;
    const subject = caller?.subject;
    const now = Date.now();
    for (const [id, answer] of this.#answers) if (answer.expires <= now) this.#answers.delete(id);
    this.#makeRoom(KEPT_LIMITS.keptCharacters - text.length, (answer) => answer.subject === subject);
    this.#makeRoom(KEPT_LIMITS.keptCharactersOfAll - text.length, () => true);
    const id = randomId();
    this.#answers.set(id, { text, subject, needs, expires: now + KEPT_LIMITS.keptMs });
    return SCHEME + id;
  }

  #makeRoom(limit: number, isCounted: (answer: Answer) => boolean): void {
    let characters = 0;
    for (const answer of this.#answers.values()) if (isCounted(answer)) characters += answer.text.length;
    for (const [id, answer] of this.#answers) {
      if (characters <= limit) return;
      if (!isCounted(answer)) continue;
      this.#answers.delete(id);
      characters -= answer.text.length;
    }
  }

  /** One of another caller does not exist. @throws {RpcError} for a caller who lacks its scopes */
  #find(uri: string, caller: Caller | undefined): Answer | undefined {
    const [id = ''] = uri.slice(SCHEME.length).split('?');
    const answer = this.#answers.get(id);
    if (answer === undefined || answer.expires <= Date.now() || answer.subject !== caller?.subject)
      return undefined;
    caller?.require?.(answer.needs);
    return answer;
  }

  /** Undefined: there is no such answer, or no such page. @throws {RpcError} for a caller who lacks its scopes */
  readPage(uri: string, caller: Caller | undefined, pageCharacters: number): string | undefined {
    const number = /\?page=(\d{1,6})$/.exec(uri)?.[1] ?? '1';
    const { text } = this.#find(uri, caller) ?? {};
    const start = (Number(number) - 1) * pageCharacters;
    return start < 0 ? undefined : text?.slice(start, start + pageCharacters) || undefined;
  }

  /**
   * Answers by their URIs, each parsed once.
   * @throws {ToolError} if one is gone, or all are too much
   * @throws {RpcError} for a caller who lacks the scopes of one
   */
  readWhole(uris: ReadonlySet<string>, caller: Caller | undefined): Map<string, Json> {
    const { inputCharacters } = KEPT_LIMITS;
    const texts = [...uris].map((uri): [string, string] => {
      const { text } = this.#find(uri, caller) ?? {};
      if (text === undefined) throw new ToolError(`${uri} is kept no longer: call what gave it again.`);
      return [uri, text];
    });
    const characters = texts.reduce((sum, [, text]) => sum + text.length, 0);
    if (characters > inputCharacters)
      throw new ToolError(
        `The kept answers in \`inputs\` have more than ${inputCharacters.toLocaleString('en-US')} characters together.`,
      );
    return new Map(texts.map(([uri, text]) => [uri, parseWhole(text)]));
  }
}

export function isKeptUri(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(SCHEME);
}

export function linkTo(uri: string, text: string, pageCharacters: number): Content {
  const pages = Math.ceil(text.length / pageCharacters);
  const minutes = KEPT_LIMITS.keptMs / 60_000;
  return {
    type: 'resource_link',
    uri,
    name: 'whole answer',
    description: `The whole answer in ${pages} pages, for ${minutes} minutes: ${uri}?page=1 to ?page=${pages}. Steps take it as an input: {"inputs": {"answer": "${uri}"}}`,
    mimeType: /^\s*[[{]/.test(text) ? 'application/json' : 'text/plain',
    size: Buffer.byteLength(text),
  };
}
