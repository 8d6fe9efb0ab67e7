/** The rules of the reference service: calls the module that its Rust code is compiled to (service/wasm). */
import { InternalError, type Guid, type Version } from 'sales-order-intake';
import { start, type Instance } from '../pkg-template/src/boundary.js';
import { compileSync, type OwnCore } from '../pkg-template/src/module.js';

/** The functions and their numbers (service/wasm/src/lib.rs). */
const FUNCTIONS = {
  begin: 0,
  settle: 1,
  checkFault: 2,
  checkRates: 3,
  route: 4,
  orders: 5,
  checkRegistry: 6,
  relay: 7,
  problem: 8,
} as const;

/** The head of a request; the path is the one below the base URL. */
export interface Head {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The head of a request to the service on this machine. */
export interface LocalRequest extends Head {
  /** The host in the target of the request, or null if the target has none. */
  readonly authority: string | null;
  /** Without its question mark; empty if there is none. */
  readonly query: string;
}

/** What decides about a request besides it. */
export interface Circumstances {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Two numbers below a million. */
  readonly random: readonly [number, number];
  readonly maxBodyBytes: number;
  /** Faults with their rates. */
  readonly faults: readonly string[];
  /** The fault that a test wants next. */
  readonly scripted: string | null;
  readonly outage: Outage;
}

/** Whether the service is down: until somebody ends it, or until a time. */
export type Outage = 'none' | 'endless' | { readonly until: string };

export interface ServiceResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** The types of problems that are not decided by the rules, with those of the relay alone. */
export type ProblemName =
  | 'bad-request'
  | 'internal'
  | 'large-headers'
  | 'not-found'
  | 'slow-request'
  | 'unavailable'
  | 'invalid-query'
  | 'invalid-body'
  | 'wrong-state'
  | 'refused'
  | 'stalled'
  | 'cancelled';

/** What is decided about a request. If there is no response, the store has a task. */
export interface Decision {
  readonly version: Version | null;
  readonly orderId: Guid | null;
  /** The injected fault. */
  readonly fault: string | null;
  /** Whether it is the fault that the test wanted. */
  readonly isScripted: boolean;
  readonly delayMs: number;
  /** What is lost with the connection. */
  readonly loses: 'request' | 'response' | null;
  readonly outage: Outage;
  readonly response: ServiceResponse | null;
  readonly task: Task | null;
}

/** An order to look up by its Id, and to store if there is none; one with an error is only looked up. */
export interface Task {
  readonly orderId: Guid;
  readonly order: { readonly Ok: NewOrder } | { readonly Err: ServiceResponse };
}

/** An order to store. */
export interface NewOrder {
  readonly version: Version;
  readonly company: number;
  readonly entity: number;
  readonly integrator: Guid;
  /** Recognizes the order when it is sent again. */
  readonly digest: readonly number[];
}

/** What the store has. */
export interface StoreResult {
  readonly stored: { readonly company: number; readonly digest: readonly number[]; readonly body: string } | null;
  /** The next receipt number of the location. */
  readonly receipt: number;
  /** Whether the store could not store the order. */
  readonly hasFailed?: boolean;
}

/** What a request is for, if it is not for an order. */
export type Route =
  | 'order'
  | 'requests'
  | { readonly response: ServiceResponse }
  | { readonly probe: { readonly succeeded: ServiceResponse; readonly failed: ServiceResponse } }
  | { readonly orders: { readonly company: number; readonly entity: number; readonly before: number } }
  | { readonly file: { readonly path: string; readonly headers: ServiceResponse['headers'] } };

/** What decides about a request to a relay besides it. */
export interface RelayCircumstances extends Pick<Circumstances, 'now' | 'maxBodyBytes'> {
  /** The token that senders need; without one, only this machine may ask. */
  readonly token: string | null;
}

/** What is decided about a request to a relay. */
export interface RelayDecision {
  readonly route:
    | 'order'
    | 'orders'
    | 'state'
    | 'replace'
    | 'retry'
    | 'cancel'
    | 'evaluate'
    | 'page'
    | 'metrics'
    | 'ready'
    | 'openapi';
  /** The Id in the path, if it is a GUID. */
  readonly orderId: Guid | null;
  /** The response if it is refused. */
  readonly response: ServiceResponse | null;
  /** A valid order to store, and the response if another one has its Id. */
  readonly order?: { readonly version: Version; readonly conflict: ServiceResponse };
  /** The JSON of an order to evaluate and of the options, as they were sent. */
  readonly evaluation?: { readonly order: string; readonly options: string | null };
}

let service: OwnCore | undefined;
let compiled: WebAssembly.Module | undefined;
let instance: Instance | undefined;

/** Returns the function, whose rules are then those of `source`. */
export function withService<Fn>(source: OwnCore, fn: Fn): Fn {
  service ??= source;
  return fn;
}

/** Judges a request. `registry` is JSON, read anew for each. */
export function begin(request: Head & Circumstances, registry: string, body: Uint8Array): Decision {
  return ask<Decision>('begin', JSON.stringify(request), registry, body);
}

/** Returns the response by what the store has. */
export function settle(task: Task, result: StoreResult): ServiceResponse {
  return ask<ServiceResponse>('settle', JSON.stringify(task), JSON.stringify(result));
}

/** Judges a request to a relay; without its body, only the head. */
export function relay(request: Head & RelayCircumstances, body?: Uint8Array): RelayDecision {
  return ask<RelayDecision>('relay', JSON.stringify({ ...request, hasBody: body !== undefined }), '', body);
}

/** Returns the response of a problem. `detail` has nothing of an order but its Id (D45). */
export function problem(name: ProblemName, detail: string): ServiceResponse {
  return ask<ServiceResponse>('problem', name, detail);
}

/** Returns what a fault of `failNext` must be if this is none. */
export function checkFault(fault: string): string | null {
  return ask<string | null>('checkFault', fault);
}

/** Returns what faults and their rates must be if these are none. */
export function checkRates(rates: readonly string[]): string | null {
  return ask<string | null>('checkRates', JSON.stringify(rates));
}

/** Returns the errors of a registry, or null. */
export function checkRegistry(registry: string): string | null {
  return ask<string | null>('checkRegistry', '', registry);
}

/** Finds out what a request is for. */
export function route(request: LocalRequest, registry: string): Route {
  return ask<Route>('route', JSON.stringify(request), registry);
}

/** Returns the response that shows orders, the newest first. */
export function showOrders(
  company: number,
  entity: number,
  orders: readonly object[],
  registry: string,
): ServiceResponse {
  const location = JSON.stringify([company, entity]);
  return ask<ServiceResponse>('orders', location, registry, new TextEncoder().encode(JSON.stringify(orders)));
}

function ask<Json>(
  name: keyof typeof FUNCTIONS,
  first: string,
  second = '',
  body: Uint8Array = new Uint8Array(),
): Json {
  const json = JSON.parse(call(FUNCTIONS[name], first, second, body)) as Json & { error?: string };
  if (json?.error !== undefined) throw new TypeError(`the test service: ${json.error}`);
  return json;
}

function call(functionNumber: number, first: string, second: string, body: Uint8Array): string {
  compiled ??= compileSync(service);
  instance ??= start(compiled);
  try {
    const json = instance.call(functionNumber, first, second, body, 0);
    if (!instance.isSlender) instance = undefined;
    return json;
  } catch (cause) {
    instance = undefined;
    throw new InternalError('the rules of the test service failed', { cause });
  }
}
