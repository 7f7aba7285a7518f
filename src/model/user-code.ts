/** Code of the user that runs inside mcpgen: hooks, and helpers of templates. */
import type { ServerModel } from './server-model.ts';

/**
 * Hooks are called in this order, and may be asynchronous. Later steps use what a hook returns, or the argument that
 * it changed.
 */
export interface Hooks {
  /**
   * Changes the model before anything is made of it; also for `inspect`, `serve` and `diff`. The model is a copy:
   * change it, or return another. Tools keep the names that this returns only as long as it gives the same ones
   * again.
   */
  onModel?(model: ServerModel): HookResult<ServerModel>;
  /**
   * The files of the project, before they are written: change, add or remove some, or return another list. Not among them
   * are the runtime, `src/app/`, `dist/`, the configuration and the lock.
   */
  onFiles?(files: ProjectFile[]): HookResult<ProjectFile[]>;
}

/** Without a result the argument is used, with the changes that the hook made to it. */
type HookResult<T> = T | undefined | Promise<T | undefined>;

/** One file of a project, as hooks see it. */
export interface ProjectFile {
  /** The path from the project's folder, `/`-separated, without `..`. */
  path: string;
  contents: string;
  /** `once`: written where it is missing, and its user's from then on, as below `src/handlers/`. Default `generated`. */
  ownership?: 'generated' | 'once';
  /** Default false. */
  executable?: boolean;
}

/** Helpers by name. Names of built-in helpers and of fields are not allowed. */
export type TemplateHelpers = Record<string, TemplateHelper>;

/**
 * A helper of templates: `{{name 1 "two"}}` gives it `1`, `'two'` and, last, `HelperOptions`. What it returns is written as
 * it is, without escaping; in a subexpression (`{{#if (name 1)}}`) it may be any value.
 */
// A method's parameters may be narrower: `(text: string) => …` is a helper.
export type TemplateHelper = { helper(...parameters: unknown[]): unknown }['helper'];

export interface HelperOptions {
  /** `{{name key=value}}` */
  hash: Record<string, unknown>;
  data: {
    /** The view of the template. */
    root: unknown;
    language: 'ts' | 'js';
  };
  /** For a block, `{{#name}}…{{/name}}`: renders its body with `view`. */
  fn?: (view: unknown) => string;
  /** Renders the part after `{{else}}`. */
  inverse?: (view: unknown) => string;
}
