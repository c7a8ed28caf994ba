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

// What an area says of its routes; dashboard-routes.ts makes them.

/** What a page sees of a route that only reads. */
export interface Read<Name extends EndpointName, Query extends TSchema> {
  permission: Permission
  query?: Query
  /** Beside that of every session. */
  limits?: Limit<Member>[]
  handle(call: DashboardCall<unknown, Static<Query>>): Promise<DashboardReply<Name>>
}

/** A POST that only reads: what a change would do. It is a read to the limits, and writes nothing. */
export interface Previewed<Name extends EndpointName, Body extends TSchema> {
  permission: Permission
  body?: Body
  /** In bytes; 64 KiB unless given. */
  bodyLimit?: number
  /** Beside that of every session. */
  limits?: Limit<Member>[]
  handle(call: DashboardCall<Static<Body>>): Promise<DashboardReply<Name>>
}

export interface Written<Body extends TSchema> {
  permission: Permission
  /** In the audit log: `product.create`. */
  action: AuditAction
  body?: Body
  /** In bytes; 64 KiB unless given. */
  bodyLimit?: number
  /** Beside that of every session. */
  limits?: Limit<Member>[]
  /** Why the person must prove again who they are; `null`: they need not. */
  stepUp?: string | ((call: DashboardCall<Static<Body>>) => Promise<string | null> | string | null)
}

/** A change in one transaction, with its audit row. */
export interface Write<Name extends EndpointName, Body extends TSchema, Prepared = undefined> extends Written<Body> {
  /** What takes time of its own, such as rendering a letter: it runs before the transaction is open. */
  prepare?(call: DashboardCall<Static<Body>>): Promise<Prepared>
  /** Awaits nothing but `tx`. */
  handle(
    call: DashboardCall<Static<Body>>,
    tx: Tx,
    prepared: Prepared,
  ): Promise<DashboardReply<Name> & { audit: AuditedObject }>
}

/**
 * A call that must not happen twice and waits for others: it moves money, or makes a credential. It needs an
 * `Idempotency-Key`. Its audit row is committed before it begins.
 */
export interface Once<Name extends EndpointName, Body extends TSchema> extends Written<Body> {
  /**
   * What is asked for, for the audit log.
   *
   * @param objectId the id that what the call makes is to have, if the use case takes one
   */
  asks(call: DashboardCall<Static<Body>>, objectId: string, tx: Tx): AuditedObject | Promise<AuditedObject>
  /**
   * Whether the person must prove again who they are, as `stepUp` does, but in the transaction of the audit row, after
   * it. These transactions of a business run one after the other, so a sum over audit rows cannot be passed by calls at
   * the same time.
   */
  exceedsLimit?(call: DashboardCall<Static<Body>>, tx: Tx): Promise<boolean>
  /** The response when the same call comes again. By default it is the same; a secret must not be in it. */
  withoutSecrets?(body: ResponseOf<Name>): ResponseOf<Name>
  /** What came of the call when its response was lost, also with its process; `null` when it has made nothing. */
  recover?(call: DashboardCall<Static<Body>>, objectId: string): Promise<DashboardReply<Name> | null>
  handle(call: DashboardCall<Static<Body>>, objectId: string): Promise<DashboardReply<Name>>
}

/** A list as a CSV file: everything that its filter finds. A POST, because it writes its audit row (DSH-8, DSH-15). */
export interface Exported<Body extends TSchema, Row> {
  permission: Permission
  /** Names the file and the audit row: `payments`. */
  list: ExportedList
  /** An `ExportBody`. */
  body: Body
  columns: ExportColumns<Row>
  stepUp?: NonNullable<Written<Body>['stepUp']>
  /** By `countUpTo`. */
  count(call: DashboardCall<Static<Body>>): Promise<number>
  /** The rows after one, in the order of the list; from the first for `null`. */
  read(call: DashboardCall<Static<Body>>, after: Row | null, limit: number): Promise<Row[]>
}

/**
 * A change in one transaction that must not happen twice: it makes a credential, or decides about charges. It needs an
 * `Idempotency-Key`. The key, the change and its audit row are committed together.
 */
export interface WriteOnce<Name extends EndpointName, Body extends TSchema> extends Omit<Write<Name, Body>, 'prepare'> {
  /** The response when the same call comes again. By default it is the same; a secret is shown once. */
  withoutSecrets?(body: ResponseOf<Name>): ResponseOf<Name>
}

/**
 * The same change of several objects of a page, each for itself: one that is refused is unchanged and named in the
 * response, and the others are done. It needs an `Idempotency-Key`. The key, the changes and an audit row for each are
 * committed together.
 */
export interface Bulk<Name extends EndpointName, Body extends TSchema, Item extends BulkItem> extends Written<Body> {
  /** Of the objects, in the audit log: `product`. */
  type: string
  items(body: Static<Body>): Item[]
  /** Before the first object: a refusal is that of the whole call. */
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
