// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Chooses credentials of the caller instead of the server's own. */
import { getOwnMember } from '../contract/json-value.ts';
import {
  type SecurityRequirement,
  type SecuritySchemeBinding,
  listSchemesUsedIfSet,
} from '../contract/bindings.ts';
import type { CallerAccess, FoundCredentials } from '../feature-loaders.ts';
import type { CallerScheme } from '../definition.ts';
import type { CallerChoice } from './upstream-settings.ts';
import { type Deadline, rejectAtDeadline } from './upstream-error.ts';
import {
  isSchemeAvailable,
  type Access,
  chooseRequirement,
  hasUnsetFixedHeaders,
  missingCredentialsError,
  keyPassedByCaller,
  loadCredentials,
  listRequirements,
  lookUpSchemes,
  type Tokens,
} from './security.ts';

export async function chooseCallerCredentials(
  access: Access,
  caller: CallerAccess,
  tokens: Tokens,
  deadline: Deadline,
): Promise<CallerChoice> {
  const search = new Search(access, caller, deadline);
  const requirement = await search.findUsableRequirement();
  const credentials = await rejectAtDeadline(
    deadline,
    Promise.resolve(loadCredentials(search.access, requirement ?? {}, tokens)),
  );
  const used = search.schemesMetByCaller(requirement ?? {});
  if (used.length === 0) return { access: search.access, credentials, requirement };
  const { renew } = credentials;
  credentials.ofCaller = used;
  credentials.renew = async () => {
    // The requirement may also need a token of the server.
    await renew?.();
    search.forgetRefused();
    const next = await chooseCallerCredentials(access, caller, tokens, deadline);
    if (next.requirement === undefined) throw missingCredentialsError(next.access);
    return next.credentials;
  };
  return { access: search.access, credentials, requirement };
}

class Search {
  readonly #access: Access;
  readonly #caller: CallerAccess;
  readonly #deadline: Deadline;
  readonly #found = new Map<string, FoundCredentials>();

  constructor(access: Access, caller: CallerAccess, deadline: Deadline) {
    this.#access = access;
    this.#caller = caller;
    this.#deadline = deadline;
  }

  /** Prefers a requirement met with the caller's credentials, if needed together with the server's. */
  async findUsableRequirement(): Promise<SecurityRequirement | undefined> {
    const { api, binding } = this.#access;
    await this.#askForCredentials(
      Object.fromEntries(listSchemesUsedIfSet(api, binding).map((name) => [name, []])),
    );
    for (const requirement of listRequirements(this.access)) {
      await this.#askForCredentials(requirement);
      const lookups = lookUpSchemes(this.access, requirement);
      const isMet = lookups.every(isSchemeAvailable);
      const isPassed = lookups.some(({ scheme }) => keyPassedByCaller(scheme, this.#access) !== undefined);
      if (isMet && (isPassed || this.schemesMetByCaller(requirement).length > 0))
        return hasUnsetFixedHeaders(this.#access) ? undefined : requirement;
    }
    return chooseRequirement(this.access);
  }

  get access(): Access {
    const ofCaller = new Map<string, Readonly<Record<string, string>>>();
    for (const [name, found] of this.#found) {
      if (found.kind === 'caller') ofCaller.set(name, found.values);
      if (found.kind === 'none') ofCaller.set(name, {});
    }
    return ofCaller.size === 0 ? this.#access : { ...this.#access, ofCaller };
  }

  schemesMetByCaller(requirement: SecurityRequirement): string[] {
    return Object.keys(requirement).filter((name) => this.#found.get(name)?.kind === 'caller');
  }

  forgetRefused(): void {
    for (const found of this.#found.values()) if (found.kind === 'caller') found.forget();
  }

  async #askForCredentials(requirement: SecurityRequirement): Promise<void> {
    const { api, server } = this.#access;
    for (const { name, scheme } of lookUpSchemes(this.#access, requirement)) {
      if (this.#found.has(name) || !canHoldCallerCredentials(scheme)) continue;
      if (keyPassedByCaller(scheme, this.#access) !== undefined) continue;
      const scopes = getOwnMember(requirement, name) ?? [];
      const wanted = { api: api.name, name, scheme, scopes, origin: server?.origin ?? '' };
      this.#found.set(
        name,
        await rejectAtDeadline(this.#deadline, this.#caller.findCredentials(wanted, this.#deadline)),
      );
    }
  }
}

function canHoldCallerCredentials(scheme: SecuritySchemeBinding): scheme is CallerScheme {
  return scheme.type !== 'mutualTLS' && scheme.type !== 'unsupported';
}
