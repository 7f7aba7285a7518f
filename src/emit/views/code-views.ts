/** What each code template of `templates/project/` is given; the same view renders TypeScript and JavaScript. */

import type { NamedType } from '../types/type-printer.ts';

/** A code file of ours. */
export interface CodeView {
  /** The first comment, without `//`. */
  header: string;
}

/** `src/main.ts` */
export type MainView = CodeView;

/** `test/server.test.ts` */
export interface TestView extends CodeView {
  name: string;
}

/** `test/wire.test.ts` */
export type WireTestView = CodeView;

/** `src/server.ts` */
export interface ServerView extends CodeView, TypeOnly {
  title: string;
  hasFunctions: boolean;
  /** Callers are asked for a token. */
  hasAuth: boolean;
  /** What it must allow. */
  authMembers: { name: string; value: unknown }[];
  /** Members of the server definition that are data. */
  members: { name: string; value: unknown }[];
}

/** `src/handlers/index.ts` */
export interface HandlersView extends TypeOnly {
  title: string;
  hasApi: boolean;
  /** A tool's name, for the example. */
  example: string;
  /** It has an output schema, so its answer is an object. */
  structured: boolean;
}

/** The parts that only TypeScript has; empty for JavaScript. */
export interface TypeOnly {
  imports: { name: string; from: string }[];
  /** `: Handlers<Tools>` */
  annotation: string;
}

/** `src/generated/types.ts` */
export interface TypesView extends CodeView {
  tools: ToolTypeView[];
  /** What the tools' arguments share. */
  schemas: NamedType[];
}

export interface ToolTypeView {
  name: string;
  /** `GET /pets/{petId}` */
  from: string;
  /** The arguments' type, as TypeScript printed by the compiler. */
  type: string;
}
