// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** How bindings.json says which function does the work of an item, and how it is called. */
import type { Binding, SchemaObject } from '../../types.ts';
import type { Codec, Codecs } from './codec.ts';

export interface FunctionBinding extends Binding {
  kind: 'function';
  /** Below the project's `src/`: `app/weather.ts`. */
  module: string;
  /** Of a method, its class or object. */
  export: string;
  method?: string;
  /** The owner of the method's instance. Absent: the export itself has the method. */
  instance?: 'process' | 'session';
  /** Names of arguments in positional order, or one object of all. */
  parameters: 'object' | string[];
  /** Argument → parameter or property, where the names differ. */
  properties?: Record<string, string>;
  contextAt?: number;
  contextIn?: string[];
  /** The items of the last parameter are passed one by one. */
  rest?: boolean;
  argumentCodec?: Codec;
  /** Of a resource, template or prompt. */
  input?: SchemaObject;
  /** Exported schemas of a library that check arguments, and make values of them. */
  checks?: SchemaCheck[];
  /** A generator, which yields progress and returns the result. `items`: what it yields is the result. */
  streams?: boolean | 'items';
  /** Names of error classes whose messages the caller may see. */
  throws?: string[];
  result?: {
    /** `json`: data, even if it looks like content. `full`: a whole result. `text`, `bytes`: of `mimeType`. Default `content`. */
    as?: 'json' | 'content' | 'full' | 'text' | 'bytes' | 'nothing';
    mimeType?: string;
    wrapped?: boolean;
    codec?: Codec;
    [member: string]: unknown;
  };
}

export interface SchemaCheck {
  module: string;
  export: string;
  /** Default: all arguments, as one object. */
  argument?: string;
  /** An absent argument is left to the function. */
  optional?: boolean;
}

declare module '../../types.ts' {
  interface Bindings {
    codecs?: Codecs;
    /** Functions that run in this order, before the first message is read. */
    started?: FunctionBinding[];
  }
  interface ResourceBinding {
    /** Lists the resources of a template. */
    list?: FunctionBinding;
  }
}
