/** The parameters of a function as the arguments of what is made of it. */
import type { ts } from 'ts-morph';
import type { Codec, FunctionBinding } from '../../../../templates/runtime/bindings.ts';
import type {
  JsonObject,
  JsonSchema,
  ObjectSchema,
} from '../../../../templates/runtime/schema/json-schema.ts';
import { setMember } from '../../../../templates/runtime/schema/json-value.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { readBlock, tagNamed } from '../tags/read-block.ts';
import { checkParamTags } from './param-tags.ts';
import { beyondContext, isArgumentsObject, isContext, standardType } from './arguments-object.ts';
import {
  type Declared,
  initializerOf,
  isDeclared,
  isPattern,
  mayBeAbsent,
  takesRest,
} from './declared-parameter.ts';
import { mayBeUndefined } from '../schema/absence.ts';
import { addDefault, addDefaults, addWholeDefault, refuseDefault } from './parameter-defaults.ts';
import type { Tagged } from './tagged.ts';
import type { Types } from './types.ts';

export interface ReadParameters {
  call: Pick<FunctionBinding, 'parameters' | 'contextAt' | 'contextIn' | 'rest' | 'argumentCodec'>;
  input: ObjectSchema;
  /** Where each argument is declared. */
  places: ReadonlyMap<string, ts.Node>;
}

interface Parameter {
  symbol: ts.Symbol;
  type: ts.Type;
  declaration: Declared | undefined;
  at: ts.Node;
  isLibrary: boolean;
}

/** Faults are reported; what is left of the parameters is read all the same. */
export function readParameters(tagged: Tagged, source: SourceProgram, types: Types): ReadParameters {
  const all = tagged.signature.parameters.map((symbol) => parameterOf(symbol, tagged, source));
  const contexts = all.filter(({ type }) => isContext(type, source));
  const [, second] = contexts;
  if (second !== undefined) refuse(second, 'there is another `Context` before it', source);
  for (const each of contexts) refuseBeyond(each, each.type, source);
  const others = all.filter((each) => !contexts.includes(each));
  const [context] = contexts;
  const at = context === undefined ? {} : { contextAt: all.indexOf(context) };
  const [only] = others;
  checkParamTags(tagged, source);
  const read =
    only !== undefined && others.length === 1 && !isRest(only) && isArgumentsObject(only.type, source)
      ? readObject(only, types, source)
      : readPositions(others, types, source);
  return { ...read, call: { ...read.call, ...at } };
}

function parameterOf(
  symbol: ts.Symbol,
  { at, isLibrary }: Tagged,
  { checker, userFiles }: SourceProgram,
): Parameter {
  const { valueDeclaration } = symbol;
  const declaration = valueDeclaration && isDeclared(valueDeclaration) ? valueDeclaration : undefined;
  const isOwn = declaration !== undefined && userFiles.includes(declaration.getSourceFile());
  return {
    symbol,
    type: checker.getTypeOfSymbol(symbol),
    declaration,
    at: isOwn ? declaration : at,
    isLibrary,
  };
}

function isRest({ declaration }: Parameter): boolean {
  return declaration !== undefined && takesRest(declaration);
}

function isOptional({ declaration, type }: Parameter, checker: ts.TypeChecker): boolean {
  return mayBeUndefined(type) || (declaration !== undefined && mayBeAbsent(declaration, checker));
}

/** One object of arguments: its members are the arguments. */
function readObject(parameter: Parameter, types: Types, source: SourceProgram): ReadParameters {
  const { checker } = source;
  const { symbol, declaration, at, isLibrary } = parameter;
  const type = checker.getNonNullableType(standardType(parameter.type, checker));
  const contexts = contextMembers(type, source);
  for (const member of contexts) refuseBeyond(parameter, checker.getTypeOfSymbol(member), source);
  const contextIn = contexts.map(({ name }) => name);
  const { schema, codec } = types.input(type, at, {
    name: symbol.name,
    declaration,
    inline: true,
    injected: new Set(contextIn),
    isLibrary,
  });
  // They say what the object is; the tool says what it is for.
  delete schema.description;
  delete schema.title;
  refuseDefault(schema, declaration, source);
  addDefaults(schema, declaration);
  const given = addWholeDefault(schema, declaration);
  if (schema.additionalProperties === undefined) schema.additionalProperties = false;
  const properties = checker.getPropertiesOfType(type);
  return {
    call: {
      parameters: 'object',
      ...(contextIn.length === 0 ? {} : { contextIn }),
      ...withDefaults(codec, given),
    },
    input: Object.assign(schema, { type: 'object' as const }),
    places: new Map(properties.map((property) => [property.name, placeOf(property, source) ?? at])),
  };
}

