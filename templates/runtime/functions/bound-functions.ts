// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The handlers of tools, resources and prompts that are made of functions, as the runtime calls them. */
import type { Bindings, FunctionBinding } from '../contract/bindings.ts';
import type { ListedResource, ListedResourceTemplate, ObjectSchema } from '../contract/json-schema.ts';
import { type PromptMessage, type PromptResult, isContentBlock } from '../core/handler-result.ts';
import { isMessage } from '../core/prompts.ts';
import type {
  CompletionHandler,
  Context,
  Ending,
  ExtraTool,
  FunctionModules,
  PromptDefinition,
  ResourceReader,
  ServerHandle,
  ToolHandler,
} from '../definition.ts';

/** `report` gets unexpected errors of the functions; with `showsErrors` callers get their messages, too. */
export type OpenFunctions = (
  modules: FunctionModules['modules'],
  bindings: Partial<Bindings>,
  report: (thrown: unknown) => void,
  showsErrors?: boolean,
) => BoundFunctions;

/** Answers in place of functions with `--mock`; none is loaded. `open` is `openFunctions` for this server. */
export type MockFunctions = (
  open: (modules: FunctionModules['modules']) => BoundFunctions,
  outputSchemaOf: (tool: string) => ObjectSchema | undefined,
) => BoundFunctions;

/** Makes handlers of the functions that bindings name. Rejects if a module can't be loaded. */
export interface BoundFunctions {
  bindTool(binding: FunctionBinding, name: string): Promise<ToolHandler<Record<string, unknown>>>;
  /** `args`: the template's variables, revived. */
  bindResource(binding: FunctionBinding, args: Record<string, unknown>): Promise<ResourceReader>;
  bindPrompt(binding: FunctionBinding, name: string): Promise<PromptDefinition['handler']>;
  bindCompletion(binding: FunctionBinding): Promise<CompletionHandler>;
  bindPrepare(binding: FunctionBinding, name: string): Promise<NonNullable<ExtraTool['prepare']>>;
  /** Leaves out resources that nothing would read. */
  bindLister(
    binding: FunctionBinding,
    template: ListedResourceTemplate,
    reads: TemplateReading,
  ): Promise<ResourceLister>;
  runStartFunction(binding: FunctionBinding, server: ServerHandle): Promise<Ending | undefined>;
  /** @param waits whether instances stay until their calls have returned */
  close?(waits?: boolean): Promise<void>;
}

export interface TemplateReading {
  /** The variables in a URI, revived; undefined if the template doesn't match. */
  argumentsOf: (uri: string) => Record<string, unknown> | undefined;
  /** Default: the project's own code reads it, whatever the types. */
  by?: FunctionBinding | undefined;
}

export type ResourceLister = (context: Context) => Promise<ListedResource[]>;

/** A function may return messages, or blocks that the user says. */
export function toPromptResult(value: unknown): PromptResult | string {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  if (!list.every((each) => isContentBlock(each) || isMessage(each))) return value as PromptResult | string;
  return {
    messages: list.map((each): PromptMessage =>
      isContentBlock(each) ? { role: 'user', content: each } : each,
    ),
  };
}
