/** A few operations of Microsoft Graph v1.0, after its reference; its whole document has 37 MB. */

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time' };
const flag = { type: 'boolean' };
const object = (properties) => ({ type: 'object', properties });
const list = (items) => ({ type: 'array', items });
const address = object({ emailAddress: object({ name: text, address: text }) });
const zoned = object({ dateTime: text, timeZone: text });
const body = object({ contentType: { enum: ['html', 'text'] }, content: text });

const message = object({
  ...{ '@odata.etag': text, id: text, createdDateTime: time, lastModifiedDateTime: time, changeKey: text },
  ...{ categories: list(text), receivedDateTime: time, sentDateTime: time, hasAttachments: flag },
  ...{ internetMessageId: text, subject: text, bodyPreview: text, importance: { enum: ['high', 'normal'] } },
  ...{ parentFolderId: text, conversationId: text, conversationIndex: text, isRead: flag, isDraft: flag },
  ...{ webLink: text, inferenceClassification: text, body, sender: address, from: address },
  ...{ toRecipients: list(address), ccRecipients: list(address), bccRecipients: list(address) },
  flag: object({ flagStatus: text, dueDateTime: zoned }),
});
const event = object({
  ...{ '@odata.etag': text, id: text, createdDateTime: time, lastModifiedDateTime: time, changeKey: text },
  ...{ categories: list(text), transactionId: text, originalStartTimeZone: text, iCalUId: text },
  ...{ reminderMinutesBeforeStart: { type: 'integer' }, isReminderOn: flag, hasAttachments: flag },
  ...{ subject: text, bodyPreview: text, importance: text, sensitivity: text, isAllDay: flag },
  ...{ isCancelled: flag, isOrganizer: flag, responseRequested: flag, showAs: text, type: text },
  ...{ webLink: text, onlineMeetingUrl: text, isOnlineMeeting: flag, allowNewTimeProposals: flag, body },
  ...{ start: zoned, end: zoned, location: object({ displayName: text, locationType: text }) },
  attendees: list(object({ type: text, status: object({ response: text, time }), ...address.properties })),
  organizer: address,
});
const user = object({
  ...{ id: text, displayName: text, givenName: text, surname: text, mail: text, userPrincipalName: text },
  ...{ businessPhones: list(text), jobTitle: text, mobilePhone: text, officeLocation: text },
  ...{ preferredLanguage: text, accountEnabled: flag, department: text },
});

const page = (item) => ({
  200: {
    description: 'A page.',
    content: {
      'application/json': { schema: object({ '@odata.nextLink': text, value: list(item) }) },
    },
  },
});
const query = ['$filter', '$select'].map((name) => ({ name, in: 'query', schema: text }));
const top = { name: '$top', in: 'query', schema: { type: 'integer' } };
const id = { name: 'user-id', in: 'path', required: true, schema: text };
const get = (operationId, summary, parameters, item) => ({
  get: { operationId, summary, parameters: [...parameters, top, ...query], responses: page(item) },
});

export const graph = {
  openapi: '3.1.0',
  info: { title: 'Microsoft Graph', version: 'v1.0' },
  servers: [{ url: 'https://graph.microsoft.com/v1.0' }],
  paths: {
    '/users': get('user.ListUser', 'List users', [], user),
    '/users/{user-id}/messages': get('user.ListMessages', 'List messages', [id], message),
    '/users/{user-id}/events': get('user.ListEvents', 'List events', [id], event),
  },
};
