// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Words by which people ask → words that APIs use. General ones only: no word of a single API. At most 100. */
import { stem } from '../contract/search-index.ts';

const LINES = `
person: user member
people: user member
colleague: user member
staff: user member
client: customer user
company: organization account enterprise
org: organization
workspace: team organization
group: team
repo: repository
folder: directory
document: file
picture: image photo avatar
message: text chat
mail: email message
bill: invoice
money: balance payment amount
funds: balance payment topup
pay: payment charge
refund: reversal
plan: subscription
buy: order purchase create
price: amount rate cost
discount: coupon promotion
offer: quote
phone: number call
conversation: call channel
answer: reply response
thread: reply
emoji: reaction
caller: participant member
join: member invite
invite: invitation member
secret: credential key
password: credential secret
login: authentication session token
expired: token refresh
permission: access role scope
access: permission collaboration
allow: permission access grant
forbid: ban block restrict
whitelist: allow access
stop: cancel end disable
cancel: delete
delete: remove
remove: delete
throw: delete remove
rid: delete remove
drop: delete remove
add: create
put: create add
turn: enable disable
show: get read retrieve
see: get list
look: get search
change: update edit modify
fix: update
rename: update name
move: update transfer
callback: webhook hook
notification: alert notify
alarm: alert trigger
remind: reminder
task: job assignment
job: task run
bug: issue
comment: note
history: event log version
older: version previous
clean: delete remove
grant: permission allow
newcomer: default member
copies: replica scale instance
copy: duplicate fork
machine: runner node host server
running: status state
firewall: network policy rule
address: location
link: url
schedule: status cron
number: count
figure: statistic metric report
usage: record metric
socket: connect stream
lawsuit: legal hold
confidential: classification
assistant: agent bot ai
suspend: update status
meeting: event calendar
backup: snapshot
restart: reboot
setting: preference configuration
recover: restore
stock: inventory
basket: cart
rating: review
quota: limit
site: website domain
freeze: hold retention
note: comment description
`;

export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  LINES.trim()
    .split('\n')
    .map((line): [string, string[]] => {
      const [word = '', others = ''] = line.split(': ');
      return [stem(word), others.split(' ').map(stem)];
    }),
);
