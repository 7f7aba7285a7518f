import { ts } from 'ts-morph';

import { type JsonSchema, type JsonSchemaObject, pointerTokens } from '../../../util/json-schema.ts';
import { isRecord, ownMember } from '../../../../templates/runtime/json-rpc.ts';
import type { WantedSchema } from '../../../model/schema-runs.ts';
import { isSchemaObject, mapSubschemas, definitionNameOf, collectRefs } from '../../../model/schema-walk.ts';
import { findFreeName } from '../../../util/free-name.ts';
import type { Carried } from '../app/carry.ts';
import type { DocTag } from '../docs/doc-text.ts';
import { resolveAlias } from '../program/checker-queries.ts';
import type { SourceProgram } from '../program/source-program.ts';
import type { Fault } from './describe-problem.ts';

/** Reads the name of a schema after `@schema`; undefined for JSON. */
export function schemaName({ text }: Pick<DocTag, 'text'>): string | undefined {
  return /^(?!(?:true|false|null)$)[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.exec(text)?.[0];
}

interface FoundExport {
  file: ts.SourceFile;
  request: WantedSchema;
}

/** Finds the module and the name under which the server can import what `name` is in `file`. */
export function findExport(
  name: string,
  file: ts.SourceFile,
  source: SourceProgram,
  { files, layout }: Carried,
): FoundExport | { fault: Fault } {
  const symbol = findSymbol(name, file, source);
  if (symbol === undefined)
    return {
      fault: {
        problem: `there is no \`${name}\` in ${source.label(file)}`,
        next: 'Import it, or name an export of this file.',
      },
    };
  const declared = (symbol.declarations ?? []).map((declaration) => declaration.getSourceFile());
  for (const each of [file, ...declared]) {
    const exported = files.includes(each) ? findExportName(symbol, name, each, source.checker) : undefined;
    if (exported !== undefined)
      return { file: each, request: { module: layout.pathOf(each), export: exported } };
  }
  return {
    fault: {
      problem: `\`${name}\` is not exported, so the server could not load it`,
      next: `Export it: \`export const ${name} = …\`; of what a package exports, \`export { ${name} }\`.`,
    },
  };
}

const VALUES = ts.SymbolFlags.Value | ts.SymbolFlags.Alias;

function findSymbol(name: string, file: ts.SourceFile, { checker }: SourceProgram): ts.Symbol | undefined {
  const symbol = checker.getSymbolsInScope(file, VALUES).find((candidate) => candidate.name === name);
  return symbol && resolveAlias(checker.getExportSymbolOfSymbol(symbol), checker);
}

function findExportName(
  symbol: ts.Symbol,
  name: string,
  file: ts.SourceFile,
  checker: ts.TypeChecker,
): string | undefined {
  const module = checker.getSymbolAtLocation(file);
  const exports = module === undefined ? [] : checker.getExportsOfModule(module);
  const same = exports.find((candidate) => resolveAlias(candidate, checker) === symbol);
  if (same !== undefined) return same.name;
  // `module.exports = { Name }` makes another symbol of the same value.
  const type = checker.getTypeOfSymbol(symbol);
  return exports.find((candidate) => candidate.name === name && checker.getTypeOfSymbol(candidate) === type)
    ?.name;
}

/** Returns `~standard.types.input` or `.output` of the schema that a tag names. */
export function typeOfSchemaSide(
  tag: DocTag,
  direction: 'input' | 'output',
  source: SourceProgram,
): ts.Type | undefined {
  const { checker } = source;
  const symbol = findSymbol(schemaName(tag) ?? '', tag.file, source);
  const steps = ['~standard', 'types', direction];
  return steps.reduce<ts.Type | undefined>(
    (type, step) => {
      const member = type && checker.getPropertyOfType(checker.getNonNullableType(type), step);
      return member && checker.getTypeOfSymbol(member);
    },
    symbol && checker.getTypeOfSymbol(symbol),
  );
}

/** Deeper schemas are refused; people write far flatter ones. */
const DEEPEST = 100;

type LibraryJson = { schema: JsonSchemaObject } | { misfit: string };

/** Reads a library's schema. The root gets `name`, if a `$ref` leads to it. */
export function normalizeLibrarySchema(schema: unknown, name: string): LibraryJson {
  if (!isSchemaObject(schema)) return { misfit: 'it is no object' };
  if (isTooDeep(schema)) return { misfit: `it has more than ${DEEPEST} levels` };
  const { $schema: dialect, ...given } = schema;
  if (typeof dialect === 'string' && !dialect.includes('/draft/2020-12/'))
    return { misfit: `its dialect is ${dialect}, and not 2020-12` };
  const normalized = moveTargetsToDefs(given, name);
  return 'misfit' in normalized ? normalized : { schema: inlineRootReference(normalized.schema) };
}

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > 2 * DEEPEST) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** In a tool's schema `#` is the whole, so what a pointer names moves to `$defs`. */
function moveTargetsToDefs(given: JsonSchemaObject, name: string): LibraryJson {
  const pointers = [...collectRefs(given)].filter(
    (ref) => ref.startsWith('#') && definitionNameOf(ref) === undefined,
  );
  if (pointers.length === 0 || given.$id !== undefined) return { schema: given };
  const names = new Map<string, string>();
  for (const pointer of pointers) {
    const wish = pointer === '#' ? name : `${name}_${pointer.replaceAll(/\W+/g, '_').replace(/^_/, '')}`;
    names.set(
      pointer,
      findFreeName(wish, (free) => Object.hasOwn(given.$defs ?? {}, free)),
    );
  }
  const renameReferences = (schema: JsonSchema): JsonSchema => {
    if (typeof schema === 'boolean') return schema;
    const mapped = mapSubschemas(schema, renameReferences);
    const to = names.get(mapped.$ref ?? '');
    return to === undefined ? mapped : { ...mapped, $ref: `#/$defs/${to}` };
  };
  const renamed = renameReferences(given) as JsonSchemaObject;
  const moved: Record<string, JsonSchema> = {};
  for (const [pointer, to] of names) {
    const target = findPointerTarget(pointer, renamed);
    if (target === undefined) return { misfit: `its \`$ref\` ${JSON.stringify(pointer)} leads nowhere` };
    moved[to] = target;
  }
  return { schema: { ...renamed, $defs: { ...renamed.$defs, ...moved } } };
}

function findPointerTarget(pointer: string, schema: JsonSchemaObject): JsonSchema | undefined {
  if (pointer === '#') {
    const root = { ...schema };
    delete root.$defs;
    return root;
  }
  const target = pointerTokens(decodeURIComponent(pointer)).reduce<unknown>(
    (value, key) => (isRecord(value) ? ownMember(value, key) : undefined),
    schema,
  );
  return typeof target === 'boolean' || isSchemaObject(target) ? target : undefined;
}

/** Replaces a reference at the top by its target, since a tool's input schema must be an object there. */
function inlineRootReference(schema: JsonSchemaObject): JsonSchemaObject {
  const { $ref, ...rest } = schema;
  const name = definitionNameOf($ref);
  const target = name === undefined ? undefined : ownMember(schema.$defs ?? {}, name);
  return isSchemaObject(target) && definitionNameOf(target.$ref) === undefined
    ? { ...target, ...rest }
    : schema;
}
