import type { SecuritySchemeBinding } from '../model/bindings.ts';

interface SchemeVariable {
  name: string;
  isSecret: boolean;
  /** The help of the variable begins with this, and the name of its owner follows. */
  holds: string;
  /** The help ends with this, behind the name of its owner. Default: a full stop. */
  rest?: string;
  /** An example value, without characters that a shell interprets. Absent if calls work without the variable. */
  placeholder?: string;
  /** Whether requests contain the value itself. */
  isSent?: boolean;
}

/** Lists the variables of a security scheme. */
export function listSchemeVariables(scheme: SecuritySchemeBinding): SchemeVariable[] {
  switch (scheme.type) {
    case 'apiKey':
      return [
        {
          ...{ name: scheme.env.key, isSecret: true, isSent: true, placeholder: 'your-api-key' },
          ...{ holds: 'API key', rest: `, sent as ${scheme.in} ${scheme.name}.` },
        },
      ];
    case 'basic': {
      const shared = { rest: ' (HTTP Basic).', isSent: true };
      const { username, password } = scheme.env;
      return [
        { name: username, isSecret: false, holds: 'User name', placeholder: 'your-user-name', ...shared },
        { name: password, isSecret: true, holds: 'Password', placeholder: 'your-password', ...shared },
      ];
    }
    case 'bearer':
      return [makeTokenVariable(scheme.env.token, 'Bearer token')];
    case 'http':
      return [
        {
          ...{ name: scheme.env.authorization, isSecret: true, isSent: true, placeholder: 'your-value' },
          ...{ holds: 'Value', rest: `, sent as Authorization: ${scheme.scheme} <value>.` },
        },
      ];
    case 'mutualTLS': {
      const { cert, key, passphrase } = scheme.env;
      const rest = ' (TLS): PEM, or the path of a file that holds it.';
      const [certificate, keyFile] = ['/path/to/certificate.pem', '/path/to/key.pem'];
      return [
        { name: cert, isSecret: true, holds: 'Client certificate', rest, placeholder: certificate },
        {
          ...{ name: key, isSecret: true, holds: 'Key of the client certificate', placeholder: keyFile },
          rest: ", likewise; it may stand in the certificate's file.",
        },
        { name: passphrase, isSecret: true, holds: 'Passphrase of that key', rest: ', where it has one.' },
      ];
    }
    case 'oauth2': {
      const { token, clientId, clientSecret, scopes } = scheme.env;
      const hasLogin = scheme.login !== undefined;
      if (scheme.tokenUrl === undefined && scheme.metadataUrl === undefined && !hasLogin)
        return [makeTokenVariable(token, 'Access token')];
      return [
        { name: clientId, isSecret: false, holds: 'OAuth client id', placeholder: 'your-client-id' },
        {
          name: clientSecret,
          isSecret: true,
          holds: 'OAuth client secret',
          ...(hasLogin ? { rest: ', if the client has one.' } : { placeholder: 'your-client-secret' }),
        },
        { name: scopes, isSecret: false, holds: 'Scopes', rest: ', separated by spaces.' },
        {
          ...{ name: token, isSecret: true, isSent: true, holds: 'Access token' },
          rest: hasLogin ? ', instead of signing in.' : ', instead of client id and secret.',
        },
      ];
    }
    case 'unsupported':
      return [];
  }
}

function makeTokenVariable(name: string, holds: string): SchemeVariable {
  return { name, isSecret: true, holds, isSent: true, placeholder: 'your-token' };
}