function withDefaults(codec: Codec | undefined, given: JsonObject): Pick<FunctionBinding, 'argumentCodec'> {
  if (Object.keys(given).length === 0) return codec === undefined ? {} : { argumentCodec: codec };
  const known = codec?.kind === 'object' ? codec : { kind: 'object' as const };
  return { argumentCodec: { ...known, defaults: { ...given, ...known.defaults } } };
}

/** Members that no client gives. */
function contextMembers(type: ts.Type, source: SourceProgram): ts.Symbol[] {
  const { checker } = source;
  return checker
    .getPropertiesOfType(type)
    .filter((member) => isContext(checker.getTypeOfSymbol(member), source));
}

function refuseBeyond(parameter: Parameter, type: ts.Type, source: SourceProgram): void {
  const [member] = beyondContext(type, source);
  if (member !== undefined)
    refuse(parameter, `its \`${member}\` is no member of a \`Context\`, so nothing would give it`, source);
}

function placeOf({ valueDeclaration: node }: ts.Symbol, { userFiles }: SourceProgram): ts.Node | undefined {
  return node !== undefined && userFiles.includes(node.getSourceFile()) ? node : undefined;
}

/** Each parameter is one argument. */
function readPositions(
  parameters: readonly Parameter[],
  types: Types,
  source: SourceProgram,
): ReadParameters {
  const properties: Record<string, JsonSchema> = {};
  const codecs: Record<string, Codec> = {};
  const defaults: JsonObject = {};
  const required: string[] = [];
  for (const parameter of parameters) {
    const { symbol, type, declaration, at, isLibrary } = parameter;
    const { name } = symbol;
    if (isHidden(parameter, source)) continue;
    if (declaration !== undefined && isPattern(declaration)) {
      refuse(parameter, 'it is a pattern and has no name', source);
      continue;
    }
    const mayBeAbsent = isOptional(parameter, source.checker);
    const { schema, codec, isLeftOut } = types.input(type, at, { name, declaration, mayBeAbsent, isLibrary });
    if (isLeftOut === true) continue;
    setMember(properties, name, schema);
    if (codec !== undefined) setMember(codecs, name, codec);
    const isGiven = schema.default !== undefined && !isLibrary;
    if (isGiven) setMember(defaults, name, schema.default);
    addDefault(schema, initializerOf(declaration));
    if (!isGiven && !mayBeAbsent) required.push(name);
  }
  const last = parameters.at(-1);
  return {
    call: {
      parameters: parameters.map(({ symbol }) => symbol.name),
      ...(last !== undefined && isRest(last) ? { rest: true } : {}),
      ...argumentCodec(codecs, defaults),
    },
    input: {
      type: 'object',
      properties,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    places: new Map(parameters.map(({ symbol, at }) => [symbol.name, at])),
  };
}

function argumentCodec(
  properties: Record<string, Codec>,
  defaults: JsonObject,
): Pick<FunctionBinding, 'argumentCodec'> {
  const parts = {
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(Object.keys(defaults).length === 0 ? {} : { defaults }),
  };
  return Object.keys(parts).length === 0 ? {} : { argumentCodec: { kind: 'object', ...parts } };
}

/** `@hidden` on a parameter: it stays as the function has it, and no client can give it. */
function isHidden(
  parameter: Parameter,
  { checker, diagnostics, originOf, originOfTag }: SourceProgram,
): boolean {
  const { declaration, symbol, at } = parameter;
  const block = declaration && readBlock(declaration);
  if (block === undefined || tagNamed(block, 'hidden') === undefined) return false;
  if (!isOptional(parameter, checker))
    diagnostics.report('hidden-required', { subject: symbol.name }, { at: originOf(at) });
  const tag = tagNamed(block, 'default');
  const because = "what is hidden is never given, so its default is the function's own";
  if (tag !== undefined)
    diagnostics.report('idle-member-tag', { tag: 'default', because }, { at: originOfTag(tag) });
  return true;
}

function refuse(
  { symbol, declaration, at }: Parameter,
  problem: string,
  { diagnostics, originOf }: SourceProgram,
): void {
  const parameter = declaration === undefined ? symbol.name : declaration.name.getText();
  diagnostics.report('parameter-not-usable', { parameter, problem }, { at: originOf(at) });
}
