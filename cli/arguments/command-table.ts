/** The arguments of each command. Parsing and help come from this table. */

/** A flag of a command. */
export interface Flag {
  name: string;
  short: string | undefined;
  /** The name of its value, for help; undefined if it takes none. */
  value: string | undefined;
  about: string;
  isRepeatable: boolean;
  /** The values that it takes. */
  choices: readonly string[] | undefined;
}

interface CommandEntry {
  summary: string;
  /** The operands as help shows them. */
  operands: string;
  /** The purpose of each flag, by the flag as help shows it; `…` after it means that it can be repeated. */
  flags: Readonly<Record<string, string>>;
  /** Paragraphs of the help. Lines that begin with a space are shown as they are. */
  details?: readonly string[];
  examples: readonly string[];
}

/** By the name of the value. */
const CHOICES: Record<string, readonly string[]> = {
  FORMAT: ['json', 'ndjson', 'csv'],
  FORM: ['curl', 'fetch', 'http'],
  STATE: ['waiting', 'sending', 'created', 'refused', 'stalled', 'cancelled', 'invalid'],
};
/** Flags that need no operands. */
export const WITHOUT_OPERANDS = ['help', 'schema'];

const JSON_FLAG = { '--json': 'Print one JSON value per line.' };
export const HELP = { '-h, --help': 'Show this help.' };
const OPTIONS = { '--options FILE': 'Options of the package, as JSON: taxRates, scale …' };
const CONCURRENCY = { '--concurrency N': 'Orders in flight at a time, half of them for one location. Default: 16.' };
const BASE_URL = { '--base-url URL': 'Base URL of the service. Required.' };

/** How the orders of a file are read and checked. */
const READING = {
  '--map FILE': 'What the columns of a CSV file mean; see below.',
  '--format FORMAT': 'How to read the file: json, ndjson or csv. The default follows from its name.',
  ...OPTIONS,
  '--v2': 'Check and send the orders with version 2. The default is version 3.',
  '--strict': 'Warnings count as errors.',
};

const TOKEN = {
  '--token-file FILE': 'Read the token from a file.',
  '--token-command COMMAND': 'Run a command that prints the token.',
};

/** The actions of `outbox` on a journal. */
export const ACTIONS = [
  ...['list', 'show', 'retry', 'cancel', 'forget', 'replace', 'backup', 'restore', 'missing', 'move'],
] as const;

const FILES = [
  'FILE has orders as JSON (one, or an array), NDJSON (.ndjson, .jsonl) or CSV; - is standard input.',
  'A CSV file needs a mapping, --map mapping.json. It names the columns that the members of an order come from:',
  `  {
    "key": "Order",                             rows with the same value here are one order
    "namespace": "51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b",
    "order": {
      "CompanyId": { "value": 1000 },           a constant
      "EntityId": "Shop",                       a column
      "IntegratorId": { "value": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50" }
    },
    "items": {
      "Name": "Product", "CatalogItemId": "Product id", "Quantity": "Qty", "SellAtPricePerUnit": "Price"
    }
  }`,
  'The Id of an order is derived from namespace and key, so it is the same on every run. Use a GUID of your own as the namespace, and never change it. If a column has the Ids, omit the namespace and map Id in "order". "key" can be an array of columns. Rows of one order must follow each other. A member of the order comes from the first of its rows in which the cell is not empty; another value in a further row is an error. If the cells are empty, the member is omitted.',
  'How the file is written: "delimiter" (";"), "decimal" (","), "thousands" ("."), "currency" ("$", which is removed from amounts), "quote" (false if the file has no quoting) and "encoding" ("windows-1252"). A point in a number is an error if "decimal" is ",", and a comma otherwise; "thousands" permits it. The line sep=; of Excel sets the delimiter, a byte order mark the encoding.',
  '"taxes" and "discounts" are arrays of records such as { "TaxId": { "value": "…" }, "TaxAmount": "GST" }, "extraItems" of items once for an order, such as shipping. One whose amount is empty or zero is left out. "skip" leaves orders out, such as { "Status": ["voided"], "Cancelled at": true }; "itemRows" names the rows with an item in the same way. "expect" names the amounts of the other system: subtotal, discount, tax, total. One that differs is the warning csv_amount_differs.',
  'In place of a column: { "column": "Sku", "lookup": "articles.csv", "from": "sku", "to": "guid" } takes the value from a second file, CSV or JSON, beside the mapping; { "sum": ["Tax", "Levy"] } adds up amounts over all items of the order; { "column": "Amount", "per": "Qty" } divides the amount of an item. "//" is a comment. The command mapping prints mappings of shop systems.',
];

