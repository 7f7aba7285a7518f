import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import type { Parameter } from '../../../model/source-model.ts';
import { type Rec, readCleanText } from '../document/record.ts';
import { type ReadContext, listArrayItems, resolveRecordNode, readOnceAndShare } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  isRecordNode,
  memberNode,
  nodeOrigin,
} from '../reference/source-node.ts';
import type { OperationEntry } from './path-items.ts';

type ParameterReader = (context: ReadContext, node: RecordNode, operation: string) => Parameter | undefined;

export interface ParameterOwner {
  layers: RecordNode[];
  operation: RecordNode;
  path: string;
  label: string;
}

export function resolveParameterList(
  context: ReadContext,
  owner: RecordNode,
  label: string,
): { listed: SourceNode; node: RecordNode }[] {
  const list = memberNode(owner, 'parameters');
  return listArrayItems(context, list, `\`parameters\` of ${label}`).flatMap((listed) => {
    const node = resolveRecordNode(context, listed, `A parameter of ${label}`, 'parameter');
    return node === undefined ? [] : [{ listed, node }];
  });
}

/** The operation's parameters replace the path's. Each undescribed path variable becomes a parameter. */
export function readParameters(
  context: ReadContext,
  owner: ParameterOwner,
  read: ParameterReader,
): Parameter[] {
  const parameters = new Map<string, Parameter>();
  for (const level of [...owner.layers, owner.operation]) {
    for (const [key, parameter] of readParametersAtLevel(context, level, owner, read))
      parameters.set(key, parameter);
  }
  return matchPathParametersToPath(
    context,
    owner,
    dropQueryBesideQuerystring(context, owner, [...parameters.values()]),
  );
}

function readParametersAtLevel(
  context: ReadContext,
  level: RecordNode,
  { label }: ParameterOwner,
  read: ParameterReader,
): Map<string, Parameter> {
  const parameters = new Map<string, Parameter>();
  for (const { listed, node } of resolveParameterList(context, level, label)) {
    const shared = readOnceAndShare(context, node, 'parameter', () => read(context, node, label));
    if (shared === undefined) continue;
    const name = shared.in === 'header' ? shared.name.toLowerCase() : shared.name;
    const key = `${shared.in} ${name}`;
    if (parameters.has(key))
      context.report(
        'parameter-ignored',
        {
          parameter: `The ${shared.in} parameter ${shared.name}`,
          problem: 'it is declared twice, and the first one is used',
        },
        { at: nodeOrigin(listed) },
      );
    else parameters.set(key, withReferenceDescription(shared, listed));
  }
  return parameters;
}

/** OpenAPI 3.2: a parameter that is the whole query string excludes every other in the query. */
function dropQueryBesideQuerystring(
  context: ReadContext,
  { label }: ParameterOwner,
  parameters: Parameter[],
): Parameter[] {
  const whole = parameters.find((parameter) => parameter.in === 'querystring');
  if (whole === undefined) return parameters;
  return parameters.filter((parameter) => {
    const isKept = parameter === whole || (parameter.in !== 'query' && parameter.in !== 'querystring');
    if (!isKept)
      context.report(
        'parameter-ignored',
        {
          parameter: `The parameter ${parameter.name} of ${label}`,
          problem: 'another one is the whole query string',
        },
        { at: parameter.origin },
      );
    return isKept;
  });
}

/** Since OpenAPI 3.1 a description beside `$ref` replaces that of the target. */
function withReferenceDescription(parameter: Parameter, listed: SourceNode): Parameter {
  if (!isRecordNode(listed) || listed.value.$ref === undefined) return parameter;
  const { version } = listed.document;
  const description =
    version === '2.0' || version === '3.0' ? undefined : readCleanText(listed.value.description);
  return description === undefined ? parameter : { ...parameter, description };
}

function matchPathParametersToPath(
  context: ReadContext,
  { path, operation }: ParameterOwner,
  parameters: Parameter[],
): Parameter[] {
  // `/pets/{petId}` → `petId`
  const names = path.match(/\{[^{}]+\}/g)?.map((expression) => expression.slice(1, -1)) ?? [];
  const variables = [...new Set(names)];
  const keptParameters = parameters.filter((parameter) => {
    if (parameter.in !== 'path' || variables.includes(parameter.name)) return true;
    context.report(
      'parameter-ignored',
      { parameter: `The path parameter ${parameter.name}`, problem: `it does not occur in ${path}` },
      { at: parameter.origin },
    );
    return false;
  });
  const described = new Set(
    keptParameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
  );
  const missing = variables.filter((name) => !described.has(name));
  return [
    ...missing.map((name): Parameter => {
      context.report('path-parameter-not-declared', { name, path }, { at: nodeOrigin(operation) });
      const description = `In the path: ${path}`;
      return {
        ...{ origin: nodeOrigin(operation), name, in: 'path', required: true, description },
        schema: { type: 'string' },
      };
    }),
    ...keptParameters,
  ];
}

export function findHeaderParameter(name: string, parameters: readonly RecordNode[]): RecordNode | undefined {
  return parameters.find(
    ({ value }) =>
      value.in === 'header' && typeof value.name === 'string' && value.name.toLowerCase() === name,
  );
}

/** Lists the media types, the default first. Undefined if any type is allowed. */
export function listMediaTypes({ default: first, enum: allowed }: Rec): string[] | undefined {
  const literals: unknown[] = [first, ...(Array.isArray(allowed) ? (allowed as unknown[]) : [])];
  const types = new Set(
    literals.filter(
      (type) => typeof type === 'string' && type.includes('/') && /^[ -~]+$/.test(type),
    ) as string[],
  );
  return types.size === 0 ? undefined : [...types];
}

export function readAcceptHeader(
  context: ReadContext,
  { layers, operation }: Pick<OperationEntry, 'layers' | 'operation'>,
  label: string,
): string[] | undefined {
  for (const level of [operation, ...layers.toReversed()]) {
    const nodes = resolveParameterList(context, level, label).map(({ node }) => node);
    const { value } = findHeaderParameter('accept', nodes) ?? {};
    if (value !== undefined) return listMediaTypes(isRecord(value.schema) ? value.schema : value);
  }
  return undefined;
}
