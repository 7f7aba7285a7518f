import { suggest } from '../../templates/runtime/contract/suggest.ts';
import { listDefinitions } from '../diagnostics/find-definition.ts';

/** Most suggestions. */
const MOST = 5;

/** Codes or names that the user may have meant by `query`, the likeliest first. */
export function nearDefinitions(query: string): string[] {
  const wanted = query.trim().toLowerCase();
  const digits = /^(?:mcpg)?[-\s]*(\d+)$/.exec(wanted)?.[1];
  if (digits !== undefined) return nearCodes(digits);
  const name = suggest(
    wanted,
    listDefinitions().map((one) => one.name),
  );
  return name === undefined ? [] : [name];
}

/** Codes that begin with the digits, or differ in one of them. */
function nearCodes(digits: string): string[] {
  const codes = listDefinitions().map(({ code }) => code);
  const begun = codes.filter((code) => code.startsWith(`MCPG${digits}`));
  const slips = codes.filter((code) => isOneSlip(digits, code.slice('MCPG'.length)));
  return (begun.length > 0 ? begun : slips).slice(0, MOST);
}

/** One digit differs, or one is too many. */
function isOneSlip(given: string, code: string): boolean {
  if (given.length === code.length) return [...given].filter((digit, at) => digit !== code[at]).length === 1;
  if (given.length !== code.length + 1) return false;
  return [...given].some((_, at) => given.slice(0, at) + given.slice(at + 1) === code);
}
