import { ts } from 'ts-morph';
import { tryParseJsonExactly } from '../../../util/try-parse-json.ts';
import type { Codec } from '../../../model/codec.ts';
import type { FunctionBinding, SchemaCheck } from '../../../model/bindings.ts';
import type { JsonObject, JsonSchema, JsonSchemaObject, ObjectSchema } from '../../../util/json-schema.ts';
import { setOwnMember } from '../../../util/json-value.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { composition, isSchemaObject } from '../../../model/schema-walk.ts';
import { type Docs, findDocs, findSymbolDocs, mergeDocs } from '../docs/read-docs.ts';
import { mayBeAbsent, mustBeAbsent } from '../schema/object-form.ts';
import { closeIfParameter } from '../schema/open-type.ts';
import { findTag, reportBadTag } from '../tags/tag-values.ts';
import { isArgumentsObject, isContext } from './type-kinds.ts';
import { findInitializer } from './signature-parameters.ts';
import { addInitializerDefault, addPatternDefaults } from './parameter-defaults.ts';
import { type FunctionParameter, checkParamTags, isUnnamed, readTaggedParameters } from './parameter.ts';
import type { Tagged } from './tagged.ts';
import type { Types } from './types.ts';
import { omitUndefined } from '../../../util/collections.ts';

export interface ReadParameters {
  call: Pick<FunctionBinding, 'parameters' | 'contextAt' | 'contextIn' | 'rest' | 'argumentCodec' | 'checks'>;
  input: ObjectSchema;
  places: ReadonlyMap<string, ts.Node>;
  docs: ReadonlyMap<string, Docs>;
}

/** Continues after a fault, so that all faults of a function are reported. */
export function readArguments(tagged: Tagged, source: SourceProgram, types: Types): ReadParameters {
  const all = readTaggedParameters(tagged, source);
  const contexts = all.filter(({ type }) => isContext(type, source));
  const [, second] = contexts;
  if (second !== undefined) reportUnusable(second, 'there is another `Context` before it', source);
  const argumentParameters = all
    .filter((parameter) => !contexts.includes(parameter))
    .map((parameter) => types.schemas.moveTagToParameter(parameter, tagged.block));
  const [context] = contexts;
  const at = context === undefined ? {} : { contextAt: all.indexOf(context) };
  checkParamTags(tagged, all, source);
  const read =
    readSoleParameter(argumentParameters, types, source) ??
    readPositionalParameters(argumentParameters, types, source);
  return { ...read, call: { ...read.call, ...at } };
}

/** Reads the only parameter, if it is the arguments object; else undefined. */
function readSoleParameter(
  [only, ...moreParameters]: readonly FunctionParameter[],
  types: Types,
  source: SourceProgram,
): ReadParameters | undefined {
  if (only === undefined || moreParameters.length > 0 || only.rest !== undefined) return undefined;
  const librarySchema = types.schemas.inputSchemaOf(only.docs);
  if (librarySchema !== undefined)
    return isUnbranchedObjectSchema(librarySchema, only) ? readSchema(only, types, source) : undefined;
  const tagSchema: unknown = tryParseJsonExactly(findTag(only.docs, 'schema')?.text ?? '');
  if (isSchemaObject(tagSchema) && (tagSchema.type ?? 'object') !== 'object') return undefined;
  const isObject = isArgumentsObject(only.type, source) && !mustBeOneArgument(only, source);
  return isObject ? readObject(only, types, source) : undefined;
}

function isUnbranchedObjectSchema(schema: JsonSchemaObject, { isOptional }: FunctionParameter): boolean {
  const isObject = schema.type === 'object' && !composition.some((keyword) => schema[keyword] !== undefined);
  // Nobody could leave out arguments that the object needs.
  return isObject && !(isOptional && schema.required !== undefined);
}

