// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Types of the questions that handlers put to the client: forms, pages, samples of its model, roots. */
import type { Json, JsonObject, ObjectSchema } from './contract/json-schema.ts';
import type { AskOptions, With } from './definition.ts';

export interface Questions {
  /**
   * Asks the user by a form (since 2025-06-18) of strings, numbers, booleans and choices, and checks the answer by
   * the schema. Don't ask for secrets: client and model read the answer. Throws if the client can't ask, or doesn't
   * answer.
   */
  elicit<const S extends FormSchema | object>(
    this: With<'ask'>,
    message: string,
    schema: S & FlatForm<S>,
    options?: AskOptions,
  ): Promise<ElicitAnswer<FilledForm<S>>>;
  /**
   * Sends the user to a page (since 2025-11-25). The client doesn't see it, so it may ask for secrets. The URL (http
   * or https, without credentials) must say nothing about the user, and the page must check who opens it.
   */
  elicitUrl(
    this: With<'ask'>,
    message: string,
    url: string,
    options?: ElicitUrlOptions,
  ): Promise<Pick<ElicitAnswer, 'action'>>;
  /** Asks the client's model. Throws if the client has none, or the request is refused. */
  sample(this: With<'ask'>, request: SampleRequest, options?: AskOptions): Promise<SampleAnswer>;
  /** The folders and files that the client works on. Throws if the client has no list. */
  roots(this: With<'ask'>, options?: AskOptions): Promise<Root[]>;
}

export interface ElicitUrlOptions extends AskOptions {
  /** Identifies the question in the notification of its end (2025-11-25). Default: random. */
  elicitationId?: string;
}

/** `content`: as the form says, checked. */
export type ElicitAnswer<Content = JsonObject> =
  { action: 'accept'; content: Content } | { action: 'decline' | 'cancel'; content?: undefined };

interface FieldWords {
  readonly title?: string;
  readonly description?: string;
  /** Default true. An object of JSON Schema lists the names of such fields instead. */
  readonly required?: boolean;
}

interface FormChoice {
  readonly const: string;
  readonly title: string;
}

interface TextField extends FieldWords {
  readonly type: 'string';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  readonly enum?: readonly string[];
  /** Words for `enum`, in its order. */
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly FormChoice[];
  readonly default?: string;
}

