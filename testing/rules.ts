/** The rules of the reference service: calls the module that its Rust code is compiled to (service/wasm). */
import type { Guid, Version } from 'sales-order-intake';
import type { OwnCore } from '../pkg-template/src/module.js';
import { Program } from '../pkg-template/src/program.js';
import { type Functions, glue } from '../wasm/glue/service.js';

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

/** The inputs of a decision besides the request. */
export interface Circumstances {
  /** In milliseconds since 1970. */
  readonly now: number;
  /** Two numbers below a million. */
  readonly random: readonly [number, number];
  readonly maxBodyBytes: number;
  /** Faults with their rates. */
  readonly faults: readonly string[];
  /** The fault that a test has requested for the next request. */
  readonly scripted: string | null;
  readonly outage: Outage;
}

/** Whether the service is down: not at all, until somebody ends it, or until a time. */
export type Outage = 'none' | 'endless' | { readonly until: string };

export interface ServiceResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** The types of problems that the rules do not decide, including those of the relay alone. */
export type ProblemName =
  | 'bad-request'
  | 'conflict'
  | 'internal'
  | 'large-headers'
  | 'not-found'
  | 'slow-request'
  | 'unavailable'
  | 'invalid-query'
  | 'invalid-header'
  | 'invalid-body'
  | 'wrong-state'
  | 'refused'
  | 'stalled'
  | 'cancelled';

/** The decision about a request. If it has no response, the store has a task. */
export interface Decision {
  readonly version: Version | null;
  readonly orderId: Guid | null;
  /** The injected fault. */
  readonly fault: string | null;
  /** Whether it is the fault that the test requested. */
  readonly isScripted: boolean;
  /** How long the response waits after the order was stored. */
  readonly delayMs: number;
  /** Whether the connection is lost, and with it the request or the response. */
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

/** What the store has found or stored. */
export interface StoreResult {
  readonly stored: { readonly company: number; readonly digest: readonly number[]; readonly body: string } | null;
  /** The next receipt number of the location. */
  readonly receipt: number;
  /** Whether the store could not store the order. */
  readonly hasFailed?: boolean;
}

/** The purpose of a request. */
export type Route =
  | 'order'
  | 'requests'
  | { readonly response: ServiceResponse }
  | { readonly probe: { readonly succeeded: ServiceResponse; readonly failed: ServiceResponse } }
  | { readonly orders: { readonly company: number; readonly entity: number; readonly before: number } }
  | { readonly file: { readonly path: string; readonly headers: ServiceResponse['headers'] } };

/** The inputs of a decision about a request to a relay, besides the request. */
export interface RelayCircumstances extends Pick<Circumstances, 'now' | 'maxBodyBytes'> {
  /** The token that senders need; if null, only this machine may send requests. */
  readonly token: string | null;
}

/** The decision about a request to a relay. */
export interface RelayDecision {
  readonly route:
    | 'order'
    | 'orders'
    | 'state'
    | 'history'
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
  /** The version of an order to store; if it is invalid, it has a response, too. */
  readonly order?: { readonly version: Version };
  /** The JSON of an order to evaluate and of the options, as they were sent; and how many amounts that are. */
  readonly evaluation?: { readonly order: string; readonly options: string | null; readonly products: number };
}

const service = /* @__PURE__ */ new Program('the reference service', glue);

/** Returns the function, which then runs the rules in `source`. */
export function withService<Fn>(source: OwnCore, fn: Fn): Fn {
  service.source ??= source;
  return fn;
}

/** Judges a request. `registry` is JSON, which is parsed for each request. */
export function begin(request: Head & Circumstances, registry: string, body: Uint8Array): Decision {
  return ask<Decision>('begin', JSON.stringify(request), registry, body);
}

/** Returns the response for the result of the store. */
export function settle(task: Task, result: StoreResult): ServiceResponse {
  return ask<ServiceResponse>('settle', JSON.stringify(task), JSON.stringify(result));
}

/** Judges a request to a relay; if `body` is undefined, only its head. */
export function relay(request: Head & RelayCircumstances, body?: Uint8Array): RelayDecision {
  const head = JSON.stringify({ ...request, hasBody: body !== undefined });
  return ask<RelayDecision>('relay', head, body ?? new Uint8Array());
}

/** Returns the response of a problem. `detail` has nothing of an order but its Id (D45). */
export function problem(name: ProblemName, detail: string): ServiceResponse {
  return ask<ServiceResponse>('problem', name, detail);
}

/** Returns what a fault of `failNext` must be if this is not one; else null. */
export function checkFault(fault: string): string | null {
  return ask<string | null>('checkFault', fault);
}

/** Returns what faults and their rates must be if these are not valid; else null. */
export function checkRates(rates: readonly string[]): string | null {
  return ask<string | null>('checkRates', JSON.stringify(rates));
}

/** Returns the errors of a registry, or null. */
export function checkRegistry(registry: string): string | null {
  return ask<string | null>('checkRegistry', registry);
}

/** Returns the purpose of a request. */
export function route(request: LocalRequest, registry: string): Route {
  return ask<Route>('route', JSON.stringify(request), registry);
}

/** Returns the response that shows orders, the newest first. */
export function showOrders(location: [company: number, entity: number], orders: object[], registry: string) {
  return ask<ServiceResponse>('showOrders', JSON.stringify(location), registry, JSON.stringify(orders));
}

function ask<Json>(name: keyof Functions, ...inputs: (string | Uint8Array)[]): Json {
  const response = service.call(name, ...inputs);
  const json = JSON.parse(response) as Json & { error?: string };
  if (json?.error !== undefined) throw new TypeError(`the reference service: ${json.error}`);
  return json;
}
