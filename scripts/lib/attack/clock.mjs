/** Loaded into a server under attack: its parent moves its time ahead, by so many milliseconds. */
const now = Date.now;
let ahead = 0;
Date.now = () => now() + ahead;
process.on('message', (ms) => {
  ahead += ms;
  process.send('moved');
});