interface NumberField extends FieldWords {
  readonly type: 'number' | 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

interface BooleanField extends FieldWords {
  readonly type: 'boolean';
  readonly default?: boolean;
}

/** Several choices (since 2025-11-25). */
interface ChoicesField extends FieldWords {
  readonly type: 'array';
  readonly items:
    { readonly type: 'string'; readonly enum: readonly string[] } | { readonly anyOf: readonly FormChoice[] };
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: readonly string[];
}

/** A field of a form (MCP `PrimitiveSchemaDefinition`). The user may leave it out if it says `required: false`. */
export type FormField = TextField | NumberField | BooleanField | ChoicesField;

/** Fields by their names, an object of JSON Schema with such fields, or a Standard JSON Schema of one. */
export type FormSchema = FormFields | ObjectSchema | StandardJSONSchemaV1;

export type FormFields = Readonly<Record<string, FormField>>;

type FieldValue<F> = F extends
  { readonly enum: readonly (infer Value)[] } | { readonly oneOf: readonly { readonly const: infer Value }[] }
  ? Value
  : F extends {
        readonly items:
          | { readonly enum: readonly (infer Value)[] }
          | { readonly anyOf: readonly { readonly const: infer Value }[] };
      }
    ? Value[]
    : F extends { readonly type: 'string' }
      ? string
      : F extends { readonly type: 'number' | 'integer' }
        ? number
        : F extends { readonly type: 'boolean' }
          ? boolean
          : Json;

type FilledFields<Fields, Needed> = [keyof Fields] extends [never]
  ? JsonObject
  : string extends keyof Fields
    ? JsonObject
    : Flat<
        { -readonly [K in keyof Fields as K extends Needed ? K : never]: FieldValue<Fields[K]> } & {
          -readonly [K in keyof Fields as K extends Needed ? never : K]?: FieldValue<Fields[K]>;
        }
      >;

type Flat<T> = { [K in keyof T]: T[K] };

type NeededFields<Fields> = {
  [K in keyof Fields]: Fields[K] extends { readonly required: false } ? never : K;
}[keyof Fields];

interface Standard<Input = unknown, Output = unknown> {
  readonly '~standard': { readonly types?: { readonly input: Input; readonly output: Output } | undefined };
}

/** The type of what was filled in: the output of a Standard JSON Schema, else by the fields. */
export type FilledForm<S> =
  S extends Standard<unknown, infer Output>
    ? unknown extends Output
      ? JsonObject
      : Output
    : S extends { readonly type: 'object' }
      ? S extends { readonly properties: infer Fields }
        ? FilledFields<Fields, S extends { readonly required: readonly (infer Name)[] } ? Name : never>
        : JsonObject
      : FilledFields<S, NeededFields<S>>;

/** Refuses a schema with more than a form can ask for: the type of the mistaken member says so. */
export type FlatForm<S> =
  S extends Standard<infer Input>
    ? NestedNames<Input> extends never
      ? unknown
      : FormMistake<NoField<NestedNames<Input>>>
    : S extends { readonly type: 'object' }
      ? string extends keyof S
        ? unknown
        : {
            readonly [K in keyof S]: K extends 'properties'
              ? FlatFields<S[K]>
              : K extends FormKeyword
                ? unknown
                : undefined extends S[K]
                  ? unknown
                  : FormMistake<`A form cannot have \`${K & string}\`.`>;
          }
      : FlatFields<S>;

type FormKeyword = '$schema' | 'type' | 'title' | 'description' | 'required' | 'additionalProperties';

interface FormMistake<Words extends string> {
  readonly mistake: Words;
}

type NoField<K extends string> =
  `The field \`${K}\` cannot be part of a form: fields are texts, numbers, booleans, and choices among texts.`;

type FlatFields<Fields> = {
  readonly [K in keyof Fields]: string extends K ? unknown : FlatField<Fields[K], K & string>;
};

type FlatField<F, K extends string> = F extends { readonly type: infer Type }
  ? string extends Type
    ? FormMistake<`The type of the field \`${K}\` is only known to be a text: add \`as const\` to the schema.`>
    : Kind<Type> extends never
      ? FormMistake<NoField<K>>
      : F extends { readonly type: 'array'; readonly items?: never }
        ? FormMistake<NoField<K>>
        : {
            readonly [P in keyof F]: P extends keyof Kind<Type>
              ? F[P] extends Kind<Type>[P]
                ? unknown
                : FormMistake<`The field \`${K}\` of a form cannot have this \`${P & string}\`.`>
              : FormMistake<`The field \`${K}\` of a form cannot have \`${P & string}\`.`>;
          }
  : FormMistake<NoField<K>>;

/** The kind of field that has the type. */
type Kind<Type, Field = FormField> = Field extends { readonly type: infer Own }
  ? Type extends Own
    ? Field
    : never
  : never;

type NestedNames<Input> = unknown extends Input
  ? never
  : {
      // Coerced fields take anything.
      [K in keyof Input]-?: unknown extends Input[K] ? never : Input[K] extends FieldInput ? never : K;
    }[keyof Input] &
      string;

type FieldInput = string | number | boolean | readonly string[] | undefined;

export interface SampleRequest {
  /** The message after a tool use holds its result, and nothing else. */
  messages: SampleMessage[];
  maxTokens: number;
  systemPrompt?: string;
  temperature?: number;
  stopSequences?: string[];
  modelPreferences?: JsonObject;
  metadata?: JsonObject;
  /** Since 2025-11-25, for clients that declare `sampling.tools`. */
  tools?: JsonObject[];
  toolChoice?: { mode: 'auto' | 'required' | 'none' };
}

export interface SampleMessage {
  role: 'user' | 'assistant';
  content: JsonObject | JsonObject[];
}

export interface SampleAnswer extends SampleMessage {
  model: string;
  stopReason?: string;
}

export interface Root {
  uri: string;
  name?: string;
}

/** The interface of the Standard Schema specification: `types` exists only for the compiler. */
export interface StandardTypedV1<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** A schema that checks values itself. */
export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': StandardTypedV1<Input, Output>['~standard'] & {
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  };
}

/** A schema that says its input and its output as JSON Schema. */
export interface StandardJSONSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': StandardTypedV1<Input, Output>['~standard'] & {
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
