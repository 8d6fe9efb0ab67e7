/** The globals that the scripts of the test pages define, for the functions that run in the pages. */
declare var core: typeof import('../../pkg/dist/esm/index.js');
declare var slim: typeof core;
declare var client: typeof import('../../pkg/dist/esm/client/index.js');
declare var testing: typeof import('../../pkg/dist/esm/testing/index.js');
declare var http: typeof import('msw').http;
declare var setupWorker: typeof import('msw/browser').setupWorker;
