/** Types for the parts of the package that the tests use; it brings none. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  interface Interaction {
    prompt: {
      name: string;
      details: { missingOIDCScope?: string[]; missingResourceScopes?: Record<string, string[]> };
    };
    params: { client_id: string };
    session?: { accountId: string };
  }

  class Grant {
    constructor(of: { accountId: string; clientId: string });
    addOIDCScope(scopes: string): void;
    addResourceScope(resource: string, scopes: string): void;
    save(): Promise<string>;
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: typeof Grant;
    readonly RefreshToken: { find(token: string): Promise<object | undefined> };
    callback(): RequestListener;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}
