import type { ts } from 'ts-morph';

import type { JsonSchemaObject } from '../../../util/json-schema.ts';
import { ownMember } from '../../../../templates/runtime/json-rpc.ts';
import { definitionNameOf } from '../../../model/schema-walk.ts';
import type { ReadType, TypeReader, TypeUse } from '../schema/type-reader.ts';
import type { LibrarySchemas } from './library-schemas.ts';
import type { FunctionParameter } from './parameter.ts';
import { findTypeNode } from './signature-parameters.ts';

/** References get their names at the end, so schemas must not be copied before. */
export class Types {
  readonly reader: TypeReader;
  readonly schemas: LibrarySchemas;

  constructor(reader: TypeReader, schemas: LibrarySchemas) {
    this.reader = reader;
    this.schemas = schemas;
  }

  readParameterType(
    parameter: FunctionParameter,
    type: ts.Type,
    options: Pick<TypeUse, 'inline' | 'injected'> = {},
  ): ReadType {
    const { name, at, declaration, isOptional, isLibrary, docs, partDocs, rest } = parameter;
    const items = rest === 'items';
    const node = declaration && findTypeNode(declaration, items, this.reader.checker);
    return this.reader.read(type, {
      at,
      direction: 'input',
      subject: name,
      mayBeAbsent: isOptional,
      list: items,
      node,
      docs,
      partDocs,
      isLibrary,
      ...options,
    });
  }

  readResultType(
    type: ts.Type,
    at: ts.Node,
    options: Pick<TypeUse, 'isLibrary' | 'docs' | 'node' | 'list'>,
  ): ReadType {
    return this.reader.read(type, { at, direction: 'output', subject: 'The result', ...options });
  }

  resolveSchemaReference(schema: JsonSchemaObject): JsonSchemaObject {
    const name = definitionNameOf(schema.$ref);
    const target = name === undefined ? undefined : ownMember(this.reader.schemas, name);
    return typeof target === 'object' ? target : schema;
  }
}