/** Reads a parameter whose type is a library's schema, which alone decides what the arguments are. */
function readSchema(parameter: FunctionParameter, types: Types, source: SourceProgram): ReadParameters {
  const { at, docs, type } = parameter;
  const { schema, codec } = types.readParameterType(parameter, type, { inline: true });
  delete schema.title;
  delete schema.default;
  if (docs.description === undefined) delete schema.description;
  const check = types.schemas.findParameterCheck(parameter);
  const contextIn = listContextMembers(type, source).map(({ name }) => name);
  return {
    call: {
      parameters: 'object',
      ...(contextIn.length === 0 ? {} : { contextIn }),
      ...omitUndefined({ argumentCodec: codec }),
      ...(check === undefined ? {} : { checks: [{ module: check.module, export: check.export }] }),
    },
    input: Object.assign(schema, { type: 'object' as const }),
    places: new Map(Object.keys(schema.properties ?? {}).map((name) => [name, at])),
    docs: new Map(),
  };
}

/** `(query?: Query)` with required members: all or none are given, which separate arguments cannot express. */
function mustBeOneArgument(parameter: FunctionParameter, source: SourceProgram): boolean {
  const { checker } = source;
  const { declaration, type, isOptional, partDocs } = parameter;
  if (!isOptional) return false;
  const initializer = findInitializer(declaration);
  const isEmpty =
    initializer && ts.isObjectLiteralExpression(initializer) && initializer.properties.length === 0;
  // A call always passes the arguments object, so another default would never apply.
  if (isEmpty === false) return true;
  if (isUnnamed(parameter)) return false;
  const plain = checker.getNonNullableType(closeIfParameter(type, checker));
  return checker.getPropertiesOfType(plain).some((member) => {
    const docs = mergeDocs(findSymbolDocs(member), partDocs.get(`.${member.name}`));
    const hasDefault = findTag(docs, 'default') !== undefined;
    const isGiven = isContext(checker.getTypeOfSymbol(member), source);
    return !isGiven && !hasDefault && !mayBeAbsent(member, checker);
  });
}

function readObject(parameter: FunctionParameter, types: Types, source: SourceProgram): ReadParameters {
  const { checker } = source;
  const { declaration, at, docs, partDocs } = parameter;
  const type = checker.getNonNullableType(closeIfParameter(parameter.type, checker));
  const contexts = listContextMembers(type, source);
  const contextIn = contexts.map(({ name }) => name);
  const properties = checker.getPropertiesOfType(type);
  // The arguments object is closed unless its keys are open, so nobody can give what it does not list.
  const isClosed = checker.getIndexInfosOfType(type).length === 0;
  const absent = properties.filter(
    (member) => isClosed && mustBeAbsent(checker.getTypeOfSymbol(member), mayBeAbsent(member, checker)),
  );
  const { schema, codec } = types.readParameterType(parameter, type, {
    inline: true,
    injected: new Set([...contextIn, ...absent.map(({ name }) => name)]),
  });
  // The type's description does not fit the tool; the argument's own does.
  delete schema.title;
  if (docs.description === undefined) delete schema.description;
  else schema.description = docs.description;
  // No client omits all arguments at once.
  delete schema.default;
  const standard = findTag(docs, 'default');
  if (standard !== undefined)
    reportBadTag(standard, 'says nothing about all arguments together: give each its own', source);
  addPatternDefaults(schema, declaration, types);
  if (schema.additionalProperties === undefined) schema.additionalProperties = false;
  const places = properties.map(({ name, valueDeclaration: node }) => {
    const isOwn = node !== undefined && source.userFiles.includes(node.getSourceFile());
    return [name, isOwn ? node : undefined] as const;
  });
  return {
    call: {
      parameters: 'object',
      ...(contextIn.length === 0 ? {} : { contextIn }),
      ...omitUndefined({ argumentCodec: codec }),
    },
    input: Object.assign(schema, { type: 'object' as const }),
    places: new Map(places.map(([name, node = at]) => [name, node])),
    docs: new Map(
      places.map(([name, node]) => [
        name,
        mergeDocs(node === undefined ? { tags: [] } : findDocs(node), partDocs.get(`.${name}`)),
      ]),
    ),
  };
}

