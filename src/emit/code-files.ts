import type { ServerDefinition } from '../../templates/runtime/feature.ts';
import { sourceNameOfApi } from '../model/bindings.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { EmitOptions } from './emit-options.ts';
import { chooseFeatures, hasApi } from './features.ts';
import type { GeneratedFile } from './generated-file.ts';
import { bindingKey } from '../model/operation-key.ts';
import { quoteString } from './print-literals.ts';
import type { Language } from './templates/helpers.ts';
import type { Code } from './templates/open-templates.ts';
import { TypePrinter } from './types/type-printer.ts';
import type { FetchView, HandlersView, ServerView, TypeOnly, TypesView } from './views/code-views.ts';
import { omitUndefined } from '../util/collections.ts';

interface Traits {
  ownership?: 'once';
  executable?: boolean;
}

export function makeSourceAndBuildFiles(
  path: string,
  { source, built }: Code,
  { ownership, executable }: Traits = {},
): GeneratedFile[] {
  const output = pathOfBuild(path);
  return [
    { path, contents: source, ownership: ownership ?? 'generated' },
    {
      path: output,
      // A template whose imports are all types begins with an empty line in JavaScript.
      contents: built.trimStart(),
      ownership: 'built',
      ...omitUndefined({ executable }),
    },
  ];
}

/** Returns where `npm run build` puts what it makes of a source file: `src/server.ts` → `dist/server.js`. */
export function pathOfBuild(path: string): string {
  return `dist/${path.replace(/^src\//, '').replace(/\.ts$/, '.js')}`;
}

/** @param from the module that declares the types */
export function makeFetchView(
  files: readonly string[],
  header: string,
  language: Language,
  from: string,
): FetchView {
  const types = makeTypeScriptOnlyParts(language, 'FetchOptions', [
    { name: 'FetchHandler, FetchOptions', from },
  ]);
  return {
    header,
    files: files.map((name) => ({ name })),
    returns: types.annotation === '' ? '' : ': FetchHandler',
    ...types,
  };
}

/** Lists the members of a server's definition that come from the model alone. */
export function pickDefinitionMembers(
  model: ServerModel,
): Pick<ServerDefinition, 'info' | 'instructions' | 'meta'> {
  const { name, title, version, description, documentationUrl: websiteUrl, icons } = model;
  const { instructions, _meta: meta } = model;
  const info = { name, title, version, description, ...omitUndefined({ websiteUrl, icons }) };
  return { info, ...omitUndefined({ instructions, meta }) };
}

export function listViewMembers(members: object): ServerView['members'] {
  return Object.entries(omitUndefined(members)).map(([name, value]) => ({ name, value }));
}

export function makeHandlersView(model: ServerModel, language: Language): HandlersView {
  const { title, tools } = model;
  // The simplest example is a tool that may answer with a text.
  const example = tools.find(({ outputSchema }) => outputSchema === undefined) ?? tools[0];
  return {
    title,
    hasApi: hasApi(model),
    example: example?.name ?? 'tool_name',
    structured: example?.outputSchema !== undefined,
    ...makeTypeScriptOnlyParts(language, 'Handlers<Tools>', [
      { name: 'Tools', from: '../generated/types' },
      { name: 'Handlers', from: '../runtime/types' },
    ]),
  };
}

/** Compiled, a module of types is empty except for `export {}`. */
export function makeTypesCode(source: string, header: string): Code {
  // Without tools the loop leaves an empty body.
  return { source: source.replace('{\n}', '{}'), built: `// ${header}\nexport {};\n` };
}

export function makeTypesView(model: ServerModel, header: string, options: EmitOptions): TypesView {
  const printer = new TypePrinter();
  const tools = model.tools.map(({ name, binding, inputSchema }) => ({
    name,
    from: bindingKey(binding),
    type: printer.printArgumentsType(inputSchema),
  }));
  const present = new Set(chooseFeatures(model, options).map(({ name }) => name));
  // Workflows call operations without `context.api`.
  const sources = present.has('operations') ? makeSourcesView(model, printer) : [];
  const { app, auth } = options;
  return {
    header,
    tools,
    // Functions may read who calls them, also where nobody is asked.
    asksNobody: app !== undefined && auth === undefined,
    lacksApi: !hasApi(model) && app?.files.some(({ contents }) => /\bapi\b/.test(contents)) === true,
    sources,
    schemas: printer.printSchemaTypes(),
  };
}

function makeSourcesView(
  { tools, operations = {} }: ServerModel,
  printer: TypePrinter,
): TypesView['sources'] {
  return Object.entries(operations).map(([source, unlisted]) => {
    const served = tools.flatMap(({ name, binding, inputSchema: { required = [] }, outputSchema }) => {
      if (binding.kind !== 'http' || sourceNameOfApi(binding.api ?? source) !== source) return [];
      const { wrapped: isWrapped = false, select, drop, fields } = binding.result ?? {};
      // Code gets the whole body, of which the schema lists a part.
      const isPart = (select ?? drop) !== undefined;
      const args = `Tools[${quoteString(name)}]`;
      return {
        name: binding.operationId ?? name,
        from: bindingKey(binding),
        type: fields === undefined ? args : `Omit<${args}, ${quoteString(fields.argument)}>`,
        body:
          outputSchema === undefined || isPart ? 'unknown' : printer.printBodyType(outputSchema, isWrapped),
        isOptional: required.length === 0,
      };
    });
    const unlistedTools = Object.entries(unlisted).map(([name, { do: binding, input }]) => ({
      name,
      from: bindingKey(binding),
      type: printer.printArgumentsType(input),
      body: 'unknown',
      isOptional: (input.required ?? []).length === 0,
    }));
    return { name: source, operations: [...served, ...unlistedTools] };
  });
}

function makeTypeScriptOnlyParts(language: Language, type: string, imports: TypeOnly['imports']): TypeOnly {
  return language === 'ts' ? { imports, annotation: `: ${type}` } : { imports: [], annotation: '' };
}
