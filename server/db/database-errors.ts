/** SQLSTATEs of a server that is unavailable or overloaded, or that aborted the transaction because of a conflict. */
const SQLSTATES = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  '53100', // disk_full
  '53200', // out_of_memory
  '57014', // query_canceled
  '55P03', // lock_not_available
  '08006', // connection_failure
  '08003', // connection_does_not_exist
  '25P03', // idle_in_transaction_session_timeout
  '40001', // serialization_failure
  '40P01', // deadlock_detected
])
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOENT'])
/** Errors that node-postgres reports without a code. */
const DRIVER_MESSAGES =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|connection error and is not queryable/

/** Whether the error is temporary: the database is unavailable now, and the same request may succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return SQLSTATES.has(code) || isConnectionLost(code) || DRIVER_MESSAGES.test(message)
}

/** Whether the error means that a socket of any kind broke or could not be opened. */
export const isConnectionLost = (code: string): boolean => SOCKET_CODES.has(code)

/** Whether a statement failed because it would have violated a unique index. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === '23505'

/** Returns the name of the constraint that a statement would have violated. */
export const violatedConstraint = (error: unknown): string | undefined => (error as { constraint?: string }).constraint

/** Whether the server refused a statement, and so wrote nothing of it. The connection remains usable. */
export const isRefusedStatement = (error: unknown): boolean => (error as { severity?: string }).severity === 'ERROR'
