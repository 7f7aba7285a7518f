/** Types of arguments of a large API: what several tools have stands once, as in its other data. */
import { shortHash } from '../../util/short-hash.ts';
import { quoteString } from '../print-literals.ts';
import type { PrintedType } from './type-printer.ts';

/** Characters from which a file shares its types: people still read a smaller one, so it stays as it is. */
const SMALLEST = 1024 * 1024;
/** Fewest characters of a type that is worth a name of its own. */
const SMALLEST_TYPE = 100;

/** Members of the types' objects, as `TypePrinter` lays them out. */
const MEMBER = /^( {4}\S.*?\??: )([^]*?);$(?=\n {4}\S|\n {2}\}$)/gm;

interface NamedType {
  name: string;
  type: string;
}

/** Refers to the first tool with the same arguments, and gives long types of members that several tools have a name in `Schemas`. */
export function nameSharedTypes<T extends NamedType>(
  all: readonly T[],
): { tools: readonly T[]; shared: PrintedType[] } {
  const size = all.reduce((sum, { type }) => sum + type.length, 0);
  if (size < SMALLEST) return { tools: all, shared: [] };
  const tools = referToEqualTypes(all);
  const uses = new Map<string, number>();
  for (const { type } of tools)
    for (const [, , member = ''] of type.matchAll(MEMBER))
      if (member.length >= SMALLEST_TYPE) uses.set(member, (uses.get(member) ?? 0) + 1);
  const names = new Map<string, string>();
  const nameSharedMember = (whole: string, head: string, member: string): string => {
    if ((uses.get(member) ?? 0) < 2) return whole;
    const name = `shared ${shortHash(member)}`;
    names.set(name, member);
    return `${head}Schemas[${quoteString(name)}];`;
  };
  const shorter = tools.map((tool) => ({ ...tool, type: tool.type.replace(MEMBER, nameSharedMember) }));
  const shared = [...names].map(([name, type]) => ({ name, type: type.replaceAll('\n  ', '\n') }));
  return { tools: shorter, shared };
}

function referToEqualTypes<T extends NamedType>(tools: readonly T[]): T[] {
  const firsts = new Map<string, string>();
  return tools.map((tool) => {
    const first = firsts.get(tool.type);
    if (first === undefined) firsts.set(tool.type, tool.name);
    const type = first === undefined ? tool.type : `Tools[${quoteString(first)}]`;
    return type.length < tool.type.length ? { ...tool, type } : tool;
  });
}
