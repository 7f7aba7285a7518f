/** What each code template of `templates/project/` is given; the same view renders TypeScript and JavaScript. */

import type { Member } from './project-views.ts';
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
  /** The name of the server. */
  name: string;
}

/** `test/wire.test.ts` */
export type WireTestView = CodeView;

/** `src/server.ts` */
export interface ServerView extends CodeView, TypeOnly {
  /** What people call the server. */
  title: string;
  /** Functions do the work of some tools. */
  hasFunctions: boolean;
  /** Callers are asked for a token. */
  hasAuth: boolean;
  /** What it must allow. */
  authMembers: Member[];
  /** Members of the server definition that are data. */
  members: Member[];
}

/** `src/handlers/index.ts` */
export interface HandlersView extends TypeOnly {
  /** What people call the server. */
  title: string;
  /** Tools are requests to an API. */
  hasApi: boolean;
  /** A tool's name, for the example. */
  example: string;
  /** It has an output schema, so its answer is an object. */
  structured: boolean;
}

/** The parts that only TypeScript has; empty for JavaScript. */
export interface TypeOnly {
  /** Types, and the modules that they come from. */
  imports: {
    /** The type's name. */
    name: string;
    /** Without an extension: `./runtime/definition`. */
    from: string;
  }[];
  /** What stands behind a name: `: Handlers<Tools>`. */
  annotation: string;
}

/** `src/generated/types.ts` */
export interface TypesView extends CodeView {
  /** In the order in which they are listed. */
  tools: ToolTypeView[];
  /** What the tools' arguments share. */
  schemas: NamedType[];
}

export interface ToolTypeView {
  /** The name that clients call it by. */
  name: string;
  /** `GET /pets/{petId}` */
  from: string;
  /** The arguments' type, as TypeScript printed by the compiler. */
  type: string;
}
