/** Checks hooks. */
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { type Check, text, findUnknownMembers } from './shape.ts';

/** Parses the name of a module. `#` names a server of a configuration with several. */
export function parseModuleName(reference: string): { path: string; server?: string } {
  const [, path = reference, server] = /^(.*\.[mc]?[jt]s)#([\w.-]+)$/.exec(reference) ?? [];
  return server === undefined ? { path } : { path, server };
}

export const checkHookFunctions: Check = (value, path) => {
  if (!isRecord(value) || Object.keys(value).length === 0) {
    const problem = 'has no hooks: it must be an object of functions, or export functions by name';
    return [{ path, problem }];
  }
  const functionFaults = Object.keys(value)
    .filter((key) => typeof value[key] !== 'function')
    .map((key) => ({ path, problem: `has ${JSON.stringify(key)}, which is not a function`, key }));
  return [...functionFaults, ...findUnknownMembers(value, ['onModel'], path)];
};

/** Accepts the path of a module as well, since JSON has no functions. */
export const hooksCheck: Check = (value, path) => {
  if (typeof value === 'string') return text(value, path);
  if (isRecord(value)) return checkHookFunctions(value, path);
  return [{ path, problem: 'must be the path of a module, or an object of functions' }];
};
