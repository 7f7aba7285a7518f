import { getOwnMember } from '../../../../templates/runtime/contract/json-value.ts';
import type { ts } from 'ts-morph';
import type { JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { definitionNameOf } from '../../../model/schema-walk.ts';
import type { ReadType, TypeReader, TypeUse } from '../schema/type-reader.ts';
import type { LibrarySchemas } from './library-schemas.ts';
import { findTypeNode } from './signature-parameters.ts';
import type { FunctionParameter } from './parameter.ts';

/** References get their names at the end, so schemas must not be copied before. */
export class Types {
  readonly checker: ts.TypeChecker;
  readonly schemas: LibrarySchemas;
  readonly #reader: TypeReader;
  readonly #postponedWork: (() => void)[] = [];

  constructor(reader: TypeReader, checker: ts.TypeChecker, schemas: LibrarySchemas) {
    this.#reader = reader;
    this.schemas = schemas;
    this.checker = checker;
  }

  readParameterType(
    parameter: FunctionParameter,
    type: ts.Type,
    options: Pick<TypeUse, 'inline' | 'injected'> = {},
  ): ReadType {
    const { name, at, declaration, isOptional, isLibrary, docs, partDocs, rest, factory } = parameter;
    const items = rest === 'items';
    const node = declaration && findTypeNode(declaration, items, this.checker);
    return this.#reader.read(type, {
      at,
      direction: 'input',
      subject: name,
      mayBeAbsent: isOptional,
      list: items,
      node,
      writtenNode: factory ?? node,
      docs,
      partDocs,
      isLibrary,
      ...options,
    });
  }

  readResultType(
    type: ts.Type,
    at: ts.Node,
    options: Pick<TypeUse, 'isLibrary' | 'docs' | 'node' | 'list' | 'writtenNode'>,
  ): ReadType {
    return this.#reader.read(type, { at, direction: 'output', subject: 'The result', ...options });
  }

  noteDefault(schema: JsonSchemaObject, at: ts.Node): void {
    this.#reader.noteDefault(schema, at);
  }

  runLater(work: () => void): void {
    this.#postponedWork.push(work);
  }

  finishReading(): void {
    this.#reader.finishReading(() => {
      for (const work of this.#postponedWork) work();
    });
  }

  resolveSchemaReference(schema: JsonSchemaObject): JsonSchemaObject {
    const name = definitionNameOf(schema.$ref);
    const target = name === undefined ? undefined : getOwnMember(this.#reader.schemas, name);
    return typeof target === 'object' ? target : schema;
  }
}
