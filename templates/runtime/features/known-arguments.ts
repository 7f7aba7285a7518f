// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Arguments whose values the configuration or a variable has (`arguments` in the configuration). */
import type { FillArguments } from '../call-api.ts';
import type { Feature } from '../feature.ts';
import { parseJson } from '../json-rpc.ts';
import { type Env, type Json, ToolError } from '../types.ts';

interface KnownArgument {
  value?: Json;
  /** The variable that holds the value, and wins over `value`. */
  env?: string;
  isJson?: boolean;
  /** The client's value wins. */
  isDefault?: boolean;
}
declare module '../types.ts' {
  interface HttpBinding {
    known?: Record<string, KnownArgument>;
  }
  interface ApiBinding {
    /** Variables whose values are sent as arguments → names of these on the wire. */
    argumentVariables?: Record<string, string[]>;
  }
}

export function knownArguments(): Feature {
  return { name: 'known-arguments', parts: { arguments: { known: fill } } };
}

/** Other values are parts of ids and links that answers have: a region, a workspace. */
const SECRET_NAME = /(?:^|_)(?:key|token|secret|password|passphrase|authorization|credentials?)(?:_|$)/i;

const fill: FillArguments = (args, { known = {} }, env) => {
  const filled = { ...args };
  const secrets: string[] = [];
  for (const [argument, rule] of Object.entries(known)) {
    if (rule.isDefault === true && args[argument] !== undefined) continue;
    const value = valueOf(argument, rule, env);
    Object.defineProperty(filled, argument, { value, enumerable: true, configurable: true, writable: true });
    const names = [argument.replace(/(?<=[a-z\d])(?=[A-Z])|\W/g, '_'), rule.env ?? ''];
    if (rule.env !== undefined && names.some((name) => SECRET_NAME.test(name)))
      secrets.push(...listTexts(value));
  }
  return { args: filled, secrets };
};

function valueOf(argument: string, { env: variable, value, isJson }: KnownArgument, env: Env): unknown {
  const text = (variable !== undefined && env[variable]) || '';
  if (variable === undefined || (text === '' && value !== undefined)) return value;
  if (text === '')
    throw new ToolError(
      `The server sends "${argument}" from the variable ${variable}, which is not set. Set ${variable} in the environment of this MCP server.`,
    );
  if (isJson !== true) return text;
  try {
    return parseJson(text);
  } catch {
    throw new ToolError(
      `The variable ${variable}, sent as "${argument}", must hold JSON, such as 5 or ["a"].`,
    );
  }
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(listTexts);
  return [String(value)];
}
