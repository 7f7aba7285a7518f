// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The part that calls functions, as the rest of the runtime sees it. Types only, so that a project type-checks without it. */
import type { Bindings, FunctionBinding } from './contract/bindings.ts';
import type { ListedResource, ListedResourceTemplate } from './contract/catalog.ts';
import type { ObjectSchema } from './contract/json-schema.ts';
import type {
  Ending,
  ServerHandle,
  ToolHandler,
  ExtraTool,
  PromptDefinition,
  ResourceReader,
  CompletionHandler,
  Context,
  FunctionModules,
} from './definition.ts';
/** Makes what calls the functions of `modules`; `report` is told of what they throw by mistake. */
export type OpenFunctions = (
  modules: FunctionModules['modules'],
  codecs: Bindings['codecs'],
  report: (thrown: unknown) => void,
) => BoundFunctions;

/** Makes what answers in their place with `--mock`: none is called, nor loaded. */
export type MockFunctions = (outputSchemaOf: (tool: string) => ObjectSchema | undefined) => BoundFunctions;

/** Functions as the handlers of what is bound to them. Loads their module; rejects where that fails. */
export interface BoundFunctions {
  tool(binding: FunctionBinding, name: string): Promise<ToolHandler<Record<string, unknown>>>;
  /** `args` are the template's variables, revived. */
  resource(binding: FunctionBinding, args: Record<string, unknown>): Promise<ResourceReader>;
  prompt(binding: FunctionBinding, name: string): Promise<PromptDefinition['handler']>;
  completion(binding: FunctionBinding): Promise<CompletionHandler>;
  prepare(binding: FunctionBinding, name: string): Promise<NonNullable<ExtraTool['prepare']>>;
  /** The resources of `template`, as they are listed; those that nothing would read are left out. */
  list(
    binding: FunctionBinding,
    template: ListedResourceTemplate,
    reads: TemplateReading,
  ): Promise<ResourceLister>;
  /** Runs it; what it returns is to run when the server ends. */
  start(binding: FunctionBinding, server: ServerHandle): Promise<Ending | undefined>;
}

/** How a resource of a template is read. */
export interface TemplateReading {
  /** The template's variables in a URI, revived; undefined where it does not read that. */
  argumentsOf: (uri: string) => Record<string, unknown> | undefined;
  /** The function that takes them. Default: code of the project's own, which takes any. */
  by?: FunctionBinding;
}

export type ResourceLister = (context: Context) => Promise<ListedResource[]>;
