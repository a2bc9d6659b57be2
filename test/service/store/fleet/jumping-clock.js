// Loaded before a program, it sets the time of day that its main thread sees an hour ahead at the first SIGUSR2, back at
// the second, an hour back at the third, and right again at the fourth: as somebody does who sets the clock of a machine.
const JUMPS_MS = [3_600_000, -3_600_000, -3_600_000, 3_600_000];

const RealDate = Date;
let offsetMs = 0;
let jumps = 0;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offsetMs);
    else super(...args);
  }

  static now() {
    return RealDate.now() + offsetMs;
  }
};

process.on('SIGUSR2', () => {
  offsetMs += JUMPS_MS[jumps % JUMPS_MS.length];
  jumps += 1;
});
