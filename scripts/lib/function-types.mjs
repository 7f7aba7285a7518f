/** The declarations of `mcpgen/runtime`, which functions import, in one file. */
import { format, resolveConfig } from 'prettier';
import { rollTypes } from './roll-types.mjs';

/** Classes that the declarations of Node or of browsers bring; without either, members that functions use. */
const GLOBALS = {
  AbortSignal: `{
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}`,
  URL: '{ href: string; toString(): string }',
  Headers:
    '{ get(name: string): string | null; has(name: string): boolean; set(name: string, value: string): void; append(name: string, value: string): void; delete(name: string): void }',
};

/** The text compiles with and without `@types/node` and the library `dom`. `file`: declarations of all types. */
export async function functionTypes(file, header) {
  const globals = Object.entries(GLOBALS).map(
    ([name, members]) => `type ${name} = Global<'${name}', ${members}>;`,
  );
  const text = `${header}
/** The class of this name, where the program declares it. */
type Global<Name extends string, Otherwise> =
  typeof globalThis extends Readonly<Record<Name, { prototype: infer Type }>> ? Type : Otherwise;

${globals.join('\n')}

${rollTypes(file)}`;
  return format(text, { ...(await resolveConfig(import.meta.filename)), parser: 'typescript' });
}
