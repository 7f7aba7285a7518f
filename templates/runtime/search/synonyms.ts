// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Words by which people ask → words that APIs use. General ones only: no word of a single API. At most 100. */
import { stem } from '../contract/search-words.ts';

const LINES = `
person: user member contact participant collaborator assignee
staff: user member admin internal team
newcomer: new member default onboarding
client: customer user contact
company: organization account enterprise business
team: group organization account workspace member
workspace: team organization
server: instance node host guild
folder: directory
file: document content attachment artifact
document: file
page: article site pagination
picture: image photo avatar asset
chat: conversation message channel
talk: call conversation
message: chat text
mail: email message
post: message publish
answer: reply response
emoji: reaction
bill: invoice
money: payment payout transfer refund
funds: balance payment topup payout
pay: payment charge
refund: reversal
buy: order purchase checkout payment
price: amount rate cost
discount: coupon promotion
plan: subscription price product
offer: quote
phone: number call
address: location endpoint
country: region market locale location
link: url
label: tag
tag: label
secret: credential key token
password: credential secret
login: authentication session token oauth
expired: token refresh
permission: access role scope
access: permission collaboration role grant
allow: permission access grant policy
right: permission access role
forbid: ban block restrict lock
rule: policy
firewall: network policy rule
stop: cancel end disable
turn: enable disable activate
rename: update name
move: update transfer
keep: save store lock
copy: duplicate fork clone replica scale
publish: deploy release
callback: webhook hook
notification: hook webhook alert event
alarm: alert trigger
task: job assignment
job: task run workflow
running: status state active
finished: status state complete
progress: status state
history: event log audit version activity
older: version previous
version: release revision
statistic: metric report usage analytics
usage: metric record count
setting: preference configuration option
configured: setting
default: reset
schedule: cron event hour
meeting: event calendar
comment: note reply
note: comment description metadata
bug: issue
continue: resume
limit: quota maximum
site: website domain
conversation: call channel
caller: participant member
invite: member
assistant: agent bot ai
field: attribute property metadata
order: sort
favorite: saved top starred follow
collection: library list
announcement: news message
code: snippet source script
title: name
undo: revert restore reset
suspend: disable status update
confidential: classification security
frozen: hold retention lock
healthy: health status
line: queue
voice: audio speech
disk: volume storage
employee: user member
receipt: invoice transaction
check: verify validate
`;

export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  LINES.trim()
    .split('\n')
    .map((line): [string, string[]] => {
      const [word = '', others = ''] = line.split(': ');
      return [stem(word), others.split(' ').map(stem)];
    }),
);
