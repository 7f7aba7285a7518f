import type { Parameter } from '../../../model/source-model.ts';
import { readCleanText } from '../document/record.ts';
import { type ReadContext, listArrayItems, resolveRecordNode, readOnceAndShare } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  isRecordNode,
  memberNode,
  nodeOrigin,
} from '../reference/source-node.ts';
import { readParameter } from './parameter.ts';

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
  { layers, operation, path, label }: ParameterOwner,
): Parameter[] {
  const byPlace = new Map<string, Parameter>();
  for (const level of [...layers, operation]) {
    const ofLevel = new Set<string>();
    for (const { listed, node } of resolveParameterList(context, level, label)) {
      const parameter = readOnceAndShare(context, node, 'parameter', () =>
        readParameter(context, node, label),
      );
      if (parameter === undefined) continue;
      const { in: place, name } = parameter;
      const key = `${place} ${place === 'header' ? name.toLowerCase() : name}`;
      if (!ofLevel.has(key)) byPlace.set(key, withReferenceDescription(parameter, listed));
      else
        context.report(
          'parameter-ignored',
          {
            parameter: `The ${place} parameter ${name}`,
            problem: 'it is declared twice, and the first one is used',
          },
          { at: nodeOrigin(listed) },
        );
      ofLevel.add(key);
    }
  }
  // `/pets/{petId}` → `petId`
  const variables = new Set(path.match(/\{[^{}]+\}/g)?.map((expression) => expression.slice(1, -1)) ?? []);
  const parameters = [...byPlace.values()].filter((parameter) => {
    if (parameter.in !== 'path' || variables.has(parameter.name)) return true;
    context.report(
      'parameter-ignored',
      { parameter: `The path parameter ${parameter.name}`, problem: `it does not occur in ${path}` },
      { at: parameter.origin },
    );
    return false;
  });
  const missing = [...variables].filter((name) => !byPlace.has(`path ${name}`));
  return [
    ...missing.map((name): Parameter => {
      const origin = nodeOrigin(operation);
      context.report('path-parameter-not-declared', { name, path }, { at: origin });
      const description = `In the path: ${path}`;
      return { origin, name, in: 'path', required: true, description, schema: { type: 'string' } };
    }),
    ...parameters,
  ];
}

/** Since OpenAPI 3.1 a description beside `$ref` replaces that of the target. */
function withReferenceDescription(parameter: Parameter, listed: SourceNode): Parameter {
  if (!isRecordNode(listed) || listed.value.$ref === undefined) return parameter;
  const { version } = listed.document;
  const description =
    version === '2.0' || version === '3.0' ? undefined : readCleanText(listed.value.description);
  return description === undefined ? parameter : { ...parameter, description };
}
