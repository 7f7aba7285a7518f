import type { EncodingBinding } from '../../../model/bindings.ts';
import type { JsonSchema } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import type { ArgumentRule, RequestBody } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { readArgumentRule } from '../document/x-mcp.ts';
import { setOwnMember, printValue, readCleanText } from '../document/record.ts';
import { readMediaType } from '../operations/media-types.ts';
import { type ParameterOwner, resolveParameterList } from '../operations/parameters.ts';
import { type ReadContext, readFlag } from '../read-context.ts';
import { type RecordNode, nodeOrigin } from '../reference/source-node.ts';
import { readMediaTypes } from './operation.ts';
import { readSwaggerSchema } from './parameter.ts';

const multipart = 'multipart/form-data';
const form = 'application/x-www-form-urlencoded';

export function readSwaggerBody(context: ReadContext, owner: ParameterOwner): RequestBody | undefined {
  const consumes = readMediaTypes(context, owner.operation, 'consumes', owner.label);
  const operationNodes = readParameterNodes(context, owner.operation, owner.label);
  const listed = [
    ...operationNodes,
    ...owner.layers
      .toReversed()
      .flatMap((layer) =>
        readParameterNodes(context, layer, owner.label).filter(
          ({ value }) =>
            !operationNodes.some(
              (other) =>
                other.value.in === value.in && (value.in === 'body' || other.value.name === value.name),
            ),
        ),
      ),
  ];
  const bodies = listed.filter(({ value }) => value.in === 'body');
  const fields = listed.filter(({ value }) => value.in === 'formData' && typeof value.name === 'string');
  const [body] = bodies;
  if (bodies.length > 1 || (body !== undefined && fields.length > 0))
    context.report(
      'parameter-ignored',
      {
        parameter: `Another body than the first body parameter of ${owner.label}`,
        problem: 'a request has one body',
        fix: 'Use one `in: body` parameter, or only `in: formData` ones.',
      },
      { at: nodeOrigin(owner.operation) },
    );
  if (body !== undefined) return readBodyParameter(context, body, consumes);
  return fields.length === 0 ? undefined : readFormBody(context, owner, fields, consumes);
}

function readParameterNodes(context: ReadContext, level: RecordNode, label: string): RecordNode[] {
  return resolveParameterList(context, level, label).map(({ node }) => node);
}

function readBodyParameter(context: ReadContext, body: RecordNode, consumes: string[]): RequestBody {
  const types = consumes.filter((type) => type !== form && !type.startsWith('multipart/'));
  const mediaTypes = types.length === 0 ? ['application/json'] : types;
  return {
    origin: nodeOrigin(body),
    required: readFlag(context, body, 'required') === true,
    ...omitUndefined({ description: readCleanText(body.value.description) }),
    content: mediaTypes.map((mediaType) => readMediaType(context, mediaType, body)),
  };
}

function readFormBody(
  context: ReadContext,
  owner: ParameterOwner,
  fields: RecordNode[],
  consumes: string[],
): RequestBody {
  const properties: Record<string, JsonSchema> = {};
  const encoding: Record<string, EncodingBinding> = {};
  const rules: Record<string, ArgumentRule> = {};
  const required: string[] = [];
  for (const field of fields) {
    const name = printValue(field.value.name);
    const { schema, ...reading } = readSwaggerSchema(context, field, name, 'form');
    const description = readCleanText(field.value.description);
    setOwnMember(
      properties,
      name,
      isRecord(schema) && description !== undefined ? { ...schema, description } : schema,
    );
    const empty = readFlag(context, field, 'allowEmptyValue') === true ? { allowEmptyValue: true } : {};
    const binding: EncodingBinding = { ...reading, ...empty };
    if (Object.keys(binding).length > 0) setOwnMember(encoding, name, binding);
    const rule = readArgumentRule(context, field);
    if (rule !== undefined) setOwnMember(rules, name, rule);
    if (readFlag(context, field, 'required') === true) required.push(name);
  }
  const schema: JsonSchema = { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
  const common = {
    origin: nodeOrigin(fields[0] ?? owner.operation),
    schema,
    ...(Object.keys(encoding).length === 0 ? {} : { encoding }),
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
  };
  return {
    origin: common.origin,
    required: required.length > 0,
    content: chooseFormTypes(fields, consumes).map((mediaType) => ({
      ...common,
      mediaType,
      kind: mediaType === form ? 'form' : 'multipart',
    })),
  };
}

/** Chooses the types of a form: one with files needs multipart. */
function chooseFormTypes(fields: RecordNode[], consumes: string[]): string[] {
  const offered = consumes.filter((type) => type === form || type.startsWith('multipart/'));
  if (fields.some(({ value }) => value.type === 'file')) {
    const able = offered.filter((type) => type !== form);
    return able.length === 0 ? [multipart] : able;
  }
  return offered.length === 0 ? [form] : offered;
}
