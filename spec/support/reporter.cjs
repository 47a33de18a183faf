// Mocha's spec reporter, and one last line that counts: "N passed, N failed, N skipped".
const { reporters, Runner } = require('mocha');

class Counting extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      console.log(`${passes} passed, ${failures} failed, ${pending} skipped`);
    });
  }
}

module.exports = Counting;
