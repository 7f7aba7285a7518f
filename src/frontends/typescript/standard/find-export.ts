import { ts } from 'ts-morph';

import { suggestNearest } from '../../../../templates/runtime/contract/feature.ts';
import type { WantedSchema } from '../../../model/schema-runs.ts';
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
  if (symbol === undefined) return { fault: describeUnknownName(name, file, source) };
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

function describeUnknownName(name: string, file: ts.SourceFile, source: SourceProgram): Fault {
  const near = suggestNearest(name, listLocalNames(file, source));
  const next =
    near === undefined ? 'Import it, or name an export of this file.' : `Did you mean \`${near}\`?`;
  return { problem: `there is no \`${name}\` in ${source.label(file)}`, next };
}

const VALUES = ts.SymbolFlags.Value | ts.SymbolFlags.Alias;

function findSymbol(name: string, file: ts.SourceFile, { checker }: SourceProgram): ts.Symbol | undefined {
  const symbol = checker.getSymbolsInScope(file, VALUES).find((candidate) => candidate.name === name);
  return symbol && resolveAlias(checker.getExportSymbolOfSymbol(symbol), checker);
}

/** Lists the names of this file alone, since the language has hundreds. */
function listLocalNames(file: ts.SourceFile, { checker }: SourceProgram): string[] {
  return checker
    .getSymbolsInScope(file, VALUES)
    .filter(({ declarations }) => declarations?.some((declaration) => declaration.getSourceFile() === file))
    .map((each) => each.name);
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
