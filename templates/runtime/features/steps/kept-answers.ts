// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Answers that are too long for a model: kept for a while, and read in pages by those who may see them. */
import type { Caller, MethodCall } from '../../feature.ts';
import { ownMember } from '../../json-rpc.ts';
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

  /** Returns a link to it. The oldest go first. Undefined: it has no room at all. */
  keep(text: string, tools: readonly string[], method: MethodCall): Content | undefined {
    const { keptMs, keptCharacters, keptCharactersOfAll } = KEPT_LIMITS;
    const subject = callerOf(method)?.subject;
    const now = Date.now();
    if (text.length > keptCharacters) return undefined;
    let [room, callerRoom] = [keptCharactersOfAll - text.length, keptCharacters - text.length];
    for (const [id, { text, ...answer }] of [...this.#answers].reverse()) {
      const isOfCaller = answer.subject === subject;
      if (answer.expires <= now || text.length > room || (isOfCaller && text.length > callerRoom)) {
        this.#answers.delete(id);
        continue;
      }
      room -= text.length;
      if (isOfCaller) callerRoom -= text.length;
    }
    const id = randomId();
    const needs = tools.flatMap((name) => scopesOf(method, name));
    this.#answers.set(id, { text, subject, needs, expires: now + keptMs });
    const pages = Math.ceil(text.length / method.server.settings.resultCharacters);
    const uri = SCHEME + id;
    return {
      type: 'resource_link',
      uri,
      name: 'whole answer',
      description: `The whole answer in ${pages} pages, for ${keptMs / 60_000} minutes: ${uri}?page=1 to ?page=${pages}. Steps take it as an input: {"inputs": {"answer": "${uri}"}}`,
      mimeType: /^\s*[[{]/.test(text) ? 'application/json' : 'text/plain',
      size: Buffer.byteLength(text),
    };
  }

  /** One of another caller does not exist. @throws {RpcError} for a caller who lacks its scopes */
  #find(uri: string, method: MethodCall): string | undefined {
    const [id = ''] = uri.slice(SCHEME.length).split('?');
    const answer = this.#answers.get(id);
    const caller = callerOf(method);
    if (answer === undefined || answer.expires <= Date.now() || answer.subject !== caller?.subject)
      return undefined;
    caller?.require?.(answer.needs);
    return answer.text;
  }

  /** Undefined: there is no such answer, or no such page. @throws {RpcError} for a caller who lacks its scopes */
  readPage(uri: string, method: MethodCall): string | undefined {
    const { resultCharacters } = method.server.settings;
    const number = /\?page=(\d{1,6})$/.exec(uri)?.[1] ?? '1';
    const start = (Number(number) - 1) * resultCharacters;
    return start < 0
      ? undefined
      : this.#find(uri, method)?.slice(start, start + resultCharacters) || undefined;
  }

  /**
   * Answers by their URIs, each parsed once.
   * @throws {ToolError} if one is gone, or all are too much
   * @throws {RpcError} for a caller who lacks the scopes of one
   */
  readWhole(uris: readonly string[], method: MethodCall): Map<string, Json> {
    let room = KEPT_LIMITS.inputCharacters;
    const texts = [...new Set(uris)].map((uri): [string, string] => {
      const text = this.#find(uri, method);
      if (text === undefined) throw new ToolError(`${uri} is kept no longer: call what gave it again.`);
      room -= text.length;
      return [uri, text];
    });
    if (room < 0) {
      const limit = KEPT_LIMITS.inputCharacters.toLocaleString('en-US');
      throw new ToolError(`The kept answers in \`inputs\` have more than ${limit} characters together.`);
    }
    return new Map(texts.map(([uri, text]) => [uri, parseWhole(text)]));
  }
}

export function isKeptUri(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(SCHEME);
}

function callerOf({ exchange, session }: MethodCall): Caller | undefined {
  return exchange.caller ?? session.caller;
}

/** Scopes that the source and the user's own code ask for a tool. */
function scopesOf({ server: { bindings, catalog } }: MethodCall, name: string): readonly string[] {
  const items = [
    ownMember(bindings.tools, name),
    catalog.handlers.extraTools?.find((tool) => tool.name === name),
  ];
  return items.flatMap((item) => (item as { scopes?: readonly string[] } | undefined)?.scopes ?? []);
}
