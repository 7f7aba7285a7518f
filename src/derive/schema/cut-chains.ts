/** Shared schemas that look at one value by way of one another: without end, no client and no server could check it. */
import type { JsonSchema } from '../../../templates/runtime/contract/json-schema.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { SourceModel } from '../../model/source-model.ts';
import { eachSubschema, refName } from '../../model/schema-walk.ts';

/** Links of one chain; a server checks a value by at most 1,000 schemas inside one another. */
const LONGEST = 500;

/** Keywords whose subschemas look at the same value. */
const inPlace = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);

/** The source with the end of each chain that is too long accepting anything, which is reported where it is declared. */
export function cutChains(source: SourceModel, diagnostics: DiagnosticCollector): SourceModel {
  const { schemas, schemaOrigins } = source;
  const cut = linksToCut(schemas);
  if (cut.size === 0) return source;
  for (const name of cut) {
    const at = Object.hasOwn(schemaOrigins, name) ? schemaOrigins[name] : undefined;
    diagnostics.report('schema-chain-too-long', { name, limit: LONGEST }, at === undefined ? {} : { at });
  }
  const entries = Object.entries(schemas).map(([name, schema]): [string, JsonSchema] => [
    name,
    cut.has(name) ? {} : schema,
  ]);
  return { ...source, schemas: Object.fromEntries(entries) };
}

interface Visit {
  name: string;
  /** Targets that are not followed yet. */
  open: string[];
  /** Links from here to the end of the longest chain. */
  length: number;
}

/** Follows each link once, without the stack: its depth is the document's choice. Circles end where they begin. */
function linksToCut(schemas: Readonly<Record<string, JsonSchema>>): Set<string> {
  const cut = new Set<string>();
  const lengths = new Map<string, number>();
  const visit = (name: string): Visit => {
    lengths.set(name, 0);
    return { name, open: listTargets(schemas[name], schemas), length: 1 };
  };
  for (const root of Object.keys(schemas)) {
    const path = lengths.has(root) ? [] : [visit(root)];
    for (let link = path.at(-1); link !== undefined; link = path.at(-1)) {
      const target = link.open.pop();
      if (target === undefined) {
        path.pop();
        lengths.set(link.name, settledLength(link, cut));
        lengthen(path.at(-1), lengths.get(link.name));
      } else if (lengths.has(target)) lengthen(link, lengths.get(target));
      else path.push(visit(target));
    }
  }
  return cut;
}

function settledLength({ name, length }: Visit, cut: Set<string>): number {
  if (length < LONGEST) return length;
  cut.add(name);
  return 1;
}

function lengthen(link: Visit | undefined, length = 0): void {
  if (link !== undefined) link.length = Math.max(link.length, length + 1);
}

/** The shared schemas that look at the same value as this one. */
function listTargets(
  schema: JsonSchema | undefined,
  schemas: Readonly<Record<string, JsonSchema>>,
  found: string[] = [],
): string[] {
  if (typeof schema !== 'object') return found;
  const name = refName(schema.$ref);
  if (name !== undefined && Object.hasOwn(schemas, name)) found.push(name);
  eachSubschema(schema, (subschema, keyword) => {
    if (inPlace.has(keyword)) listTargets(subschema, schemas, found);
  });
  return found;
}
