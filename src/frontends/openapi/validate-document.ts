/** Judges a document by the schemas of the OpenAPI Initiative. Compiling does not need it: mcpgen reads more than valid documents. */
import type { OpenAPI } from 'openapi-types';
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { isLoadFailure } from './load/load-failure.ts';
import { defaultDocumentLimits } from './load/loaded-document.ts';
import { parseText } from './load/parse-text.ts';

export interface DocumentFault {
  /** JSON Pointer. */
  pointer: string;
  /** A clause: `"/info" must have required property 'version'`. */
  problem: string;
}

/** `unknown`: the reason why the document was not judged. */
export type Validity = { faults: DocumentFault[] } | { unknown: string };

const KNOWN = /^(?:2\.0|3\.[01]\.\d+)$/;

export async function validateDocument(text: string, file: string): Promise<Validity> {
  const parsed = parseText(text, file, defaultDocumentLimits);
  if (isLoadFailure(parsed) || !isRecord(parsed.value)) return { unknown: 'it is no object' };
  // The validator would visit a shared value again at each alias, which a hostile document multiplies.
  if ((parsed.aliases ?? 0) > 0) return { unknown: 'it has YAML aliases' };
  const version = String(parsed.value['openapi'] ?? parsed.value['swagger']);
  if (!KNOWN.test(version)) return { unknown: `the validator does not know version ${version}` };
  return { faults: await runSwaggerParser(parsed.value) };
}

async function runSwaggerParser(document: object): Promise<DocumentFault[]> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  /** References stay: the schemas allow them, and resolving would read files and URLs. */
  class Judge extends SwaggerParser {
    override async dereference(...all: unknown[]): Promise<OpenAPI.Document> {
      const document = all.find((candidate) => typeof candidate === 'object') as OpenAPI.Document;
      Object.assign(this, { schema: document, $refs: { circular: false } });
      return Promise.resolve(document);
    }
  }
  try {
    await new Judge().validate(document as OpenAPI.Document, { validate: { spec: false } });
    return [];
  } catch (error) {
    return toDocumentFaults(error);
  }
}

interface SchemaError {
  instancePath: string;
  keyword: string;
  message?: string;
  params: Record<string, unknown>;
}

const MOST_FAULTS = 100;
/** Says only that an alternative failed; the alternatives have errors of their own. */
const OUTER = new Set(['anyOf', 'oneOf', 'if', 'not']);

function toDocumentFaults(error: unknown): DocumentFault[] {
  const details = isRecord(error) ? error['details'] : undefined;
  if (!Array.isArray(details)) {
    if (error instanceof SyntaxError)
      return [{ pointer: '', problem: error.message.split('\n', 1)[0] ?? '' }];
    throw error;
  }
  const all = details as SchemaError[];
  const ownErrors = all.filter(
    ({ keyword, params }) => !OUTER.has(keyword) && params['missingProperty'] !== '$ref',
  );
  const faults = ownErrors.length === 0 ? all : ownErrors;
  const paths = faults.map(({ instancePath }) => instancePath);
  const isDeepest = (path: string): boolean => !paths.some((other) => other.startsWith(`${path}/`));
  const found = new Map<string, DocumentFault>();
  for (const { instancePath, message = '', params } of faults) {
    if (found.has(instancePath) || !isDeepest(instancePath)) continue;
    const extra = params['additionalProperty'] ?? params['unevaluatedProperty'];
    const name = typeof extra === 'string' ? ` (${JSON.stringify(extra)})` : '';
    found.set(instancePath, { pointer: instancePath, problem: `${message}${name}` });
    if (found.size === MOST_FAULTS) break;
  }
  return [...found.values()];
}
