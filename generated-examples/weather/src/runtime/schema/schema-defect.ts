/** The schema itself cannot be used: another dialect, a `$ref` to nowhere, a `$ref` that only leads to itself. */
export class SchemaDefect extends Error {
  override readonly name = 'SchemaDefect';
  /** Where in the schema, as a URI fragment: `#/properties/a/$ref`. */
  readonly schemaPath: string;

  constructor(message: string, schemaPath: string) {
    super(`${message} (at ${schemaPath})`);
    this.schemaPath = schemaPath;
  }
}
