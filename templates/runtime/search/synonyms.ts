// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Words by which people ask → words that APIs use. General ones only: no word of a single API. Of the words that people say there are at most 100, phrases included. */
import { stemWord } from '../contract/search-words.ts';

const LINES = `
person: user member contact customer participant profile collaborator assignee recipient owner author follower
customer: user contact client account consumer payer
staff colleague employee: user member employee admin team operator agent
newcomer: new member default onboarding
company firm: organization company account business enterprise tenant institution carrier
team: group organization account workspace member
group: team segment collection category
login: authentication session token oauth
logout: session revoke
password: password credential secret key token
right permission: permission role access scope policy grant collaboration
confidential: classification security private
app: software application app client project integration
phone: call number device
television: device client channel
bill: invoice receipt statement transaction payment
money fund: balance payment payout topup transfer transaction amount refund fund
pay: payment charge transaction invoice
buy purchase checkout: purchase order payment session authorization
price spend: price rate amount cost fee usage expense quote pricing
voucher discount: coupon discount promotion offer gift
plan: subscription plan membership price product
offer: quote rate promotion
product: item price
stock: inventory
parcel: shipment delivery shipping package
shop: store vendor merchant supplier
mail: email message campaign
text: message content
chat: conversation channel thread dm direct message session call
tell: send notify message broadcast webhook hook notification event
answer: reply response answer message
room: channel space
notification: alert notification event hook webhook trigger
remark: comment note reply review feedback description
emoji: reaction
appointment seminar meeting: event meeting calendar booking webinar
folder: directory folder group project collection
document paper: file document content attachment artifact
picture: image photo avatar thumbnail asset media logo icon cover
film: movie video media
song: audio track recording music
voice: audio recording speech call
page: page article post content site pagination
label genre: tag label category topic type
field: field attribute property column metadata
table: dataset database source
entry: item object row record property
choice: option enum
form: form survey poll template screen
vote: poll
contract: agreement document envelope
country: country region market locale location
copy: duplicate copy clone fork replica scale
history: event log audit version activity
release: version deployment
print: log output console
backup: snapshot backup export
trash: trash restore archive
favorite: favorite star saved follow
server machine: server instance node host machine
setting: config configuration preference property option
disk: volume disk storage
firewall: rule policy network
web: remote online network site
code: source script repository snippet token
job: task run workflow process
alive: health status ping
bug problem wrong: issue error incident ticket failure
statistic: metric report usage analytics count
callback hook: webhook hook connect attach
plugin: plugin extension integration module app
assistant: agent bot
overview: dashboard summary report
bulk: batch bulk multiple
switch: flag feature toggle activate
check: verify validate check test
allow: approve accept grant permission policy
keep: save store lock archive
watch: subscribe stream item
`;

/** The words that APIs use for each line's words. */
export const SYNONYM_LINES: readonly (readonly [said: readonly string[], used: readonly string[]])[] =
  LINES.trim()
    .split('\n')
    .map((line) => {
      const [said = '', used = ''] = line.split(': ');
      return [said.split(' ').map(stemWord), used.split(' ').map(stemWord)];
    });

export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  SYNONYM_LINES.flatMap(([said, used]) =>
    said.map((word): [string, string[]] => [word, used.filter((other) => other !== word)]),
  ),
);

/** Phrases that mean one noun. */
export const PHRASES: readonly (readonly [phrase: RegExp, word: string])[] = [
  [/\b(?:at once|in one go|at the same time|lots? of|a bunch of)\b/gi, 'bulk'],
  [/\b(?:short |nick)name\b/gi, 'alias'],
  [/\bthumbs?\s+(?:up|down)\b/gi, 'reaction'],
];
