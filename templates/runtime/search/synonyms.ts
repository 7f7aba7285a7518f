// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Words by which people ask → words that APIs use. General ones only: no word of a single API. At most 100 lines. */
import { stemWord } from '../contract/search-words.ts';

const LINES = `
person human individual man woman visitor caller recipient: user member contact customer participant profile collaborator assignee
client customer buyer shopper guest consumer: customer user contact client account
staff colleague employee worker: user member employee internal admin team
boss manager leader: admin owner manager
friend follower fan: user follower contact
newcomer: new member default onboarding
company firm business employer corporation: organization company account business enterprise tenant
team crew department group workspace: team group organization account workspace member
login: authentication session token oauth
logout: session revoke
signup: register registration user account
password passphrase secret: password credential secret key token
permission right privilege access: permission role access scope policy grant collaboration
expired: expire token refresh
confidential hidden: classification security private
app program software: application app client project
device laptop television tv mobile smartphone tablet terminal: device client
bill receipt: invoice bill receipt statement transaction
money cash fund earning income wallet: balance payment payout topup transfer transaction amount refund
pay owe: payment charge transaction invoice
refund: reversal
buy purchase checkout cart: order purchase checkout payment session
price cost fee spend: price rate amount cost fee usage expense
discount voucher rebate sale: coupon discount promotion offer gift
membership plan: subscription plan membership price product
goods merchandise ware: product item
stock: inventory
parcel package delivery: shipment delivery shipping order
shop vendor supplier seller carrier: store vendor provider merchant supplier
mail newsletter: email message campaign
text sms: message content
chat talk conversation discussion dialog call: conversation chat call channel thread message session
write: message send create comment
tell warn: send notify message broadcast
answer reply: reply response answer message
phone telephone: call phone number
line waiting: queue pending
room: channel room space
notification alarm alert: notification alert event hook webhook trigger
comment remark note opinion: comment note reply review feedback description metadata
emoji: reaction
meeting appointment reservation: event meeting calendar appointment booking reservation
folder directory: folder directory
file document paper pdf: file document content attachment artifact
picture photo image icon portrait drawing screenshot: image photo avatar thumbnail asset media
film movie clip footage: video media
song music sound voice: audio track recording speech
page article story: page article post content site pagination
paragraph chapter passage: section block part
offer: quote
label tag category genre kind: tag label category topic type
field column attribute: field attribute property column metadata
table sheet: table dataset database source
row entry record: item entry object row record
link: url
website homepage: site domain page
copy duplicate: copy duplicate clone fork replica scale
version release older: version release revision previous
history past earlier: history event log audit version activity
output print: log output console
result outcome finding: result report response
backup: snapshot backup export
trash bin: trash restore archive
favorite bookmark: favorite star saved top follow
form survey questionnaire vote: form survey poll
information info: detail info metadata
server machine computer host: server instance node host machine guild
setting preference option configured: setting config configuration preference property
disk drive: volume disk storage
address place spot city: address location endpoint
country land: country region market locale location
firewall rule: rule policy firewall network
code script: code source script repository snippet
publish deploy rollout: publish deploy deployment release
job task process automation: task job run workflow assignment process
schedule timer: schedule cron event hour
progress: status state
alive healthy: health status ping
problem bug ticket trouble fault complaint broken crash: issue error incident ticket failure
statistic figure usage traffic quantity: metric report usage statistic analytics count record
limit cap: quota rate maximum
callback: webhook hook
plugin addon extension: plugin extension integration module app
assistant robot: agent bot ai
similar alike: related similar recommendation
overview: dashboard summary
goal aim: goal target
bulk: batch bulk multiple
freeze suspend hold frozen: pause suspend lock disable hold freeze retention status
continue: resume unpause start
toggle switch turn: flag feature enable disable activate deactivate
check verify: verify validate check test
attach hook join: connect attach join link
allow permit accept agree: approve accept allow grant consent permission policy
forbid refuse deny: reject deny block ban restrict lock
swap exchange renew: replace rotate update refresh
undo revert rollback: restore revert reset undo
watch listen observe: subscribe watch event stream
keep remember retain: save store lock
rename: update name
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
