import { againByFetch } from './through-fetch.ts';

await againByFetch([
  'oauth/accepted',
  'oauth/admission',
  'oauth/lasting',
  'oauth/metadata',
  'oauth/refusals',
  'oauth/scopes-of-streams',
  'oauth/subscriptions',
  'rules/rule-06-http',
  'rules/rule-07-headers',
  'rules/rule-11-http',
  'rules/rule-13-tasks',
]);
