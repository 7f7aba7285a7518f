/** The data of each code template of `templates/project/`; the same view renders TypeScript and JavaScript. */

import type { NamedValue } from './publishing-views.ts';
import type { PrintedType } from '../types/type-printer.ts';

/** A generated code file. */
interface CodeView {
  /** The first comment, without `//`. */
  header: string;
}

/** `src/main.ts` */
export type MainView = CodeView;

/** `test/server.js` */
export interface TestView extends CodeView {
  /** The server lists the tools that search in the place of its tools. */
  isSearched: boolean;
}

/** `test/wire.js` */
export type WireTestView = CodeView;

/** `src/server.ts` */
export interface ServerView extends CodeView {
  /** Name of the server for people. */
  title: string;
  /** There is `src/fetch.ts`, which workers load too. */
  hasFetch: boolean;
  /** Members of the server definition that are data. */
  members: NamedValue[];
  /** In the order in which they stand around a call. */
  features: {
    /** The function that makes it. */
    factory: string;
    /** Its module, without an extension: `./runtime/features/audit`. */
    from: string;
    /** How to turn it on; empty if there is nothing to do. */
    comment: string;
    /** The function is given `settings`. */
    hasSettings: boolean;
    /** What the function is given. */
    settings: object;
    /** The modules of functions that it is given. */
    loads: {
      /** Path below `src/`. */
      path: string;
      /** The code that loads it. */
      load: string;
    }[];
  }[];
}

/** `src/fetch.ts` */
export interface FetchView extends CodeView, TypeOnly {
  /** The type of what `createHandler` returns: `: FetchHandler`. */
  returns: string;
  /** The data files of `src/generated/`. */
  files: {
    /** `catalog.json` */
    name: string;
  }[];
}

/** `src/handlers/index.ts` */
export interface HandlersView extends TypeOnly {
  /** Name of the server for people. */
  title: string;
  /** Whether at least one tool calls an API. */
  hasApi: boolean;
  /** A tool's name, for the example. */
  example: string;
  /** The example tool has an output schema, so its answer is an object. */
  structured: boolean;
}

/** The parts that only TypeScript has; empty for JavaScript. */
export interface TypeOnly {
  /** Imported types. */
  imports: {
    /** The type's name. */
    name: string;
    /** Its module, without an extension: `./runtime/definition`. */
    from: string;
  }[];
  /** A type annotation: `: Handlers<Tools>`. */
  annotation: string;
}

/** `src/generated/types.ts` */
export interface TypesView extends CodeView {
  /** In listed order. */
  tools: ToolTypeView[];
  /** There are functions, and no callers are asked for tokens. */
  asksNobody: boolean;
  /** A function speaks of `context.api`, and there is no API. */
  lacksApi: boolean;
  /** The operations of `context.api`, by source; empty if no function uses it. */
  sources: {
    /** The member of `context.api`. */
    name: string;
    /** By operationId. */
    operations: OperationTypeView[];
  }[];
  /** Types that the tools' arguments share. */
  schemas: PrintedType[];
}

interface OperationTypeView {
  /** The operationId. */
  name: string;
  /** `GET /pets/{petId}` */
  from: string;
  /** The arguments' type, as TypeScript. */
  type: string;
  /** The body's type, as TypeScript. */
  body: string;
  /** No argument is required. */
  isOptional: boolean;
}

interface ToolTypeView {
  /** The name that clients call it by. */
  name: string;
  /** `GET /pets/{petId}` */
  from: string;
  /** The arguments' type, as TypeScript. */
  type: string;
}
