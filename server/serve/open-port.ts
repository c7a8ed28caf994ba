/** Address that a listener opens. */
export interface Place {
  /** Name of the listener in messages. */
  name: string
  host: string
  port: number
  /** Variable that changes the port. */
  setting: string
  /** Variable that changes the address; empty if there is none. */
  hostSetting: string
}

/** A port cannot be opened. The message names the setting that changes it. */
export class PortError extends Error {
  override readonly name = 'PortError'
}

/**
 * Opens a port.
 *
 * @throws PortError if the port is in use or may not be opened; other errors unchanged
 */
export async function openPort<Opened>(place: Place, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open()
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? '']
    if (!reason) throw error
    throw new PortError(reason(place), { cause: error })
  }
}

const REASONS: Record<string, (place: Place) => string> = {
  EADDRINUSE: ({ name, port, setting }) =>
    `Port ${port}, for the ${name}, is in use. Stop the program that uses it, or set ${setting} to another port.`,
  EACCES: ({ name, port, setting }) =>
    `Port ${port}, for the ${name}, cannot be opened by this user. Set ${setting} to a port above 1023.`,
  EADDRNOTAVAIL: notAnAddress,
  ENOTFOUND: notAnAddress,
}

function notAnAddress({ name, host, hostSetting }: Place): string {
  const advice = hostSetting && ` Set ${hostSetting} to one, or to localhost.`
  return `For the ${name}: ${host} is not an address of this machine.${advice}`
}