const commandTable = {
  check: {
    summary: 'Check orders, and show what is wrong where',
    operands: 'FILE…',
    flags: {
      ...JSON_FLAG,
      '-w, --watch': 'Check again when a file changes.',
      ...READING,
      '-q, --quiet': 'Show errors only.',
      '--max-bytes N': 'Warn of an order whose request is larger. Default: 1048576.',
    },
    details: [
      'Services limit the size of a request: the reference service refuses bodies above 1 MiB with 413. A valid order whose body is larger than --max-bytes gets the warning body_over_max_bytes.',
      ...FILES,
    ],
    examples: ['check order.json', 'check november.csv --map mapping.json --watch', 'check *.ndjson --json | jq .code'],
  },
  preview: {
    summary: 'Show the totals of orders before they are sent',
    operands: 'FILE',
    flags: {
      ...JSON_FLAG,
      '--explain': 'Show how each amount is calculated.',
      ...READING,
    },
    details: [
      'An amount that is not known is shown as unknown, with the reason. With taxRates in the options, tax is estimated.',
      'If there are several orders, a control total is last: the sums of subtotal, discount, tax and total of the valid orders, and how many of these amounts are unknown. With --json it is an object with the member controlTotal.',
      ...FILES,
    ],
    examples: ['preview order.json --explain', 'preview order.json --options options.json'],
  },
  request: {
    summary: 'Print the request that creates an order, for curl, fetch or an HTTP client',
    operands: 'FILE',
    flags: {
      '--as FORM': 'curl (default), fetch or http.',
      '--base-url URL': 'Base URL of the service. The default is a variable.',
      ...READING,
    },
    details: ['The token is never printed: the request reads it from the variable SALES_ORDER_INTAKE_TOKEN.', ...FILES],
    examples: ['request order.json --base-url https://intake.example.com/orders', 'request order.json --as http'],
  },
  send: {
    summary: 'Send orders, and resume after a crash or an outage',
    operands: 'FILE',
    flags: {
      ...BASE_URL,
      '--outbox FILE': 'The journal, of one service and one mapping. Default: FILE.outbox.sqlite.',
      '--report FILE': 'Orders that failed. Default: FILE.report.ndjson.',
      ...CONCURRENCY,
      '--stop-after TIME': 'Stop after this time, such as 90s, 10m or 2h.',
      ...TOKEN,
      ...JSON_FLAG,
      ...READING,
    },
    details: [
      'Every order is written to the journal before it is sent. The same command again resumes, however the first run ended: created orders are not sent again, and every attempt at an order has the same Id. Orders that are invalid or were refused go to the report.',
      'Correct orders in the file and run the command again: an order that was never sent or was refused is replaced. One that is, or may be, at the point of sale is not sent a second time: it is reported as order_changed.',
      'The token comes from SALES_ORDER_INTAKE_TOKEN, a file or a command, never from an argument. A file is read, and a command is run, again when the service refuses the token.',
      'Ctrl-C waits for the orders in flight and prints how to resume; a second Ctrl-C ends at once.',
      'Exit codes: 0 all orders are created; 1 some are invalid, were refused, or were changed after they were created; 4 the service refused the token; 5 some are not settled yet, run it again, or have stalled, see outbox FILE list --state stalled. Needs Node 22.13 or later.',
      ...FILES,
    ],
    examples: [
      'send november.csv --map mapping.json --base-url https://intake.example.com/orders',
      'send orders.ndjson --base-url https://intake.example.com/orders --token-command "pass show intake"',
    ],
  },
  outbox: {
    summary: 'Look into the journal of send, and decide about orders',
    operands: `FILE ${ACTIONS.join('|')} [ID…|FILE]`,
    flags: {
      '--state STATE': 'Only orders in this state.',
      '--reason REASON': 'Only orders with this reason, such as restored.',
      '--reference TEXT': 'Only orders with this reference, or one that begins so.',
      '--receipt NUMBER': 'Only orders with this receipt number.',
      '--by NAME': 'Who decides it, for the history.',
      '--detail': "Also show the service's reasons, which may have personal data.",
      '--schema': 'Print the SQL that creates an outbox in PostgreSQL, in the schema NAME: outbox --schema [NAME].',
      '--from ORDERS': 'For replace: corrected orders with their Ids, as JSON or NDJSON.',
      '--column NAME': 'For missing: the column of the keys.',
      '--map FILE': 'For missing: the mapping that names it.',
      '--base-url URL': 'For move: the base URL of the service from now on.',
      ...OPTIONS,
      ...JSON_FLAG,
    },
    details: [
      'FILE is the journal, the file that was sent, or an outbox of relays in PostgreSQL: postgres://…, or postgres: for the URL in SALES_ORDER_OUTBOX. list shows the orders, and show what happened to some of them and when; both write nothing. ID is the Id of an order or its reference, which is the key of its row for send. What the other actions change takes effect with the next send of the file, and in a database at once. A file needs Node 22.13 or later.',
      'retry sends orders again that were refused or have stalled, unchanged and with the same Id. cancel takes back orders that were never sent. Of --state and the like, orders that do not permit it stay, and are counted.',
      'replace --from ORDERS replaces orders that were never sent or were refused with corrected ones with the same Id. Use it for orders that you cannot correct in the file itself. As long as the file has the earlier contents of an order, send uses the corrected ones.',
      'forget deletes the personal data of orders that are created, refused, stalled, cancelled or invalid, and their references. Id and state stay, so that send does not send them again. A stalled order that is forgotten is given up. send forgets an order by itself 30 days after it was created.',
      'missing CARTS compares the keys or Ids of paid carts with the orders, and prints those that were never added, wait, were refused or have stalled. CARTS is a CSV file whose first line names the columns, --column the one of the keys, or a list with one key in each line. It ends with 0 if all are created, and with 1 otherwise. A relay deletes created orders after 30 days.',
      'move --base-url URL is for a service that has moved: all orders that wait are sent to the new base URL. For another service use another journal. Stop the relays of a database before.',
      'backup TO writes a copy into a new file, also while the outbox runs. Do not copy the file by other means: its latest orders may be in a log beside it.',
      'restore FROM checks the backup and puts it in the place of FILE, whose outbox must not run. The previous file, with its log, gets a new name that has the time. Orders that wait in the backup become stalled, with the reason restored: since then they may have been sent, cancelled or corrected. Without FROM, restore accepts a file that was put back by other means, which the other commands refuse.',
    ],
    examples: [
      'outbox november.csv list --state stalled',
      'outbox november.csv retry --state refused',
      'outbox november.csv replace --from corrected.json',
      'outbox november.csv forget --state created',
      'outbox relay.outbox.sqlite show 1042',
      'outbox relay.outbox.sqlite backup night.sqlite',
      'outbox relay.outbox.sqlite missing carts.csv --column "Cart"',
    ],
  },
  relay: {
    summary: 'Accept orders over HTTP for any language, and deliver them through outages',
    operands: '',
    flags: {
      ...BASE_URL,
      '--listen ADDRESS': 'Address and port. Default: 127.0.0.1:4020.',
      '--outbox FILE|URL': 'An SQLite file, or postgres://…. Default: relay.outbox.sqlite.',
      '--client-token TOKEN': 'The token that senders need; see below.',
      '--notify URL': 'Post each settled order to the shop; see below.',
      '--notify-secret-file FILE': 'The secret that signs these requests: whsec_… on a line.',
      ...CONCURRENCY,
      ...TOKEN,
      '--keep-invalid': 'Store invalid orders, too, for a person to correct.',
      '--log-references': 'Log the references of orders, which may be personal data.',
      '-q, --quiet': 'Log only requests that failed.',
    },
    details: [
      "PUT an order to v2/ServiceOrder({orderId}) or v3/ServiceOrder({orderId}), as to the service: 202 says that it is durable and will be delivered, 200 that it is stored already. The header X-Order-Reference has the shop's own number. With --keep-invalid, 202 and the state invalid say that a person must correct the order. GET /orders/{orderId} with Prefer: wait=10 responds when it is settled, GET /orders/{orderId}/history says what happened to it. /openapi.json describes all requests. /ready and /metrics are for operators.",
      'The token of the service comes from SALES_ORDER_INTAKE_TOKEN, a file or a command, never from an argument. Senders need none on this machine. To listen on another address, set SALES_ORDER_RELAY_CLIENT_TOKEN; --client-token is for tests, because other users of this machine can see arguments.',
      '--notify posts each order that was created or refused, has stalled or is invalid, as Standard Webhooks says, until the receiver responds with 2xx; so it gets an order at least once. The file may have a second secret on a line of its own while the receiver changes over. Redirects are not followed. After 410 nothing is posted until the next start.',
      'A file is for one relay; several relays share a PostgreSQL database, which needs the package pg. A URL with a password is taken from SALES_ORDER_OUTBOX only; PGPASSWORD and .pgpass work, too. outbox FILE list shows the orders, also while the relay runs. A file needs Node 22.13 or later.',
      'SIGTERM and Ctrl-C wait for the orders in flight. Orders that wait are delivered after the next start.',
    ],
    examples: [
      'relay --base-url https://intake.example.com/orders --token-file token',
      'relay --base-url https://intake.example.com/orders --outbox postgres://shop@db.example.com/shop',
    ],
  },
  mcp: {
    summary: 'Let an assistant check, preview and send orders (Model Context Protocol)',
    operands: '',
    flags: {
      '--outbox FILE|URL': 'Let the assistant send orders, which are stored first: in an SQLite file or postgres://….',
      '--base-url URL': 'Base URL of the service that gets them.',
      '--namespace GUID': 'A GUID of your own, from which Ids are derived; never change it.',
      ...TOKEN,
    },
    details: [
      'Serves the tools check_order, preview_order and explain on standard input and output. With --outbox, --base-url and --namespace also send_order and order_status: real orders. The Id of an order is derived from the key that the assistant gives it, so a repeated call is the same order.',
      'Names, notes and customer ids are not in the results of send_order and order_status, nor is any text of the service. Needs the package @modelcontextprotocol/sdk; an outbox in a file needs Node 22.13 or later.',
    ],
    examples: [
      'mcp',
      'mcp --outbox orders.sqlite --base-url https://intake.example.com/orders --namespace 51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b --token-file token',
    ],
  },
  serve: {
    summary: 'Start the reference service on this machine, with faults on demand',
    operands: '',
    flags: {
      '--port N': 'Port on 127.0.0.1. Default: 4010; 0 takes a free one.',
      '--token TOKEN': 'The token that it accepts. Default: a new one.',
      '--fault FAULT=RATE …': 'Inject a fault into a share of requests, such as 503=0.02. Can be repeated.',
      '--keep FILE': 'Store the orders in a file, and begin with those that it has.',
      '--registry FILE': 'Accept only these companies, locations and integrators, in TOML. Default: all.',
      '--demo': "Accept only those of the documentation's examples.",
      '--page FOLDER': 'Serve the files of a folder, such as a built page, at /.',
      '-q, --quiet': 'Do not list the requests.',
    },
    details: [
      'The service stores orders in memory unless --keep names a file. It is for tests: its token is printed, and not a secret. /requests lists the last requests, /pos/COMPANY/LOCATION shows orders as a point of sale might.',
      'Faults: a status of the service such as 503, drop (loses the connection), drop-after (stores the order, then loses the connection), latency=MS (stores the order, then delays the response; can be combined with another fault), down-until=SECONDS. A request can ask for its own with the header X-Fault.',
    ],
    examples: ['serve', 'serve --port 4010 --fault 503=0.02 --fault drop-after=0.02', 'serve --fault latency=800=0.5'],
  },
  id: {
    summary: 'Make an order Id, or derive one from a key',
    operands: '',
    flags: {
      '--namespace GUID': 'A GUID of your own; never change it.',
      '--key KEY': 'What identifies the order in the namespace, such as a cart number.',
      '-n, --count N': 'How many random Ids to print.',
    },
    examples: ['id', 'id --namespace 51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b --key cart-1042'],
  },
  mapping: {
    summary: 'Print a mapping of CSV to start from, for the export of a shop system',
    operands: '[NAME]',
    flags: {},
    details: [
      'NAME is shopify, woocommerce, square, lightspeed, vend, magento or amazon; without it, the mapping is for columns of your own. Its comments say where the export comes from, and what to put beside the mapping: ids.json and articles.csv.',
      'Each run makes another namespace. Print the mapping once, store it, and never change its namespace.',
    ],
    examples: ['mapping shopify > mapping.json'],
  },
  explain: {
    summary: 'Explain an issue code, with an order and its correction',
    operands: '[CODE]',
    flags: JSON_FLAG,
    details: [
      'Without a code, lists all codes. D18 explains a decision, 2.1 or §2.1 a section of the specification, ConflictError a reason that outbox list shows, suspect the cause of a pause, 5 an exit code (and the section with this number).',
    ],
    examples: ['explain not_a_guid', 'explain D18', 'explain 2.1'],
  },
} as const satisfies Record<string, CommandEntry>;

export type CommandName = keyof typeof commandTable;

export const commandNames = Object.keys(commandTable) as CommandName[];

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commandTable, name);
}

export function entryOf(name: CommandName): CommandEntry {
  return commandTable[name];
}

/** The flags that the program has without a command. */
export const globalFlags = { ...HELP, '-V, --version': 'Print the version.' };

/** Returns the flags of a command, `--help` last. */
export function flagsOf(name: CommandName): Flag[] {
  return Object.entries({ ...entryOf(name).flags, ...HELP }).map(([flag, about]) => {
    const [, short, name = '', value, more] = /^(?:-(\w), )?--([\w-]+)(?: ([^ …]+))?( …)?$/.exec(flag) ?? [];
    return { name, short, value, about, isRepeatable: more !== undefined, choices: CHOICES[value ?? ''] };
  });
}
