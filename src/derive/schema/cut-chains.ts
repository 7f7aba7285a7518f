/** Cuts long chains of schemas that apply to the same value, which no validator could check. */
import type { JsonSchema } from '../../util/json-schema.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { quoteAsCodeSpan } from '../../diagnostics/quoting.ts';
import type { SourceModel } from '../../model/source-model.ts';
import { IN_PLACE, forEachSubschema, definitionNameOf } from '../../model/schema-walk.ts';

/** A chain may have so many links; the runtime nests at most 1,000 schemas for one value. */
const LONGEST = 500;

/** Replaces the end of each chain that is too long by `{}`, and reports it. */
export function cutReferenceChains(source: SourceModel, diagnostics: DiagnosticCollector): SourceModel {
  const { schemas, schemaOrigins } = source;
  const cut = findLinksToCut(schemas);
  if (cut.size === 0) return source;
  for (const name of cut) {
    const at = Object.hasOwn(schemaOrigins, name) ? schemaOrigins[name] : undefined;
    const problem = `${quoteAsCodeSpan(name)} ends a chain of ${LONGEST} schemas that only reference each other`;
    diagnostics.report('schema-too-large', { problem }, at === undefined ? {} : { at });
  }
  const entries = Object.entries(schemas).map(([name, schema]): [string, JsonSchema] => [
    name,
    cut.has(name) ? {} : schema,
  ]);
  return { ...source, schemas: Object.fromEntries(entries) };
}

interface Visit {
  name: string;
  open: string[];
  length: number;
}

/** Follows each link once, without recursion, since the document decides the depth. */
function findLinksToCut(schemas: Readonly<Record<string, JsonSchema>>): Set<string> {
  const cut = new Set<string>();
  const lengths = new Map<string, number>();
  const startVisit = (name: string): Visit => {
    lengths.set(name, 0);
    return { name, open: listReferenceTargets(schemas[name], schemas), length: 1 };
  };
  for (const root of Object.keys(schemas)) {
    const path = lengths.has(root) ? [] : [startVisit(root)];
    for (let link = path.at(-1); link !== undefined; link = path.at(-1)) {
      const target = link.open.pop();
      if (target === undefined) {
        path.pop();
        lengths.set(link.name, cutLongChain(link, cut));
        lengthenChain(path.at(-1), lengths.get(link.name));
      } else if (lengths.has(target)) lengthenChain(link, lengths.get(target));
      else path.push(startVisit(target));
    }
  }
  return cut;
}

function cutLongChain({ name, length }: Visit, cut: Set<string>): number {
  if (length < LONGEST) return length;
  cut.add(name);
  return 1;
}

function lengthenChain(link: Visit | undefined, length = 0): void {
  if (link !== undefined) link.length = Math.max(link.length, length + 1);
}

function listReferenceTargets(
  schema: JsonSchema | undefined,
  schemas: Readonly<Record<string, JsonSchema>>,
  chains: string[] = [],
): string[] {
  if (typeof schema !== 'object') return chains;
  const name = definitionNameOf(schema.$ref);
  if (name !== undefined && Object.hasOwn(schemas, name)) chains.push(name);
  forEachSubschema(schema, (subschema, keyword) => {
    if (IN_PLACE.has(keyword)) listReferenceTargets(subschema, schemas, chains);
  });
  return chains;
}
