import type { Static, TSchema } from 'typebox'
import type { AuditAction, ExportedList } from '../../contract/dashboard/audit-actions.ts'
import type { BulkResult } from '../../contract/dashboard/bulk.ts'
import type { EndpointName, ResponseOf } from '../../contract/dashboard/dashboard-api.ts'
import type { Permission } from '../../contract/permissions.ts'
import type { Member } from '../access/sessions/session.ts'
import type { Audited } from '../audit/audited.ts'
import type { Tx } from '../db/transaction.ts'
import type { Limit, Reply } from '../http/route.ts'
import type { DashboardCall } from './dashboard-call.ts'
import type { ExportColumns } from './export/stream-csv.ts'

// How an area describes its routes; dashboard-routes.ts makes them.

/** A route that only reads. */
export interface Read<Name extends EndpointName, Query extends TSchema> {
  permission: Permission
  query?: Query
  /** Limits in addition to those of every session. */
  limits?: Limit<Member>[]
  handle(call: DashboardCall<unknown, Static<Query>>): Promise<DashboardReply<Name>>
}

/** A POST that only reads: what a change would do. It is a read to the limits, and writes nothing. */
export interface Previewed<Name extends EndpointName, Body extends TSchema> {
  permission: Permission
  body?: Body
  /** Largest body in bytes; 64 KiB unless given. */
  bodyLimit?: number
  /** Limits in addition to those of every session. */
  limits?: Limit<Member>[]
  handle(call: DashboardCall<Static<Body>>): Promise<DashboardReply<Name>>
}

export interface Written<Body extends TSchema> {
  permission: Permission
  /** Action in the audit log, such as `product.create`. */
  action: AuditAction
  body?: Body
  /** Largest body in bytes; 64 KiB unless given. */
  bodyLimit?: number
  /** Limits in addition to those of every session. */
  limits?: Limit<Member>[]
  /** Why the person must prove again who they are; `null` if they need not. */
  stepUp?: string | ((call: DashboardCall<Static<Body>>) => Promise<string | null> | string | null)
}

/** A change in one transaction, with its audit row. */
export interface Write<Name extends EndpointName, Body extends TSchema, Prepared = undefined> extends Written<Body> {
  /** Does slow work, such as rendering a letter, before the transaction is opened. */
  prepare?(call: DashboardCall<Static<Body>>): Promise<Prepared>
  /** Must not await anything but `tx`. */
  handle(
    call: DashboardCall<Static<Body>>,
    tx: Tx,
    prepared: Prepared,
  ): Promise<DashboardReply<Name> & { audit: AuditedObject }>
}

/**
 * A call that must not happen twice and that waits for other systems: it moves money, or makes a credential. It needs
 * an `Idempotency-Key`. Its audit row is committed before its work begins.
 */
export interface Once<Name extends EndpointName, Body extends TSchema> extends Written<Body> {
  /**
   * Returns what is requested, for the audit log.
   *
   * @param objectId id for the object that the call makes, if the use case takes one
   */
  asks(call: DashboardCall<Static<Body>>, objectId: string, tx: Tx): AuditedObject | Promise<AuditedObject>
  /**
   * Whether the person must prove again who they are, like `stepUp`, but decided in the transaction of the audit row,
   * after that row is written. These transactions of a business run one after the other, so simultaneous calls cannot
   * exceed a sum over audit rows.
   */
  exceedsLimit?(call: DashboardCall<Static<Body>>, tx: Tx): Promise<boolean>
  /** Removes secrets from the response that a repeated call gets. By default that is the first response. */
  withoutSecrets?(body: ResponseOf<Name>): ResponseOf<Name>
  /**
   * Returns the outcome of a call whose response was lost, perhaps because its process ended; `null` if the call made
   * nothing.
   */
  recover?(call: DashboardCall<Static<Body>>, objectId: string): Promise<DashboardReply<Name> | null>
  handle(call: DashboardCall<Static<Body>>, objectId: string): Promise<DashboardReply<Name>>
}

/**
 * A list as a CSV file of everything that its filter matches. The route is a POST because it writes an audit row
 * (DSH-8, DSH-15).
 */
export interface Exported<Body extends TSchema, Row> {
  permission: Permission
  /** Name of the file and of the list in the audit row, such as `payments`. */
  list: ExportedList
  /** Schema of the body, which extends `ExportBody`. */
  body: Body
  columns: ExportColumns<Row>
  stepUp?: NonNullable<Written<Body>['stepUp']>
  /** Counts the rows by `countUpTo`. */
  count(call: DashboardCall<Static<Body>>): Promise<number>
  /** Reads the rows that follow `after` in the order of the list; for `null`, from the first row. */
  read(call: DashboardCall<Static<Body>>, after: Row | null, limit: number): Promise<Row[]>
}

/**
 * A change in one transaction that must not happen twice: it makes a credential, or decides about charges. It needs an
 * `Idempotency-Key`. Key, change and audit row are committed together.
 */
export interface WriteOnce<Name extends EndpointName, Body extends TSchema> extends Omit<Write<Name, Body>, 'prepare'> {
  /**
   * Removes secrets from the response that a repeated call gets, because a secret is shown once. By default that is the
   * first response.
   */
  withoutSecrets?(body: ResponseOf<Name>): ResponseOf<Name>
}

/**
 * A change of several objects of a page, each independent of the others: a refused object stays unchanged and is
 * named in the response. It needs an `Idempotency-Key`. The key, the changes and an audit row for each are committed
 * together.
 */
export interface Bulk<Name extends EndpointName, Body extends TSchema, Item extends BulkItem> extends Written<Body> {
  /** Type of the objects in the audit log, such as `product`. */
  type: string
  items(body: Static<Body>): Item[]
  /** Runs before the first object is changed. If it throws, the whole call is refused. */
  check?(call: DashboardCall<Static<Body>>, tx: Tx): Promise<void>
  /** Changes one object with `tx`. */
  change(call: DashboardCall<Static<Body>>, item: Item, tx: Tx): Promise<BulkChange<DoneOf<Name>>>
}

export interface BulkItem {
  id: string
}

export interface BulkChange<Done> extends Pick<Audited<unknown>, 'before' | 'after'> {
  done: Done
}

type DoneOf<Name extends EndpointName> = ResponseOf<Name> extends BulkResult<infer Done> ? Done : never

export type AuditedObject = Omit<Audited<unknown>, 'result'>
export type DashboardReply<Name extends EndpointName> = Omit<Reply, 'body'> & { body: ResponseOf<Name> }
