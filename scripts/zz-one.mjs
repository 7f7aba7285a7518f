import { startStdioLoad } from './lib/bench-runtime/stdio-load.mjs';
import { compileAdd } from './lib/bench-runtime/project.mjs';
import { existsSync, mkdirSync } from 'node:fs';
mkdirSync('/tmp/prof/one', {recursive:true});
const ours = process.argv[2] === 'keep' ? '/tmp/prof/one/sums-mcp/dist/main.js' : await compileAdd('/tmp/prof/one');
const servers={ours:[ours],sdk1:['scripts/lib/bench-runtime/peers/sdk-1-stdio.mjs'],bare:['/tmp/prof/bare-stdio.mjs']};
for (const inFlight of [1,64]) {
const loads={};const t={};
for(const [k,a] of Object.entries(servers)){loads[k]=await startStdioLoad(a,{inFlight});await loads[k].run(2000);t[k]=[];}
for(let r=0;r<9;r++)for(const k in loads)t[k].push(await loads[k].run(3000));
for(const k in loads){const m=t[k].sort((a,b)=>a-b)[4];const c=loads[k].cpu();await loads[k].run(3000);console.log(inFlight,k,(3000/m*1000).toFixed(0)+'/s', ((loads[k].cpu()-c)/3).toFixed(1)+' µs');await loads[k].close();}
}
