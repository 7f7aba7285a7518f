// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Words by which people ask → words that APIs use, none of a single API. */
import { stemWord } from './words.ts';

const LINES = `
person: user member contact customer participant profile collaborator assignee recipient owner author follower
customer: user contact client account consumer payer
employee colleague staff: user member employee internal admin team operator agent
newcomer: new member default onboarding
company firm: organization company account business enterprise tenant workspace institution carrier
team: group organization account workspace member
group: team segment collection category
login: authentication session token oauth
logout: session revoke
password: password credential secret key token
right: permission role access scope policy grant collaboration
confidential: classification security private
app: application app client project
television tv: device client channel
phone: call number device
bill: invoice receipt statement transaction payment
money fund: balance payment payout topup transfer transaction amount refund fund
pay: payment charge transaction invoice
buy purchase checkout: purchase order payment session authorization
price spend: price rate amount cost fee usage expense quote pricing
voucher: coupon discount promotion offer gift
plan: subscription plan membership price product
offer: quote rate promotion
product: item price
stock: inventory
shop: store vendor merchant supplier domain account
text: message content messaging sms
chat: conversation channel thread dm direct message session call
tell: send notify message broadcast webhook hook notification event
answer: reply response answer message
room: channel space
notification: alert notification event hook webhook trigger
note: comment note page metadata
emoji: reaction
meeting seminar appointment: event meeting calendar appointment booking webinar reservation
folder: directory folder group project collection
document paper: file document content attachment artifact
picture: image photo avatar thumbnail asset media logo icon cover
song voice: audio track recording speech call
page: page article post content site pagination
paragraph: section block part
label genre: tag label category topic type
field: field attribute property column metadata
table: dataset database source
entry: item object row record property
record: recording log event entry track item
choice: option enum
form: form survey poll template screen
vote: poll
contract: agreement document envelope
country: country region market locale location
copy: duplicate copy clone fork replica scale
release: version deployment
print: log output console
backup: snapshot backup export
favorite bookmark: favorite star saved top follow
server machine: server instance node host machine
setting: config configuration preference property option
disk: volume disk storage
firewall: rule policy network
web: remote online network site
code: source script repository snippet token
alive: health status ping
bug problem: issue error incident ticket failure
busy: usage metric statistic stats
callback hook: webhook hook connect attach
assistant: agent bot
overview: dashboard summary report
bulk: batch bulk multiple
check: verify validate check test report status
allow: approve accept allow grant consent permission policy
finish: complete finalize commit close
keep: save store lock archive
watch: subscribe stream item
rename: update name
`;

export const SYNONYMS: ReadonlyMap<string, readonly string[]> = new Map(
  LINES.trim()
    .split('\n')
    .flatMap((line) => {
      const [said = '', used = ''] = line.split(': ');
      return said
        .split(' ')
        .map((word): [string, string[]] => [stemWord(word), used.split(' ').map(stemWord)]);
    }),
);
