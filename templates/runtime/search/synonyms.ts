// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Words by which people ask → words that APIs use. General ones only: no word of a single API. */
import { stem } from '../contract/search-index.ts';

const LINES = `
person: user member
people: user member
colleague: user member
client: customer user
guy: user
staff: user member
employee: user
company: organization account
firm: organization account
org: organization
organisation: organization
workspace: team organization
group: team
repo: repository
project: repository
folder: directory
directory: folder
doc: document file
document: file
picture: image photo
photo: image
photograph: photo image
message: chat post
text: message
bill: invoice
money: balance amount payment
pay: payment charge
paid: payment
refund: reversal
plan: subscription
buy: purchase order create
price: amount cost
discount: coupon
phone: number call
call: phone
voice: call
conversation: channel thread
chat: message
room: channel
bucket: storage
secret: credential key
password: credential secret
login: authentication session token
log: authentication
permission: access scope role
access: permission
right: permission
allow: permission access
block: ban
stop: cancel end disable
cancel: delete
remove: delete
delete: remove
rid: delete remove
erase: delete
wipe: delete
drop: delete remove
throw: delete remove
add: create
make: create
put: create add
new: create
open: create
show: get read retrieve
see: get list
look: get
view: get
find: search list
change: update
edit: update
rename: update name
modify: update
fix: update
move: update
set: update
replace: update
overwrite: replace update
hook: webhook
callback: webhook
notification: webhook alert
remind: reminder
todo: task
job: task run
ticket: issue
bug: issue
comment: note
note: comment description
label: tag
history: log event version
version: revision
copy: duplicate
machine: host server instance node
server: host instance
computer: host device
address: location
place: location
link: url
picture: avatar
alarm: alert trigger
schedule: cron
status: state
state: status
amount: count number
figure: statistic metric
number: count
usage: metric consumption
`;

export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  LINES.trim()
    .split('\n')
    .map((line): [string, string[]] => {
      const [word = '', others = ''] = line.split(': ');
      return [stem(word), others.split(' ').map(stem)];
    }),
);
