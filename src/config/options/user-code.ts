/** Checks hooks and helpers. */
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { type Check, type Fault, type Path, text, findUnknownMembers } from './shape.ts';

/** Parses the name of a module. `#` names a server of a configuration with several. */
export function parseModuleName(reference: string): { path: string; server?: string } {
  const [, path = reference, server] = /^(.*\.[mc]?[jt]s)#([\w.-]+)$/.exec(reference) ?? [];
  return server === undefined ? { path } : { path, server };
}

export const checkHookFunctions: Check = (value, path) => {
  const faults = checkFunctions(value, path, 'hooks');
  return isRecord(value) ? [...faults, ...findUnknownMembers(value, ['onModel', 'onFiles'], path)] : faults;
};

export const checkHelperFunctions: Check = (value, path) => {
  const faults = checkFunctions(value, path, 'helpers');
  const strange = isRecord(value)
    ? Object.keys(value).filter((name) => !/^[A-Za-z_$][\w$]*$/.test(name))
    : [];
  return [
    ...faults,
    ...strange.map((key) => ({ path, problem: `has ${JSON.stringify(key)}; ${NAME}`, key })),
  ];
};

const NAME = 'helper names contain only letters, digits, "_" and "$", and do not start with a digit';

function checkFunctions(value: unknown, path: Path, what: string): Fault[] {
  if (!isRecord(value) || Object.keys(value).length === 0) {
    const problem = `has no ${what}: it must be an object of functions, or export functions by name`;
    return [{ path, problem }];
  }
  return Object.keys(value)
    .filter((key) => typeof value[key] !== 'function')
    .map((key) => ({ path, problem: `has ${JSON.stringify(key)}, which is not a function`, key }));
}

/** Accepts the path of a module as well, since JSON and YAML have no functions. */
function makeFunctionsOrModuleCheck(functions: Check): Check {
  return (value, path) => {
    if (typeof value === 'string') return text(value, path);
    if (isRecord(value)) return functions(value, path);
    return [{ path, problem: 'must be the path of a module, or an object of functions' }];
  };
}

export const hooksCheck = makeFunctionsOrModuleCheck(checkHookFunctions);
export const helpersCheck = makeFunctionsOrModuleCheck(checkHelperFunctions);