function listContextMembers(type: ts.Type, source: SourceProgram): ts.Symbol[] {
  const { checker } = source;
  return checker
    .getPropertiesOfType(type)
    .filter((member) => isContext(checker.getTypeOfSymbol(member), source));
}

function readPositionalParameters(
  parameters: readonly FunctionParameter[],
  types: Types,
  source: SourceProgram,
): ReadParameters {
  const properties: Record<string, JsonSchema> = {};
  const codecs: Record<string, Codec> = {};
  const defaults: JsonObject = {};
  const required: string[] = [];
  const checks: SchemaCheck[] = [];
  const seen = new Set<string>();
  for (const parameter of parameters) {
    const { name, type, declaration, isLibrary, isOptional } = parameter;
    if (isHidden(parameter, source)) continue;
    // The only value is `undefined`, which JSON has not.
    const isSpecified = parameter.rest !== undefined || findTag(parameter.docs, 'schema') !== undefined;
    if (!isSpecified && mustBeAbsent(type, isOptional)) continue;
    const problem = !parameter.isNamed
      ? 'it is a pattern, and no `@param` gives it a name'
      : seen.has(name)
        ? 'another before it has the same name'
        : undefined;
    seen.add(name);
    if (problem !== undefined) {
      reportUnusable(parameter, problem, source);
      continue;
    }
    const isPattern = isUnnamed(parameter);
    const { schema, codec, isLeftOut } = types.readParameterType(
      parameter,
      type,
      isPattern ? { inline: true } : {},
    );
    if (isLeftOut === true) continue;
    if (isPattern) addPatternDefaults(schema, declaration, types);
    setOwnMember(properties, name, schema);
    if (codec !== undefined) setOwnMember(codecs, name, codec);
    const check = types.schemas.findParameterCheck(parameter);
    if (check !== undefined) checks.push(check);
    const hasDefault = schema.default !== undefined;
    const isGiven = hasDefault && !isLibrary && check === undefined;
    if (isGiven) setOwnMember(defaults, name, schema.default);
    if (isOptional) addInitializerDefault(schema, findInitializer(declaration), types);
    const mayBeAbsent = isGiven || (check !== undefined && hasDefault) || isOptional;
    if (!mayBeAbsent) required.push(name);
  }
  const parts = {
    ...(Object.keys(codecs).length === 0 ? {} : { properties: codecs }),
    ...(Object.keys(defaults).length === 0 ? {} : { defaults }),
  };
  return {
    call: {
      parameters: parameters.map(({ name }) => name),
      ...(parameters.at(-1)?.rest && { rest: true }),
      ...(Object.keys(parts).length === 0 ? {} : { argumentCodec: { kind: 'object', ...parts } }),
      ...(checks.length === 0 ? {} : { checks }),
    },
    input: {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    places: new Map(parameters.map(({ name, at }) => [name, at])),
    docs: new Map(parameters.map(({ name, docs }) => [name, docs])),
  };
}

/** `@hidden`: the function uses its own default. */
function isHidden(parameter: FunctionParameter, { diagnostics, originOf }: SourceProgram): boolean {
  const { docs, name, at, isOptional } = parameter;
  if (findTag(docs, 'hidden') === undefined) return false;
  if (!isOptional) diagnostics.report('hidden-required', { subject: name }, { at: originOf(at) });
  return true;
}

function reportUnusable(
  { name, declaration, at }: FunctionParameter,
  problem: string,
  { diagnostics, originOf }: SourceProgram,
): void {
  const parameter = declaration === undefined ? name : declaration.name.getText();
  diagnostics.report('parameter-not-usable', { parameter, problem }, { at: originOf(at) });
}
