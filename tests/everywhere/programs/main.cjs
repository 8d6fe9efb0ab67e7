/** The program as CommonJS: `main.cjs <base URL>` prints the report. */
const { run } = require('./program.cjs');

run(process.argv[2]).then((report) => console.log(JSON.stringify(report)));
